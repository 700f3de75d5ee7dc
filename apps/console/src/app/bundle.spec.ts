import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

const CONSOLE = fileURLToPath(new URL('../..', import.meta.url));
const VITE = join(dirname(createRequire(import.meta.url).resolve('vite/package.json')), 'bin/vite.js');

type Chunk = { file: string; imports?: string[]; css?: string[] };
let out = '';
let manifest: Record<string, Chunk> = {};

beforeAll(() => {
  out = mkdtempSync(join(tmpdir(), 'console-'));
  const built = spawnSync(process.execPath, [VITE, 'build', '--outDir', out, '--emptyOutDir', '--logLevel', 'error'], {
    cwd: CONSOLE,
    encoding: 'utf8',
    env: { ...process.env, NODE_OPTIONS: '', NODE_ENV: 'production' },
  });
  if (built.status !== 0) throw new Error(built.stderr);
  manifest = JSON.parse(readFileSync(join(out, '.vite/manifest.json'), 'utf8')) as Record<string, Chunk>;
}, 120_000);
afterAll(() => rmSync(out, { recursive: true, force: true }));

/** The files that a browser fetches for these chunks: themselves and what they import statically. */
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

// Strings that survive minifying: antd's style engine and forms, Refine, and the axios below its data provider.
const HEAVY = ['data-css-hash', 'RC_FORM_INTERNAL_HOOKS', 'refine.dev', 'AxiosError'];
const PUBLIC_PAGES = [
  'home/home-page',
  'login/login-page',
  'agreement/agreement-page',
  'exit/exit-page',
  'later/later-page',
  'price/price-page',
  'pay-success/pay-success-page',
];

describe('what visitors download', () => {
  it.each(PUBLIC_PAGES)('%s loads neither antd nor Refine', (page) => {
    const code = codeOf(filesOf('index.html', `src/features/${page}.tsx`));
    expect(HEAVY.filter((mark) => code.includes(mark))).toEqual([]);
  });

  it('the console does load them, so the marks mean something', () => {
    const code = codeOf(filesOf('index.html', 'src/app/console/console.tsx'));
    expect(HEAVY.filter((mark) => !code.includes(mark))).toEqual([]);
  });

  it('the home page stays below 180 kB of compressed script', () => {
    const files = filesOf('index.html', 'src/features/home/home-page.tsx');
    const bytes = files.reduce((sum, file) => sum + gzipSync(readFileSync(join(out, file))).length, 0);
    expect(bytes).toBeLessThan(180_000);
  });
});
