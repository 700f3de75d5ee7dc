/**
 * The prerendered pages of the public site (docs/decisions/0026): those of the build at first, re-rendered by the same program when their
 * data changes.
 */
import { hash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { setImmediate as yieldToRequests } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { isConsoleAddress } from '@yiqiao/contracts/addresses';
import type { Language } from '@yiqiao/contracts/envelope';

/** A rendered page in one language: the same object as long as it does not change. */
export type PublicPage = { readonly html: string; readonly language: Language; readonly etag: string };

/** Data that pages show besides their texts, as JSON for the renderer. */
export type SiteData = Readonly<Record<string, unknown>>;

/** The pages rendered with some data: files in a folder of their own. */
type Rendering = { readonly folder: string; readonly data: SiteData };
/**
 * `dist-server/pages.json`, written by the build. `address`: the path of a page, with the query that it depends on. The first of `drawn` is
 * the fallback for any data.
 */
type BuildManifest = {
  readonly publicUrl: string;
  readonly drawn: readonly [Rendering, ...Rendering[]];
  readonly pages: readonly { address: string; language: Language; listed: boolean; file: string }[];
};
type RenderRequest = { address: string; language: Language; data: SiteData; publicUrl: string };
/** `dist-server/render.js`. */
type Program = { render: (request: RenderRequest) => Promise<string> };

type Options = {
  /** The build output that is not served directly. */
  readonly folder: string;
  /** Without a trailing slash. */
  readonly publicUrl: string;
  /** The current data; rejects while it cannot be read. */
  readonly data: () => Promise<SiteData>;
  readonly onError: (error: unknown) => void;
};

/** How often the data is checked for changes. */
const CHECK_MS = 2_000;
const HOME = '/home';

const keyOf = (address: string, language: Language): string => `${language} ${address.toLowerCase()}`;

/** The language of the address, else of the cookie, else Chinese (specification §9). */
function languageOf(query: URLSearchParams, cookie: string | undefined): Language {
  const named = query.get('lang');
  if (named === 'en' || named === 'zh') return named;
  return /(?:^|;\s*)language=(en|zh)\s*(?:;|$)/.exec(cookie ?? '')?.[1] === 'en' ? 'en' : 'zh';
}

export class PublicPages {
  /** Paths for search engines, in the order of the page table. */
  readonly listed: readonly string[];
  #pages = new Map<string, PublicPage>();
  #renderedData = '';
  #timer: NodeJS.Timeout | undefined;
  #checking: Promise<void> | undefined;

  private constructor(
    private readonly options: Options,
    private readonly manifest: BuildManifest,
    rendering: Rendering,
  ) {
    const folder = path.join(options.folder, rendering.folder);
    for (const { address, language, file } of manifest.pages) {
      const html = readFileSync(path.join(folder, file), 'utf8').replaceAll(manifest.publicUrl, options.publicUrl);
      this.#store({ address, language }, html);
    }
    this.#renderedData = JSON.stringify(rendering.data);
    this.listed = [...new Set(manifest.pages.filter(({ listed }) => listed).map(({ address }) => address))];
  }

  /** Undefined when the site was not built. Falls back to the pages of the build while the data cannot be read. */
  static async open(options: Options): Promise<PublicPages | undefined> {
    const list = path.join(options.folder, 'pages.json');
    if (!existsSync(list)) return undefined;
    const manifest = JSON.parse(readFileSync(list, 'utf8')) as BuildManifest;
    const now = await options.data().catch((error: unknown) => {
      options.onError(error);
      return undefined;
    });
    const matching = manifest.drawn.find(({ data }) => JSON.stringify(data) === JSON.stringify(now));
    const pages = new PublicPages(options, manifest, matching ?? manifest.drawn[0]);
    if (now) await pages.#render(now).catch(options.onError);
    pages.#timer = setInterval(() => void pages.check(), CHECK_MS).unref();
    return pages;
  }

  /**
   * The page for `url`, a path with its query, in the language of the address or else of the cookie. Unknown addresses get the home page,
   * whose script handles them; those of the console are undefined.
   */
  pageFor(url: string, cookie: string | undefined): PublicPage | undefined {
    const [pathname = '/', search = ''] = url.split('?', 2);
    if (isConsoleAddress(pathname)) return undefined;
    const query = new URLSearchParams(search);
    const language = languageOf(query, cookie);
    const bare = pathname.replace(/(?<=.)\/+$/, '');
    const page = query.get('type') === '2' ? this.#pages.get(keyOf(`${bare}?type=2`, language)) : undefined;
    return page ?? this.#pages.get(keyOf(bare, language)) ?? this.#pages.get(keyOf(HOME, language));
  }

  /** Re-renders the pages when the data has changed; one check at a time. */
  check(): Promise<void> {
    this.#checking ??= this.options
      .data()
      .then((data) => this.#render(data))
      .catch(this.options.onError)
      .finally(() => (this.#checking = undefined));
    return this.#checking;
  }

  close(): void {
    clearInterval(this.#timer);
  }

  async #render(data: SiteData): Promise<void> {
    const { folder, publicUrl } = this.options;
    const shown = JSON.stringify(data);
    if (shown === this.#renderedData) return;
    const { render } = (await import(pathToFileURL(path.join(folder, 'render.js')).href)) as Program;
    for (const { address, language } of this.manifest.pages) {
      this.#store({ address, language }, await render({ address, language, data, publicUrl }));
      await yieldToRequests();
    }
    this.#renderedData = shown;
  }

  /** Keeps the page object when the HTML is the same. */
  #store({ address, language }: { address: string; language: Language }, html: string): void {
    const etag = hash('sha256', html, 'hex').slice(0, 32);
    const key = keyOf(address, language);
    if (this.#pages.get(key)?.etag !== etag) this.#pages.set(key, { html, language, etag });
  }
}
