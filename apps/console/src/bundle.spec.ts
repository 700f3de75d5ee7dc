import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { FIRST_PLANS } from '@yiqiao/domain/first-plans';
import operatorsEn from './operator/messages.en.js';
import operatorsZh from './operator/messages.zh.js';
import { consolePages as rows, type ConsolePage } from './console/page-table.js';
import { checkPrerenderedPages } from './site/prerender/prerendered-pages.js';

const CONSOLE = fileURLToPath(new URL('..', import.meta.url));
const RENDER_CONFIG = 'vite.render.config.ts';
const VITE = join(dirname(createRequire(import.meta.url).resolve('vite/package.json')), 'bin/vite.js');

/** What a signed-in visitor of the site loads when the browser is idle: the live stream and the notices. The console has them in its entry. */
const WHEN_IDLE = ['src/shared/live/live.ts', 'src/shared/notices/watch-notices.ts'];

type Chunk = { file: string; imports?: string[]; css?: string[] };
let out = '';
let server = '';
let manifest: Record<string, Chunk> = {};

const build = (dir: string, ...options: string[]): void => {
  const args = [VITE, 'build', ...options, '--outDir', dir, '--emptyOutDir', '--logLevel', 'error'];
  const env = { ...process.env, NODE_OPTIONS: '', NODE_ENV: 'production', CLIENT_DIR: out };
  const built = spawnSync(process.execPath, args, { cwd: CONSOLE, encoding: 'utf8', env });
  if (built.status !== 0) throw new Error(built.stderr);
};

beforeAll(() => {
  out = mkdtempSync(join(tmpdir(), 'console-'));
  server = mkdtempSync(join(tmpdir(), 'pages-'));
  build(out);
  build(server, '--config', RENDER_CONFIG);
  manifest = JSON.parse(readFileSync(join(out, '.vite/manifest.json'), 'utf8')) as Record<string, Chunk>;
}, 240_000);
afterAll(() => [out, server].forEach((dir) => rmSync(dir, { recursive: true, force: true })));

/** The chunks that the site's document loads. */
const siteChunks = (): string[] => {
  const page = readFileSync(join(out, 'index.html'), 'utf8');
  return Object.keys(manifest).filter((name) => page.includes(`src="/${manifest[name]?.file ?? ''}"`));
};
/** What the gate in console.html loads for everybody. */
const consoleChunks = (): string[] => Object.keys(manifest).filter((name) => /^_console-[\w-]{8}\.js$/.test(name));

/** The files of these chunks and their static imports. */
function filesOf(...names: string[]): string[] {
  const seen = new Set<string>();
  const visit = (name: string): void => {
    const chunk = manifest[name];
    if (!chunk) throw new Error(`no chunk ${name}`);
    if (seen.has(chunk.file)) return;
    seen.add(chunk.file);
    chunk.imports?.forEach(visit);
  };
  names.forEach(visit);
  return [...seen];
}
const codeOf = (files: string[]): string => files.map((file) => readFileSync(join(out, file), 'utf8')).join('\n');

// Strings that survive minifying: antd's style engine and forms, Refine.
const HEAVY = ['data-css-hash', 'RC_FORM_INTERNAL_HOOKS', 'refine.dev'];
// simple-rest has a client of its own (src/shared/refine/rest.ts).
const AXIOS = 'AxiosError';
const ZOD = '._zod.';
const PUBLIC_PAGES = [
  'home/home-page',
  'login/login-page',
  'agreement/agreement-page',
  'exit/exit-page',
  'contact/contact-page',
  'download/download-page',
  'tutorial/tutorial-page',
  'use-doc/use-doc-page',
  'developers/developers-page',
  'policies/privacy-page',
  'price/price-page',
  'pay-success/pay-success-page',
  'changelog/changelog-page',
  'status/status-page',
];

