import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { FIRST_PLANS } from '@yiqiao/domain/first-plans';
import { consolePages as rows, type ConsolePage } from './console/page-table.js';
import { checkPrerenderedPages } from './site/prerender/prerendered-pages.js';

const CONSOLE = fileURLToPath(new URL('..', import.meta.url));
const RENDER_CONFIG = 'vite.render.config.ts';
const VITE = join(dirname(createRequire(import.meta.url).resolve('vite/package.json')), 'bin/vite.js');

/**
 * Loaded at run time, beside the code of every console page: axios, the member and the hash of signed requests; when the browser is
 * idle: the live stream and the notices.
 */
const AT_START = ['src/console/rest.ts', 'src/shared/auth/user.ts', '../../node_modules/crypto-js/sha256.js'];
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

/** The chunks that an entry's document loads. */
const chunksOf = (html: string): string[] => {
  const page = readFileSync(join(out, html), 'utf8');
  return Object.keys(manifest).filter((name) => page.includes(`src="/${manifest[name]?.file ?? ''}"`));
};
const siteChunks = (): string[] => chunksOf('index.html');
const consoleChunks = (): string[] => [...chunksOf('console.html'), 'src/console/console.tsx'];

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
// Only Refine's `custom` needs axios.
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
    const code = codeOf(filesOf(...consoleChunks()));
    expect(HEAVY.filter((mark) => !code.includes(mark))).toEqual([]);
    expect(code).not.toContain(AXIOS);
    expect(codeOf(filesOf('src/console/rest.ts'))).toContain(AXIOS);
  });

  it('neither entry loads the program of the other', () => {
    const [site, members] = [filesOf(...siteChunks()), filesOf(...chunksOf('console.html'))];
    expect(site.filter((file) => members.includes(file)).some((file) => /\/(site|console)-/.test(file))).toBe(false);
    const all = filesOf(...consoleChunks());
    expect(all.length).toBeGreaterThan(members.length);
    expect(all.filter((file) => /\/site-/.test(file))).toEqual([]);
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
  zh: ['console/texts.zh.ts', 'locale/zh_CN.js', 'console/refine-messages.zh.ts', 'console/dayjs-zh.ts'],
  en: ['console/texts.en.ts', 'locale/en_US.js', 'console/refine-messages.en.ts'],
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
  const names = [...consoleChunks(), ...AT_START, ...WHEN_IDLE, ...LOCALES[language].map(chunkOf), pageFile(row)];
  const fonts = FONTS[language].map((part) => manifest[`src/shared/fonts/${part}.woff2`]?.file ?? `no ${part}`);
  return new Set(['console.html', ...scriptsAndStyles(names), ...fonts]);
}

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

  it.each(rows)('from any other page $path brings 60 kB at most', (row) => {
    const needed = firstLoad(row, language);
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
      ([name]) => name.endsWith(`messages.${other}.ts`) || name.endsWith(`texts.${other}.ts`),
    );
    const brought = rows.flatMap((row) => [...firstLoad(row, language)]);
    expect(foreign.length).toBeGreaterThan(1);
    expect(foreign.filter(([, { file }]) => brought.includes(file)).map(([name]) => name)).toEqual([]);
  });
});

describe('what nobody uses', () => {
  it('is not built: the markdown of a field', () => {
    const code = codeOf(
      Object.values(manifest)
        .map(({ file }) => file)
        .filter((file) => file.endsWith('.js')),
    );
    expect(code).not.toContain('micromark'); // a name that survives minifying
  });
});
