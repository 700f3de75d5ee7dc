import { Refusal } from '@yiqiao/domain/errors';
import type pg from 'pg';
import type { Value } from '../rows/account-rows.js';
import { LiteralArray, scalar } from '../rows/array-parameters.js';
import type { AccountCache, OptimisticRead } from './account-cache.js';
import { type Applied, applyCommands, type CommandResult } from './apply-commands.js';
import * as sql from './batch-sql.js';
import type { Command } from './commands.js';
import { combine, prepare, type Statement } from './prepared-statements.js';
import { readBatch, rows } from './read-batch.js';

/**
 * Applies the commands in order in one transaction and returns the result of each. Two round trips: read under locks, then write and
 * commit; one when the cache has every account involved. `client` pipelines. When it throws, either nothing was applied, or the
 * connection is gone and the outcome unknown: sending the same ids again finds out.
 */
export async function applyBatch(
  client: pg.Client,
  commands: Command[],
  cache: AccountCache,
): Promise<CommandResult[]> {
  const read = cache.read(commands);
  try {
    if (read) {
      const results = await applyOptimistically(client, commands, { read, cache });
      if (results) return results;
    }
    const { state, versions, version } = await readBatch(client, commands);
    const applied = applyCommands(commands, state);
    const results = await writeAndCommit(client, applied);
    cache.store({ ...state, versions }, applied.writes, version);
    return results;
  } catch (error) {
    cache.clear();
    await client.query('ROLLBACK').catch(() => undefined);
    throw error;
  }
}

/** The whole batch in one round trip; null, with nothing applied, when the cached state was stale. */
async function applyOptimistically(
  client: pg.Client,
  commands: Command[],
  { read, cache }: { read: OptimisticRead; cache: AccountCache },
): Promise<CommandResult[] | null> {
  const { versions, newIds, state } = read;
  const applied = applyCommands(commands, state);
  // Inserting a hold fails if its id is held already; a refused hold inserts nothing, so its id must be looked up.
  const refused = commands.filter(({ id }, i) => !('outcome' in (applied.results[i] ?? {})) && !state.holds.has(id));
  const confirm: Statement = {
    name: 'confirm',
    text: sql.CONFIRM_READ,
    rows: versions.size,
    parameters: [
      new LiteralArray([...versions.keys()]),
      new LiteralArray([...versions.values()]),
      scalar(state.now),
      new LiteralArray(newIds),
      scalar(versions.size),
      new LiteralArray(refused.map(({ id }) => id)),
    ],
  };
  try {
    const query = combine([confirm, ...applied.writes.statements()]);
    const confirmed = await client.query<{ now: number; version: string; ok: boolean }>(query);
    const [row] = confirmed.rows;
    if (!row) throw new Error('an optimistic read was neither confirmed nor rejected');
    if (!row.ok) {
      cache.invalidate(read);
      return null;
    }
    cache.store({ ...state, now: Number(row.now), versions }, applied.writes, row.version);
    return applied.results;
  } catch (error) {
    if (!isUniqueViolation(error)) throw error;
    cache.invalidate(read);
    return null;
  }
}

const UNIQUE_VIOLATION = '23505';

const isUniqueViolation = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === UNIQUE_VIOLATION;

/** Only sub-accounts with auto-distribution are retried with their main account; for the others it need not be locked. */
async function writeAndCommit(client: pg.Client, { results, writes, short }: Applied): Promise<CommandResult[]> {
  const sent: Promise<unknown>[] = writes.statements().map((statement) => client.query(prepare(statement)));
  const sharing =
    short.length > 0 ? rows(client, { name: 'read-sharing', text: sql.READ_SHARING, list: short }) : ([] as Value[][]);
  const [commit, found] = await Promise.all([client.query('COMMIT'), sharing, ...sent]);
  if (commit.command !== 'COMMIT') throw new Error(`the batch ended in ${commit.command}`);
  const ids = new Set(found.map((row) => Number(row[0])));
  return results.map((result) =>
    'retry' in result && !ids.has(result.retry.userId) ? { refusal: new Refusal('QUOTA_NOT_ENOUGH') } : result,
  );
}
