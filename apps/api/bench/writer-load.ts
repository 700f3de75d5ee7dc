import pg from 'pg';
import type { LedgerWriter } from '../src/ledger/writer/ledger-writer.js';
import { APP_ROLE } from '../src/platform/database.js';
import { uuid7 } from '../src/platform/uuid7.js';
import { pick } from './fixture.js';
import type { Load } from './pgbench.js';

const usage = { tranChannelId: 1, ip: '192.0.2.7', clientType: 'web', source: 'zh', target: 'en' } as const;

/** Runs `callers` in parallel, each holding and settling one translation after another. Returns translations per second. */
export async function translations(
  writer: LedgerWriter,
  load: Load,
  { callers, seconds }: { callers: number; seconds: number },
): Promise<number> {
  const started = performance.now();
  const end = started + seconds * 1000;
  let done = 0;
  const caller = async (): Promise<void> => {
    while (performance.now() < end) {
      const userId = pick(load);
      const to = { id: uuid7(), userId, familyId: userId };
      await writer.hold({ ...to, ask: { kind: 'text', codePoints: 10 + Math.floor(Math.random() * 490) } });
      await writer.settle({ ...to, usage });
      done++;
    }
  };
  await Promise.all(Array.from({ length: callers }, caller));
  return (done * 1000) / (performance.now() - started);
}

export type PlainCaller = { pairs: (load: Load, seconds: number) => Promise<number>; close: () => Promise<void> };

/**
 * A single caller without the writer: from this process, over the same kind of connection, it calls one prepared stored function to hold
 * and one to settle, each in its own transaction. `pairs` returns translations (two calls) per second.
 */
export async function plainCaller(url: string): Promise<PlainCaller> {
  const client = new pg.Client({ connectionString: url, options: `-c role=${APP_ROLE}`, keepAlive: true });
  await client.connect();
  const call = (name: string, args: string, values: unknown[]): Promise<unknown> =>
    client.query({ name, text: `SELECT ${name}(${args})`, values, rowMode: 'array' });
  return {
    pairs: async (load, seconds) => {
      const started = performance.now();
      const end = started + seconds * 1000;
      let done = 0;
      for (; performance.now() < end; done++) {
        // Not the writer's current account, which would invalidate its cache.
        const [userId, id] = [pick(load) + 1, uuid7()];
        await call('bench_hold', '$1, $2, $3', [userId, 10 + Math.floor(Math.random() * 490), id]);
        await call('bench_settle', '$1, $2', [userId, id]);
      }
      return (done * 1000) / (performance.now() - started);
    },
    close: () => client.end(),
  };
}
