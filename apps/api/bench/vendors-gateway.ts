/** A third-party gateway for comparison: the npm package `@portkey-ai/gateway`, which has no ledger, in front of the same vendor. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort, type Child } from './child.js';
import type { Stream } from './vendors-load.js';

export type Gateway = Child & { url: string };

const TIMEOUT_MS = 20_000;

/** Starts GATEWAY_PROGRAM; null if it is not set. */
export async function startGateway(): Promise<Gateway | null> {
  const program = process.env['GATEWAY_PROGRAM'];
  if (!program) return null;
  const port = await freePort();
  const child = spawn(process.execPath, [program, `--port=${port}`, '--headless'], {
    env: { PATH: process.env['PATH'], NODE_ENV: 'production', TRUSTED_CUSTOM_HOSTS: '127.0.0.1' },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const exited = once(child, 'exit');
  const stop = async (): Promise<void> => {
    child.kill('SIGKILL');
    await exited;
  };
  const url = `http://127.0.0.1:${port}`;
  const end = performance.now() + TIMEOUT_MS;
  while (!(await fetch(url).catch(() => null))) {
    if (child.exitCode !== null || performance.now() > end) {
      await stop();
      throw new Error('the gateway to compare with did not start');
    }
    await sleep(50);
  }
  return { process: child, stop, url };
}

/** A chat completion that returns the translation; `vendor`: the vendor's URL. */
export const throughGateway = ({ url }: Gateway, vendor: string, text: string): Omit<Stream, 'pace'> => ({
  name: 'gateway',
  url: `${url}/v1/chat/completions`,
  headers: [{ authorization: 'Bearer bench', 'x-portkey-provider': 'openai', 'x-portkey-custom-host': `${vendor}/v1` }],
  body: JSON.stringify({
    model: 'bench',
    messages: [
      { role: 'system', content: 'Translate from Chinese into English.' },
      { role: 'user', content: text },
    ],
  }),
});
