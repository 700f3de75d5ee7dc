import pg from 'pg';
import { APP_ROLE } from '../src/platform/database.js';
import { uuid7 } from '../src/platform/uuid7.js';
import { pick } from './ground.js';
import type { Load } from './pgbench.js';

export type PlainCaller = { pairs: (load: Load, seconds: number) => Promise<number>; close: () => Promise<void> };

/**
 * One caller without the writer: from this process, over the same kind of connection, one prepared call of a stored function that
 * holds and one that settles, each a transaction of its own. `pairs` answers translations (two calls) per second.
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
        // Not the writer's account of this moment: what it remembers of an account holds while nobody else writes it.
        const [userId, id] = [pick(load) + 1, uuid7()];
        await call('bench_hold', '$1, $2, $3', [userId, 10 + Math.floor(Math.random() * 490), id]);
        await call('bench_settle', '$1, $2', [userId, id]);
      }
      return (done * 1000) / (performance.now() - started);
    },
    close: () => client.end(),
  };
}