describe('what visitors download', () => {
  it.each(PUBLIC_PAGES)('%s loads neither antd nor Refine', (page) => {
    const code = codeOf(filesOf(...siteChunks(), `src/site/pages/${page}.tsx`));
    expect([...HEAVY, AXIOS].filter((mark) => code.includes(mark))).toEqual([]);
  });

  it('the console does load them, so the marks mean something', () => {
    const code = codeOf(filesOf(...consoleChunks(), 'src/console/pages/account/info-page.tsx'));
    expect(HEAVY.filter((mark) => !code.includes(mark))).toEqual([]);
  });

  it('nothing of the operator console is among the members’ files', () => {
    const marks = ['/operator-api', 'operator.html', ...Object.values(operatorsZh), ...Object.values(operatorsEn)];
    const files = readdirSync(out, { recursive: true, encoding: 'utf8' }).filter((name) =>
      /\.(js|html|css)$/.test(name),
    );
    const code = codeOf(files);
    const own = marks.filter((text) => text.length > 12 || text.includes('运营台'));
    expect(own.length).toBeGreaterThan(10);
    expect(own.filter((mark) => code.includes(mark))).toEqual([]);
  });

  it('neither entry loads the program of the other', () => {
    const [site, members] = [filesOf(...siteChunks()), filesOf(...consoleChunks())];
    expect(site.filter((file) => members.includes(file)).some((file) => /\/(site|console)-/.test(file))).toBe(false);
    expect(rows.flatMap((row) => filesOf(pageFile(row))).filter((file) => /\/site-/.test(file))).toEqual([]);
    expect(codeOf(site)).not.toContain('__reactRouter');
  });

  it('none of them loads the machinery of schemas', () => {
    const code = codeOf(PUBLIC_PAGES.flatMap((page) => filesOf(...siteChunks(), `src/site/pages/${page}.tsx`)));
    expect(code).not.toContain(ZOD);
    expect(codeOf(filesOf(...consoleChunks()))).toContain(ZOD);
  });
});

describe('prerendered pages', () =>
  checkPrerenderedPages(() => ({ client: out, server, idle: filesOf(...WHEN_IDLE) })));

describe('what the build knows of a new database', () => {
  const page = (name: string, folder = '.'): string =>
    readFileSync(join(server, folder, 'pages', `${name}.html`), 'utf8');
  const offers = (html: string): number => html.split('<script type="application/ld+json">').length - 1;

  it.each(['.', 'trial'])(
    'stands in its pages in both languages (%s): packages on sale, and who owns the site',
    (folder) => {
      const [zh, en] = [page('price.zh', folder), page('price.en', folder)];
      for (const { name, enName, onSale, channel } of FIRST_PLANS) {
        const isOffered = onSale && channel === null;
        expect([name, zh.includes(` · ${name}"`), en.includes(` · ${enName}"`)]).toEqual([name, isOffered, isOffered]);
      }
      expect([offers(zh), offers(en)]).toEqual([6, 6]);
      for (const name of ['home', 'price']) expect(page(`${name}.en`, folder)).toContain('Yiqiao Technology (sample');
    },
  );

  it('shows samples only where the product is tried out', () => {
    for (const language of ['zh', 'en']) {
      expect(page(`contactUs.${language}`, 'trial')).toContain('yiqiao-sales');
      expect(page(`download.${language}`, 'trial')).toContain('yiqiao-1.0.0-x64.exe');
      for (const name of ['home', 'contactUs', 'download'])
        expect(page(`${name}.${language}`)).not.toMatch(/example\.com|yiqiao-sales/);
    }
  });
});

type Language = 'zh' | 'en';

const LOCALES: Record<Language, readonly string[]> = {
  zh: ['console/locale.zh.ts'],
  en: ['console/locale.en.ts'],
};
/** The font subsets for the heading of every console page (fonts.spec.ts). */
const FONTS: Record<Language, readonly string[]> = {
  zh: ['inter-base', 'source-serif-4-base', 'yq-display-sc-console'],
  en: ['inter-base', 'source-serif-4-base'],
};

/** The chunk whose source name ends so; a chunk that others share is named after the file alone. */
function chunkOf(end: string): string {
  const keys = Object.keys(manifest);
  const own = keys.filter((key) => key.endsWith(`/${end}`));
  const shared = new RegExp(`^_${end.split('/').at(-1)?.split('.')[0] ?? ''}-[\\w-]{8}\\.js$`);
  const [name, ...others] = own.length > 0 ? own : keys.filter((key) => shared.test(key));
  if (name === undefined || others.length > 0) throw new Error(`${end}: ${name ?? 'none'} ${others.join(' ')}`);
  return name;
}
const pageFile = ({ page }: ConsolePage): string =>
  chunkOf(`${/pages\/([\w/-]+)\.js/.exec(String(page))?.[1] ?? ''}.tsx`);

/** Scripts and styles of these chunks and their static imports. */
function scriptsAndStyles(names: readonly string[]): string[] {
  const files = new Set<string>();
  const visit = (name: string): void => {
    const chunk = manifest[name];
    if (!chunk) throw new Error(`no chunk ${name}`);
    if (files.has(chunk.file)) return;
    [chunk.file, ...(chunk.css ?? [])].forEach((file) => files.add(file));
    chunk.imports?.forEach(visit);
  };
  names.forEach(visit);
  return [...files];
}

