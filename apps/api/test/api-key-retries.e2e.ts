/**
 * Clients of other services repeat a request after a time-out, without a key of idempotency: no retry is charged twice (docs/decisions/0071).
 * RETRIES sets the number of texts; docs/performance.md has the figures of ten thousand.
 */
import { Agent, request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { translate } from '@yiqiao/contracts/native-api';
import { startApi, type TestApi } from './support/api.js';
import { makeKey } from './support/api-keys.js';
import { makeMainWith } from './support/family.js';
import { type Fault, FAULTS, faultyProxy } from './support/faulty-proxy.js';
import { brokenInvariants } from './support/ledger-invariants.js';
import { spawnApi } from './support/process.js';
import type { TestMember } from './support/test-members.js';
import { freePort } from '../bench/child.js';

const TEXTS = Number(process.env['RETRIES'] ?? 600);
const CALLERS = 24;
/** Each time after so many delivered texts the api is killed. */
const KILL_AFTER = Math.ceil(TEXTS / 4);
const CLIENT_TIMEOUT_MS = 1_000;
const WIDE = {
  LIMIT_TRANSLATION_IN_FLIGHT: '1000',
  LIMIT_TRANSLATION_PER_SECOND: '10000',
  LIMIT_CONNECTIONS_PER_IP: '10000',
};

let api: TestApi;
let main: TestMember;

beforeAll(async () => {
  api = await startApi(WIDE);
  main = await makeMainWith(api, 10 * TEXTS + 1_000);
});
afterAll(() => api.stop());

const ask = (text: string) => ({ text, source: 'zh-Hans', target: 'zh-Hant' });
const chargedTo = async (id: number): Promise<{ charged: number; times: number }> => {
  const { rows } = await api.db.query<{ charged: number; times: number }>(
    'SELECT coalesce(sum(charged), 0)::int AS charged, count(*)::int AS times FROM translation_log WHERE api_key_id = $1 AND status = 1',
    [id],
  );
  return rows[0] ?? { charged: -1, times: -1 };
};

describe('an equal request of the same key', () => {
  it('joins the one in flight, and repeats its answer for nothing afterwards', async () => {
    const { apiKey, client } = await makeKey(main);
    const answers = await Promise.all(Array.from({ length: 20 }, () => client.call(translate, ask('头发很长'))));
    expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1);
    expect(await client.call(translate, ask('头发很长'))).toMatchObject({ charged: 4 });
    expect(await chargedTo(apiKey.id)).toEqual({ charged: 4, times: 1 });
  });

  it('is charged again after a minute, and by another key', async () => {
    const { apiKey, client } = await makeKey(main);
    await client.call(translate, ask('干杯'));
    await api.db.query("UPDATE idempotency_key SET answered_at = now() - interval '61 s' WHERE route LIKE $1", [
      `%#${apiKey.id}`,
    ]);
    await client.call(translate, ask('干杯'));
    expect(await chargedTo(apiKey.id)).toEqual({ charged: 4, times: 2 });
    const other = await makeKey(main);
    await other.client.call(translate, ask('干杯'));
    expect(await chargedTo(other.apiKey.id)).toEqual({ charged: 2, times: 1 });
  });

  it('with a key of idempotency follows that key', async () => {
    const { apiKey, client } = await makeKey(main);
    await client.with({ 'Idempotency-Key': 'one' }).call(translate, ask('皇后'));
    await client.with({ 'Idempotency-Key': 'two' }).call(translate, ask('皇后'));
    const reused = await client.with({ 'Idempotency-Key': 'one' }).send(translate, ask('里程'));
    expect(reused).toMatchObject({ status: 409, body: { code: 'IDEMPOTENCY_KEY_REUSED' } });
    expect(await chargedTo(apiKey.id)).toEqual({ charged: 4, times: 2 });
  });
});

/** One attempt on a connection of its own; throws when no whole answer came in time. */
function attempt(url: string, secret: string, text: string): Promise<number> {
  const body = JSON.stringify(ask(text));
  return new Promise((resolve, reject) => {
    const sent = request(`${url}/v1/translate`, {
      method: 'POST',
      agent: new Agent({ keepAlive: false }),
      timeout: CLIENT_TIMEOUT_MS,
      headers: {
        Authorization: `Bearer ${secret}`,
        'Content-Type': 'application/json',
        'Content-Length': Buffer.byteLength(body),
      },
    });
    sent.on('timeout', () => sent.destroy(new Error('timed out')));
    sent.on('error', reject);
    sent.on('response', (answer) => {
      answer.on('error', reject).on('aborted', () => reject(new Error('torn')));
      answer.resume().on('end', () => (answer.complete ? resolve(answer.statusCode ?? 0) : reject(new Error('torn'))));
    });
    sent.end(body);
  });
}

describe(`${TEXTS} requests through a proxy that cuts, stalls and repeats, with an api that is killed`, () => {
  it('are charged as many characters as texts were delivered', async () => {
    const { apiKey, secret } = await makeKey(main, { name: 'retries' });
    const port = String(await freePort());
    const start = () => spawnApi(api.env, { ...WIDE, PORT: port });
    let server = await start();
    // The same faults in every run: half of the connections go well.
    let drawn = 0;
    const next = (): Fault =>
      drawn++ % 2 === 0 ? 'none' : (FAULTS[1 + ((drawn * 7) % (FAULTS.length - 1))] ?? 'none');
    const proxy = await faultyProxy(server.url, next);
    const texts = Array.from({ length: TEXTS }, (_, n) => `${n} 头发`);
    const codePoints = texts.reduce((sum, text) => sum + [...text].length, 0);
    let delivered = 0;
    let attempts = 0;
    let kills = 0;
    let restart: Promise<unknown> = Promise.resolve();
    const kill = async (): Promise<void> => {
      kills++;
      await server.stop();
      // The leases of the dead requests expire after 30 s; the test does not wait for it.
      await api.db.query("UPDATE idempotency_key SET locked_until = now() - interval '1 second'");
      server = await start();
    };
    const deliver = async (text: string): Promise<void> => {
      for (;;) {
        attempts++;
        const status = await attempt(proxy.url, secret, text).catch(() => 0);
        if (status === 200) break;
        if (status !== 0 && status < 429) throw new Error(`answered ${status}`);
        // To ask while nobody listens tries nothing, and keeps the processor from the api that starts.
        await restart;
        await sleep(20);
      }
      if (++delivered % KILL_AFTER === 0 && delivered < TEXTS) restart = restart.then(kill);
    };
    try {
      const left = [...texts];
      await Promise.all(
        Array.from({ length: CALLERS }, async () => {
          for (let text = left.pop(); text !== undefined; text = left.pop()) await deliver(text);
        }),
      );
      await restart;
    } finally {
      proxy.close();
      await server.stop();
    }
    expect(kills).toBe(3);
    for (const fault of FAULTS) expect(proxy.counts[fault]).toBeGreaterThan(0);
    expect(attempts).toBeGreaterThan(TEXTS);
    expect({ ...(await chargedTo(apiKey.id)), delivered }).toEqual({
      charged: codePoints,
      times: TEXTS,
      delivered: TEXTS,
    });
    expect(await brokenInvariants(api.db, main.session.userId)).toEqual({});
    process.stdout.write(`${TEXTS} texts, ${attempts} attempts, ${kills} kills, ${JSON.stringify(proxy.counts)}\n`);
  });
});
