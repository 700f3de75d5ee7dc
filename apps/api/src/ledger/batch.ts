import { Refusal } from '@yiqiao/domain/errors';
import { billingModeOf } from '@yiqiao/domain/ledger';
import type pg from 'pg';
import { accountOf, type Value } from './account-rows.js';
import * as sql from './batch-sql.js';
import type { Command, Outcome } from './commands.js';
import { fold, type Read, type StoredLine } from './fold.js';
import { LINE_OK, Writes, type StoredHold } from './writes.js';

/** What became of a command: its outcome, or the refusal that concerns it alone. */
export type Verdict = { outcome: Outcome } | { refusal: Refusal };

/**
 * Applies the commands in one transaction and one commit, in their order, and says what became of each. Two round trips: read
 * under locks, then write and commit. `client` pipelines. When it throws, nothing was applied, or the connection is gone and
 * the outcome unknown: sending the same ids again finds out.
 */
export async function applyBatch(client: pg.Client, commands: Command[]): Promise<Verdict[]> {
  try {
    const read = await readBatch(client, commands);
    const writes = new Writes(sizesOf(commands));
    const verdicts = commands.map((command) => judge(command, read, writes));
    const sent = writes.statements().map((statement) => client.query(statement));
    const [commit] = await Promise.all([client.query('COMMIT'), ...sent]);
    if (commit?.command !== 'COMMIT') throw new Error(`the batch ended in ${commit?.command}`);
    return verdicts;
  } catch (error) {
    await client.query('ROLLBACK').catch(() => undefined);
    throw error;
  }
}

function sizesOf(commands: Command[]): { charges: number; holds: number; lines: number } {
  const sizes = { charges: 0, holds: 0, lines: 0 };
  for (const command of commands)
    sizes[command.do === 'settle' ? 'charges' : command.do === 'hold' ? 'holds' : 'lines']++;
  return sizes;
}

function judge(command: Command, read: Read, writes: Writes): Verdict {
  try {
    return { outcome: fold(command, read, writes) };
  } catch (error) {
    if (error instanceof Refusal) return { refusal: error };
    throw error;
  }
}

async function readBatch(client: pg.Client, commands: Command[]): Promise<Read> {
  const users = new Set<number>();
  const mains = new Set<number>();
  const mayHaveHold: string[] = [];
  const mayHaveLine: string[] = [];
  for (const command of commands) {
    users.add(command.userId);
    if (command.do === 'hold' && command.familyId !== command.userId) mains.add(command.familyId);
    if (command.do !== 'note') mayHaveHold.push(command.id);
    if (command.do === 'hold' || command.do === 'note') mayHaveLine.push(command.id);
  }
  // Each statement has a fresh view of the database: what a twin of these commands wrote under the same lock is seen.
  const ask = (name: string, text: string, list: Iterable<unknown>): Promise<Value[][]> =>
    rows(client, { name, text, list });
  const none: Value[][] = [];
  const [, accountRows, holdRows, lineRows, expiryRows] = await Promise.all([
    client.query('BEGIN'),
    ask('lock', sql.LOCK_ACCOUNTS, users),
    mayHaveHold.length > 0 ? ask('read-holds', sql.READ_HOLDS, mayHaveHold) : none,
    mayHaveLine.length > 0 ? ask('read-lines', sql.READ_LINES, mayHaveLine) : none,
    mains.size > 0 ? ask('read-expiries', sql.READ_EXPIRIES, mains) : none,
  ]);
  const holds = new Map(holdRows.map((row) => [String(row[0]), holdOf(row)]));
  const ended = commands.filter(
    (c) => (c.do === 'settle' || c.do === 'release') && holds.get(c.id)?.released !== false,
  );
  if (ended.length > 0)
    lineRows.push(
      ...(await ask(
        'read-lines',
        sql.READ_LINES,
        ended.map((command) => command.id),
      )),
    );
  return {
    now: Number(accountRows[0]?.[18] ?? 0),
    accounts: new Map(accountRows.map((row) => [Number(row[0]), accountOf(row)])),
    holds,
    lines: new Map(lineRows.map((row) => [String(row[0]), lineOf(row)])),
    expiries: new Map(expiryRows.map((row) => [Number(row[0]), row[1] === null ? null : Number(row[1])])),
  };
}

async function rows(
  client: pg.Client,
  query: { name: string; text: string; list: Iterable<unknown> },
): Promise<Value[][]> {
  const { name, text, list } = query;
  const result = await client.query<Value[]>({ name, text, values: [`{${[...list].join(',')}}`], rowMode: 'array' });
  return result.rows;
}

const holdOf = (row: Value[]): StoredHold => ({
  id: String(row[0]),
  userId: Number(row[1]),
  kind: Number(row[2]),
  quota: { charNum: Number(row[3]), voiceNum: Number(row[4]), imageNum: Number(row[5]) },
  codePoints: Number(row[6]),
  billingMode: billingModeOf(Number(row[7])) ?? 'char',
  released: Boolean(row[8]),
});

const lineOf = (row: Value[]): StoredLine => ({
  userId: Number(row[1]),
  ok: Number(row[2]) === LINE_OK,
  charged: Number(row[3]),
  codePoints: Number(row[4]),
  billingMode: billingModeOf(Number(row[5])) ?? 'char',
  entrySeq: row[6] === null ? null : Number(row[6]),
});