/** Everything that is loaded when `row` is the first console page to be opened. */
function firstLoad(row: ConsolePage, language: Language): Set<string> {
  const names = [...consoleChunks(), ...LOCALES[language].map(chunkOf), pageFile(row)];
  const fonts = FONTS[language].map((part) => manifest[`src/shared/fonts/${part}.woff2`]?.file ?? `no ${part}`);
  return new Set(['console.html', ...scriptsAndStyles(names), ...fonts]);
}

const OVERVIEW = rows.find(({ path }) => path === '/UserCenterIndex') ?? rows[0]!;
/** The libraries and parts of lists, forms and dialogs (vite.config.ts). */
const sharedLater = (): Set<string> =>
  new Set(
    scriptsAndStyles(Object.keys(manifest).filter((name) => /^_(libraries|parts)-[\w-]{8}\.js$/.test(name))).filter(
      (file) => /\/(libraries|parts)-/.test(file),
    ),
  );

const weights = new Map<string, number>();
/** Transferred bytes: compressed, except fonts, which already are. */
function weightOf(files: Iterable<string>): number {
  let sum = 0;
  for (const file of files) {
    const bytes = readFileSync(join(out, file));
    const weight = weights.get(file) ?? (file.endsWith('.woff2') ? bytes.length : gzipSync(bytes).length);
    weights.set(file, weight);
    sum += weight;
  }
  return sum;
}

describe.each(['zh', 'en'] as const)('what members download (%s)', (language) => {
  it.each(rows)('$path as the first page stays within 650 kB: script, styles, texts and fonts', (row) => {
    const files = firstLoad(row, language);
    const weight = weightOf(files);
    expect(weight).toBeLessThanOrEqual(650_000);
    expect(weight).toBeGreaterThan(300_000); // otherwise something was not counted
    expect(files.size).toBeLessThanOrEqual(50);
  });

  it.each(rows)(
    'console.html names all files of $path for whoever is signed in, and loads none for anybody else',
    (row) => {
      const html = readFileSync(join(out, 'console.html'), 'utf8');
      const files = firstLoad(row, language);
      const named = [...files].filter((file) => /\.(js|css)$/.test(file));
      expect(named.filter((file) => !html.includes(`/${file}`))).toEqual([]);
      expect(html).not.toMatch(/<script[^>]* src=|<link rel="(stylesheet|modulepreload)"/);
    },
  );

  it('the overview as the first page: 15 files and 350 kB at most as they are sent', () => {
    const files = [...firstLoad(OVERVIEW, language)];
    const sent = files.map((file) => (existsSync(join(out, `${file}.br`)) ? `${file}.br` : file));
    expect(sent.reduce((sum, file) => sum + statSync(join(out, file)).size, 0)).toBeLessThanOrEqual(350_000);
    expect(files.length).toBeLessThanOrEqual(15);
  });

  it('what the overview leaves out for lists and forms comes once, 245 kB at most', () => {
    const later = [...sharedLater()];
    expect(later.length).toBeGreaterThan(1);
    expect(later.filter((file) => firstLoad(OVERVIEW, language).has(file))).toEqual([]);
    expect(weightOf(later)).toBeLessThanOrEqual(245_000);
  });

  it.each(rows)('from any other page $path brings 60 kB at most beside that', (row) => {
    const once = sharedLater();
    const needed = new Set([...firstLoad(row, language)].filter((file) => !once.has(file)));
    const heaviest = rows
      .map((before) => {
        const there = firstLoad(before, language);
        return { from: before.path, weight: weightOf([...needed].filter((file) => !there.has(file))) };
      })
      .reduce((most, next) => (next.weight > most.weight ? next : most));
    expect([heaviest, heaviest.weight <= 60_000]).toEqual([heaviest, true]);
  });

  it('brings no texts of the other language', () => {
    const other = language === 'zh' ? 'en' : 'zh';
    const foreign = Object.entries(manifest).filter(
      ([name]) => name.endsWith(`messages.${other}.ts`) || name.endsWith(`locale.${other}.ts`),
    );
    const brought = rows.flatMap((row) => [...firstLoad(row, language)]);
    expect(foreign.length).toBeGreaterThan(1);
    expect(foreign.filter(([, { file }]) => brought.includes(file)).map(([name]) => name)).toEqual([]);
  });
});

describe('what nobody uses', () => {
  it('is not built: the markdown of a field, axios', () => {
    const code = codeOf(
      Object.values(manifest)
        .map(({ file }) => file)
        .filter((file) => file.endsWith('.js')),
    );
    expect(code).not.toContain('micromark'); // a name that survives minifying
    expect(code).not.toContain(AXIOS);
  });
});
