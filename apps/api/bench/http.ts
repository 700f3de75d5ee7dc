/** The metered translation over HTTP on one hot account: against pgbench, and against the same route without metering. */
import { fork, type ChildProcess } from 'node:child_process';
import { hash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import path from 'node:path';
import { BASE_PATH } from '@yiqiao/contracts/envelope';
import { signedHeaders, tokenOf } from '@yiqiao/contracts/signing';
import { translateText } from '@yiqiao/contracts/translation';
import autocannon from 'autocannon';
import type pg from 'pg';
import { HOT, type Ground } from './ground.js';

/** Answers of one round, per second. */
export type HttpRound = { metered: number; unmetered: number };

const CONNECTIONS = 128;
const ROUTE = `${BASE_PATH}${translateText.path}`;
const BODY = JSON.stringify({
  source: 'zh-Hans',
  target: 'en',
  text: '你好，这件衣服有货吗？我想要两件，蓝色和白色各一件。请问什么时候可以发货？谢谢！',
});

// Wide enough never to refuse, and counted all the same.
const LIMITS = { LIMIT_TRANSLATION_PER_SECOND: '1000000', LIMIT_TRANSLATION_IN_FLIGHT: '1000' };

const sha256 = (text: string): string => hash('sha256', text, 'hex');

type Api = { url: string; stop: () => Promise<void> };
export type HttpBench = { round: (seconds: number) => Promise<HttpRound>; close: () => Promise<void> };

/** Both apis, warm, on the ground's database. REDIS_URL must be set. */
export async function httpBench(ground: Ground): Promise<HttpBench> {
  const { sk, userId } = await signIn(ground.owner);
  const apis = await Promise.all([startApi(ground.url, 'metered'), startApi(ground.url, 'unmetered')]);
  const [metered, unmetered] = apis;
  const rate = (api: Api, seconds: number): Promise<number> => drive(api, { sk, userId, seconds });
  for (const api of apis) await rate(api, 2);
  return {
    round: async (seconds) => ({ metered: await rate(metered, seconds), unmetered: await rate(unmetered, seconds) }),
    close: async () => {
      await Promise.all(apis.map((api) => api.stop()));
    },
  };
}

async function signIn(owner: pg.Client): Promise<{ sk: string; userId: number }> {
  const sk = randomBytes(32).toString('hex');
  await owner.query('INSERT INTO session (token_digest, user_id, family_id, client_type) VALUES ($1, $2, $2, 0)', [
    sha256(tokenOf(sk, HOT, sha256)),
    HOT,
  ]);
  return { sk, userId: HOT };
}

async function startApi(databaseUrl: string, mode: 'metered' | 'unmetered'): Promise<Api> {
  const program = path.join(import.meta.dirname, 'http-server.js');
  const env = {
    PATH: process.env['PATH'],
    NODE_ENV: 'development',
    DATABASE_URL: databaseUrl,
    REDIS_URL: process.env['REDIS_URL'],
    REDIS_PREFIX: `bench-${mode}`,
    SMTP_URL: 'smtp://127.0.0.1:1',
    APP_SECRET: randomBytes(32).toString('hex'),
    WEB_DIR: '/nonexistent',
    ...LIMITS,
  };
  const child = fork(program, [mode], { env, execArgv: [], stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
  const port = await listeningPort(child);
  const stop = async (): Promise<void> => {
    const exited = once(child, 'exit');
    child.kill();
    await exited;
  };
  return { url: `http://127.0.0.1:${port}`, stop };
}

function listeningPort(child: ChildProcess): Promise<number> {
  return new Promise((resolve, reject) => {
    child.once('message', (message: { listening: number }) => resolve(message.listening));
    child.once('exit', (code) => reject(new Error(`the api ended with ${code} before it listened`)));
  });
}

/** Answers per second; throws when one of them is not 200. */
async function drive(
  { url }: Api,
  { sk, userId, seconds }: { sk: string; userId: number; seconds: number },
): Promise<number> {
  const result = await autocannon({
    url: `${url}${ROUTE}`,
    method: 'POST',
    connections: CONNECTIONS,
    duration: seconds,
    headers: { 'content-type': 'application/json', ...signedHeaders(tokenOf(sk, userId, sha256), Date.now(), sha256) },
    body: BODY,
  });
  const bad = result.non2xx + result.errors + result.timeouts;
  if (bad > 0)
    throw new Error(
      `${bad} of ${result.requests.total} requests to ${url} failed: ${JSON.stringify(result.statusCodeStats)}`,
    );
  return result.requests.total / result.duration;
}
