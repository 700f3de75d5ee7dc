import { Refusal } from '@yiqiao/domain/errors';
import type pg from 'pg';
import type { Value } from '../rows/account-rows.js';
import { LiteralArray, scalar } from '../rows/array-parameters.js';
import type { AccountCache, OptimisticRead } from './account-cache.js';
import { type Applied, applyCommands, type CommandResult } from './apply-commands.js';
import * as sql from './batch-sql.js';
import type { Command } from './commands.js';
import { combine, prepare, type Statement } from './prepared-statements.js';
import { readBatch, readUnlocked, rows } from './read-batch.js';

/**
 * Applies the commands in order in one transaction and returns the result of each. One round trip when the cache has every account
 * involved, two when some have to be read before; when they change meanwhile, two more that read under locks, then write and commit.
 * `client` pipelines. When it throws, either nothing was applied, or the connection is gone and the outcome unknown: sending the same ids
 * again finds out.
 */
export async function applyBatch(
  client: pg.Client,
  commands: Command[],
  cache: AccountCache,
): Promise<CommandResult[]> {
  try {
    return (await applyOptimistically(client, commands, cache)) ?? (await applyLocked(client, commands, cache));
  } catch (error) {
    cache.clear();
    await client.query('ROLLBACK').catch(() => undefined);
    throw error;
  }
}

async function applyLocked(client: pg.Client, commands: Command[], cache: AccountCache): Promise<CommandResult[]> {
  const { state, versions, version } = await readBatch(client, commands);
  const applied = applyCommands(commands, state);
  const results = await writeAndCommit(client, applied);
  cache.store({ ...state, versions }, applied.writes, version);
  return results;
}

/** How often a batch is tried without locks: a second time when cached accounts had changed. */
const TRIES = 2;

/** Null, with nothing applied, when it takes locks. */
async function applyOptimistically(
  client: pg.Client,
  commands: Command[],
  cache: AccountCache,
): Promise<CommandResult[] | null> {
  for (let attempt = 0; attempt < TRIES && cache.allows(commands); attempt++) {
    const unread = cache.unread(commands);
    if (unread.size > 0) {
      const { accounts, now } = await readUnlocked(client, commands, unread);
      if (accounts.length > 0) cache.refresh(accounts, now);
    }
    const read = cache.read(commands);
    const confirmed = read && (await confirm(client, commands, { read, cache }));
    if (!confirmed || 'results' in confirmed) return confirmed?.results ?? null;
    if (!cache.doubt(read, confirmed.unchanged, unread)) return null;
  }
  return null;
}

/** The results, or the accounts that the database found unchanged. */
type Confirmed = { results: CommandResult[] } | { unchanged: Set<number> };

/** Applies the batch to what was read and commits it, in one round trip, if that has not changed. Null when it takes more than that. */
async function confirm(
  client: pg.Client,
  commands: Command[],
  { read, cache }: { read: OptimisticRead; cache: AccountCache },
): Promise<Confirmed | null> {
  const { expected, newIds, state } = read;
  const applied = applyCommands(commands, state);
  // Whether its main account may share was not read.
  if (applied.short.length > 0) return null;
  // Inserting a hold fails if its id is held already; a refused hold inserts nothing, so its id must be looked up.
  const refused = commands.filter(({ id }, i) => !('outcome' in (applied.results[i] ?? {})) && !state.holds.has(id));
  const accounts = [...expected.values()];
  const condition: Statement = {
    name: 'confirm',
    text: sql.CONFIRM_READ,
    rows: expected.size,
    parameters: [
      new LiteralArray([...expected.keys()]),
      new LiteralArray(accounts.map(({ version }) => version)),
      scalar(state.now),
      new LiteralArray(newIds),
      scalar(expected.size),
      new LiteralArray(refused.map(({ id }) => id)),
      new LiteralArray(accounts.map(({ mainId }) => mainId)),
      new LiteralArray(accounts.map(({ mainExpireAt }) => mainExpireAt)),
    ],
  };
  try {
    const query = combine([condition, ...applied.writes.statements()]);
    const answer = await client.query<{ now: number; version: string; confirmed: string | null; ok: boolean }>(query);
    const [row] = answer.rows;
    if (!row) throw new Error('an optimistic read was neither confirmed nor rejected');
    if (!row.ok) return { unchanged: new Set(row.confirmed?.split(',').map(Number) ?? expected.keys()) };
    const versions = new Map([...expected].map(([userId, { version }]) => [userId, version]));
    cache.store({ ...state, now: Number(row.now), versions }, applied.writes, row.version);
    return { results: applied.results };
  } catch (error) {
    if (!isUniqueViolation(error)) throw error;
    cache.forget(read);
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
