/**
 * The pages of the public site, made before anybody asks for them (docs/decisions/0026): those of the build at first, and made anew by the
 * very same program when what they show is other data than the build knew.
 */
import { hash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { isConsoleAddress } from '@yiqiao/contracts/addresses';
import type { Language } from '@yiqiao/contracts/envelope';

/** One rendering of a page in one language: the same object as long as nothing of it changes. */
export type PublicPage = { readonly html: string; readonly language: Language; readonly etag: string };

/** What pages show beside their texts: JSON, which only whoever draws them understands. */
export type SiteData = Readonly<Record<string, unknown>>;

/** The same pages with other data: files of the same names in another folder. */
type Drawn = { readonly folder: string; readonly data: SiteData };
/**
 * `dist-server/pages.json`: what the build made. `address`: the path of a page, with the query that it depends on. The first of `drawn`
 * may be shown to anybody, whatever the data are.
 */
type Made = {
  readonly publicUrl: string;
  readonly drawn: readonly [Drawn, ...Drawn[]];
  readonly pages: readonly { address: string; language: Language; listed: boolean; file: string }[];
};
type Drawing = { address: string; language: Language; data: SiteData; publicUrl: string };
/** `dist-server/render.js`. */
type Program = { render: (drawing: Drawing) => Promise<string> };

type Options = {
  /** Where the build has put what is not served as it is. */
  readonly folder: string;
  /** Without a final slash. */
  readonly publicUrl: string;
  /** What pages show now; rejects while it cannot be read. */
  readonly data: () => Promise<SiteData>;
  readonly onError: (error: unknown) => void;
};

/** How often it is looked whether operators have changed what pages show. */
const LOOK_MS = 2_000;
const HOME = '/home';

const keyOf = (address: string, language: Language): string => `${language} ${address.toLowerCase()}`;

/** The language that an address names, else the one that was chosen, else Chinese (specification §9). */
function languageOf(query: URLSearchParams, cookie: string | undefined): Language {
  const named = query.get('lang');
  if (named === 'en' || named === 'zh') return named;
  return /(?:^|;\s*)language=(en|zh)\s*(?:;|$)/.exec(cookie ?? '')?.[1] === 'en' ? 'en' : 'zh';
}

export class PublicPages {
  /** Paths of pages that search engines may keep, in the order of the page table. */
  readonly listed: readonly string[];
  #pages = new Map<string, PublicPage>();
  #shown = '';
  #timer: NodeJS.Timeout | undefined;
  #looking: Promise<void> | undefined;

  private constructor(
    private readonly options: Options,
    private readonly made: Made,
    drawn: Drawn,
  ) {
    const folder = path.join(options.folder, drawn.folder);
    for (const { address, language, file } of made.pages) {
      const html = readFileSync(path.join(folder, file), 'utf8').replaceAll(made.publicUrl, options.publicUrl);
      this.#keep({ address, language }, html);
    }
    this.#shown = JSON.stringify(drawn.data);
    this.listed = [...new Set(made.pages.filter(({ listed }) => listed).map(({ address }) => address))];
  }

  /** Undefined where the site was not built. Answers as soon as there are pages: those of the build, when the data cannot be read yet. */
  static async open(options: Options): Promise<PublicPages | undefined> {
    const list = path.join(options.folder, 'pages.json');
    if (!existsSync(list)) return undefined;
    const made = JSON.parse(readFileSync(list, 'utf8')) as Made;
    const now = await options.data().catch((error: unknown) => {
      options.onError(error);
      return undefined;
    });
    const fitting = made.drawn.find(({ data }) => JSON.stringify(data) === JSON.stringify(now));
    const pages = new PublicPages(options, made, fitting ?? made.drawn[0]);
    if (now) await pages.#draw(now).catch(options.onError);
    pages.#timer = setInterval(() => void pages.look(), LOOK_MS).unref();
    return pages;
  }

  /**
   * The page for `url`, a path with its query, in the language of the address or else of the cookie. Addresses that nobody knows show the
   * home page, whose script leads on; undefined for those of the console.
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

  /** Looks whether the data have changed, and makes the pages anew if so; one look at a time. */
  look(): Promise<void> {
    this.#looking ??= this.options
      .data()
      .then((data) => this.#draw(data))
      .catch(this.options.onError)
      .finally(() => (this.#looking = undefined));
    return this.#looking;
  }

  close(): void {
    clearInterval(this.#timer);
  }

  async #draw(data: SiteData): Promise<void> {
    const { folder, publicUrl } = this.options;
    const shown = JSON.stringify(data);
    if (shown === this.#shown) return;
    const { render } = (await import(pathToFileURL(path.join(folder, 'render.js')).href)) as Program;
    for (const { address, language } of this.made.pages) {
      this.#keep({ address, language }, await render({ address, language, data, publicUrl }));
      await turn(); // requests come first
    }
    this.#shown = shown;
  }

  /** A page that says what it said is the page that there was. */
  #keep({ address, language }: { address: string; language: Language }, html: string): void {
    const etag = hash('sha256', html, 'hex').slice(0, 32);
    const key = keyOf(address, language);
    if (this.#pages.get(key)?.etag !== etag) this.#pages.set(key, { html, language, etag });
  }
}
