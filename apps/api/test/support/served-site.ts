import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import http, { type IncomingHttpHeaders } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { afterAll, beforeAll } from '@jest/globals';
import { startApi, type TestApi } from './api.js';
import { waitUntil } from './wait-until.js';

/** The contents of `/assets/app-abc123.js` and `/theme.js`. */
export const SCRIPT = 'console.log("译桥");\n'.repeat(200);
const DRAWING = '<svg xmlns="http://www.w3.org/2000/svg"><style>path{fill:red}</style></svg>';
const PAGE = '<!doctype html><html><head><title>译桥</title></head><body><div id="root"></div></body></html>';

/** The script and the style within the console's page. */
export const GATE = 'document.title = "译桥";';
const CONSOLE = PAGE.replace('</head>', `<style nonce="__NONCE__">a{}</style><script>${GATE}</script></head>`);

/** A minimal renderer of public pages, whose pages contain its input. */
const PROGRAM = `export const render = async ({ address, language, data, publicUrl }) =>
  '<!doctype html><html lang="' + language + '"><head></head><body>' + [address, publicUrl, data.plans.length].join(' ') + ' 译桥'.repeat(500);`;
const DRAWN = [
  '/home',
  '/price',
  '/login',
  '/term-and-condition',
  '/productDesc',
  '/productDesc/zzhgl',
  '/useDoc',
  '/contactUs',
];
const drawnPages = [...DRAWN, '/download', '/privacy', '/refund'].flatMap((address) =>
  ['zh', 'en'].map((language) => ({ address, language, listed: address !== '/login', file: 'pages/some.html' })),
);

/** A built site: hashed assets with their compressed forms. */
async function buildSite(): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), 'site-'));
  for (const name of ['dist/assets', 'dist/.vite', 'dist-server/pages'])
    await mkdir(path.join(folder, name), { recursive: true });
  const files: Record<string, string | Buffer> = {
    'dist/index.html': PAGE,
    'dist/console.html': CONSOLE,
    'dist/theme.js': SCRIPT,
    'dist/favicon.svg': DRAWING,
    'dist/.vite/manifest.json': '{}',
    'dist/assets/app-abc123.js': SCRIPT,
    'dist/assets/app-abc123.js.br': brotliCompressSync(SCRIPT),
    'dist/assets/app-abc123.js.gz': gzipSync(SCRIPT),
    'dist/assets/small-abc123.css': 'a{}',
    'dist-server/render.js': PROGRAM,
    'dist-server/pages.json': JSON.stringify({
      publicUrl: 'https://site.invalid',
      pages: drawnPages,
      drawn: [{ folder: '.', data: {} }],
    }),
    'dist-server/pages/some.html': PAGE,
  };
  for (const [name, content] of Object.entries(files)) await writeFile(path.join(folder, name), content);
  return folder;
}

export type Answer = { status: number; headers: IncomingHttpHeaders; bytes: Buffer };
export type Asked = { method?: string; headers?: Record<string, string>; body?: string; open?: boolean };

type ServedSite = {
  readonly api: TestApi;
  /** A plain request: nothing is decompressed or followed. `open`: only the headers, of a response that does not end. */
  ask: (target: string, asked?: Asked) => Promise<Answer>;
};

/** An api that serves a site, for the whole file; called at its top level. */
export function servedSite(): ServedSite {
  let folder: string;
  let api: TestApi;
  const ask: ServedSite['ask'] = (target, asked = {}) => requested(api.url + target, asked);
  beforeAll(async () => {
    folder = await buildSite();
    api = await startApi({ WEB_DIR: path.join(folder, 'dist') });
    // Pages are rendered again soon after the packages are loaded; this one last.
    await waitUntil(
      () => ask('/refund?lang=en'),
      ({ bytes }) => /localhost:0 [1-9]/.test(String(bytes)),
    );
  });
  afterAll(async () => {
    await api.stop();
    await rm(folder, { recursive: true });
  });
  return {
    get api() {
      return api;
    },
    ask,
  };
}

const requested = (url: string, { method = 'GET', headers = {}, body, open = false }: Asked): Promise<Answer> =>
  new Promise((resolve, reject) => {
    const request = http.request(url, { method, headers }, (response) => {
      const answer = { status: response.statusCode ?? 0, headers: response.headers };
      const chunks: Buffer[] = [];
      if (open) {
        resolve({ ...answer, bytes: Buffer.alloc(0) });
        request.destroy();
        return;
      }
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () => resolve({ ...answer, bytes: Buffer.concat(chunks) }));
    });
    request.on('error', (error) => (open ? undefined : reject(error)));
    request.end(body);
  });

/** The policy of a public page. `ancestors`: who may frame it. */
export const pagePolicy = (ancestors: string): string =>
  `default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; connect-src 'self'; ` +
  `form-action 'self'; frame-src 'self'; frame-ancestors ${ancestors}; base-uri 'none'; object-src 'none'; manifest-src 'self'`;
