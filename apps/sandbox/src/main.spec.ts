import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

import { describe, expect, it } from '@jest/globals';

/** Lets Node run the sources: resolves an import of `./x.js` to `./x.ts`. */
const FROM_SOURCES = `data:text/javascript,import { registerHooks } from 'node:module';
registerHooks({ resolve: (name, from, next) =>
  next(from.parentURL?.endsWith('.ts') ? name.replace(/^(\\..*)\\.js$/, '$1.ts') : name, from) });`;

function run(env: Record<string, string>) {
  const args = ['--no-warnings', '--experimental-transform-types', '--import', FROM_SOURCES];
  const main = join(import.meta.dirname, 'main.ts');
  const child = spawn(process.execPath, [...args, main], { env: { PATH: process.env['PATH'], ...env } });
  const output = { out: '', err: '' };
  child.stdout.setEncoding('utf8').on('data', (text: string) => (output.out += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (output.err += text));
  return { child, output, ended: once(child, 'close') as Promise<[number | null, string | null]> };
}

describe('the program', () => {
  it('does not start in production', async () => {
    const { output, ended } = run({ NODE_ENV: 'production' });
    expect((await ended)[0]).toBe(1);
    expect(output.err).toBe('The sandbox is for development only and does not start when NODE_ENV=production\n');
  }, 20_000);

  it.each(['SIGTERM', 'SIGINT'] as const)(
    'prints its addresses and stops at once on %s',
    async (signal) => {
      const { child, output, ended } = run({ SANDBOX_PORT: '0', SMTP_PORT: '0' });
      await once(child.stdout, 'data');
      const [, port] =
        /^Sandbox: http:\/\/localhost:(\d+), mail at smtp:\/\/127\.0\.0\.1:\d+\n$/.exec(output.out) ?? [];
      expect((await fetch(`http://127.0.0.1:${port}/health`)).ok).toBe(true);
      const begin = performance.now();
      child.kill(signal);
      expect((await ended)[0]).toBe(0);
      expect(performance.now() - begin).toBeLessThan(4_000);
    },
    20_000,
  );
});
