import { Refusal } from '@yiqiao/domain/errors';
import type pg from 'pg';
import type { Value } from '../rows/account-rows.js';
import * as sql from './batch-sql.js';
import { constant, Listed } from '../rows/columns.js';
import type { Command, Outcome } from './commands.js';
import { fold, isShort } from './fold.js';
import type { Read } from './read.js';
import type { Guess, KnownAccounts } from './known-accounts.js';
import { readBatch, rows } from './read-batch.js';
import { alone, together, type Statement } from './statements.js';
import { Writes } from './writes.js';

/** What became of a command: its outcome, the refusal that concerns it alone, or what to ask instead. */
export type Verdict = { outcome: Outcome } | { refusal: Refusal } | { instead: Command };

/**
 * Applies the commands in one transaction and one commit, in their order, and says what became of each. Two round trips: read
 * under locks, then write and commit; one when `known` remembers all that they touch. `client` pipelines. When it throws, nothing
 * was applied, or the connection is gone and the outcome unknown: sending the same ids again finds out.
 */
export async function applyBatch(client: pg.Client, commands: Command[], known: KnownAccounts): Promise<Verdict[]> {
  const guess = known.guess(commands);
  try {
    if (guess) {
      const verdicts = await applyGuess(client, commands, { guess, known });
      if (verdicts) return verdicts;
    }
    const { read, versions, version } = await readBatch(client, commands);
    const folded = foldAll(commands, read);
    const verdicts = await writeAndCommit(client, folded);
    known.remember({ ...read, versions }, folded.writes, version);
    return verdicts;
  } catch (error) {
    known.clear();
    await client.query('ROLLBACK').catch(() => undefined);
    throw error;
  }
}

/** The whole batch in one round trip; null, and nothing applied, when the guess was wrong. */
async function applyGuess(
  client: pg.Client,
  commands: Command[],
  { guess, known }: { guess: Guess; known: KnownAccounts },
): Promise<Verdict[] | null> {
  const folded = foldAll(commands, guess.read);
  const { versions, newIds, read } = guess;
  // The insert of a hold fails on an id that is held already; a hold that is refused inserts nothing, so its id is looked up.
  const refused = commands.filter(({ id }, i) => !('outcome' in (folded.verdicts[i] ?? {})) && !read.holds.has(id));
  const confirm: Statement = {
    ...{ name: 'confirm', text: sql.CONFIRM_GUESS, rows: versions.size },
    columns: [
      new Listed([...versions.keys()]),
      new Listed([...versions.values()]),
      constant(read.now),
      new Listed(newIds),
      constant(versions.size),
      new Listed(refused.map(({ id }) => id)),
    ],
  };
  try {
    const query = together([confirm, ...folded.writes.statements()]);
    const confirmed = await client.query<{ now: number; version: string; ok: boolean }>(query);
    const [row] = confirmed.rows;
    if (!row) throw new Error('a guess was neither confirmed nor refused');
    if (!row.ok) {
      known.doubt(guess);
      return null;
    }
    known.remember({ ...read, now: Number(row.now), versions }, folded.writes, row.version);
    return folded.verdicts;
  } catch (error) {
    if (!isWrongGuess(error)) throw error;
    known.doubt(guess);
    return null;
  }
}

/** SQLSTATE of an id that stands already. */
const UNIQUE_VIOLATION = '23505';

const isWrongGuess = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === UNIQUE_VIOLATION;

type Folded = { verdicts: Verdict[]; writes: Writes; short: number[] };

function foldAll(commands: Command[], read: Read): Folded {
  const sizes = { charges: 0, holds: 0, lines: 0 };
  for (const command of commands)
    sizes[command.do === 'settle' ? 'charges' : command.do === 'hold' ? 'holds' : 'lines']++;
  const writes = new Writes(sizes);
  const verdicts = commands.map((command) => judge(command, read, writes));
  const short = verdicts.flatMap((verdict) => ('instead' in verdict ? [verdict.instead.userId] : []));
  return { verdicts, writes, short };
}

function judge(command: Command, read: Read, writes: Writes): Verdict {
  try {
    return { outcome: fold(command, read, writes) };
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    if (command.do === 'hold' && !command.withMain && isShort(error, command))
      return { instead: { ...command, withMain: true } };
    return { refusal: error };
  }
}

/** Of those who lack characters only whoever is shared with is asked again: for the others the main account is not locked. */
async function writeAndCommit(client: pg.Client, { verdicts, writes, short }: Folded): Promise<Verdict[]> {
  const sent: Promise<unknown>[] = writes.statements().map((statement) => client.query(alone(statement)));
  const sharers =
    short.length > 0 ? rows(client, { name: 'read-sharers', text: sql.READ_SHARERS, list: short }) : ([] as Value[][]);
  const [commit, shared] = await Promise.all([client.query('COMMIT'), sharers, ...sent]);
  if (commit.command !== 'COMMIT') throw new Error(`the batch ended in ${commit.command}`);
  const ids = new Set(shared.map((row) => Number(row[0])));
  return verdicts.map((verdict) =>
    'instead' in verdict && !ids.has(verdict.instead.userId) ? { refusal: new Refusal('QUOTA_NOT_ENOUGH') } : verdict,
  );
}
