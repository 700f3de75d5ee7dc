import { billingModeOf } from '@yiqiao/domain/ledger';
import type { BillingMode } from '@yiqiao/domain/plans';
import type pg from 'pg';
import { accountOf, type LockedAccount, type Value } from '../rows/account-rows.js';
import * as sql from './batch-sql.js';
import { type AccountCaps, capsOf, READ_CAPS } from './caps.js';
import { type KeyCaps, keyCapsOf, READ_KEY_CAPS } from './key-caps.js';
import { LINE_OK, type StoredHold } from './batch-writes.js';
import type { Command } from './commands.js';

/** The line of the translation log under a command's id: the command, or a duplicate of it, has ended before. */
export type StoredLine = {
  userId: number;
  ok: boolean;
  charged: number;
  codePoints: number;
  billingMode: BillingMode;
  entrySeq: number | null;
};

/** Everything that a batch depends on, read under its locks. Ids are those of the commands. */
export type BatchState = {
  /** The database's clock, ms. */
  now: number;
  accounts: Map<number, LockedAccount>;
  holds: Map<string, StoredHold>;
  lines: Map<string, StoredLine>;
  /** Expiry of the main accounts of the sub-accounts in the batch. */
  expiries: Map<number, number | null>;
  /** Sub-accounts with auto-distribution, among the commands `withMain`. */
  sharing: Set<number>;
  /** Of the accounts that have caps, where a command may be refused by them. */
  caps: Map<number, AccountCaps>;
  /** Of the API keys that have caps, where a command may be refused by them. */
  keys: Map<number, KeyCaps>;
};

/** The part of it that concerns one command. */
export type CommandState = {
  account: LockedAccount;
  line: StoredLine | undefined;
  hold: StoredHold | undefined;
  caps: AccountCaps | undefined;
  key: KeyCaps | undefined;
  now: number;
};

/** An account as it was read or written last: `version` is the xmin of its row, `holds` are open holds of it, not necessarily all. */
export type ReadAccount = {
  account: LockedAccount;
  version: string;
  holds: Map<string, StoredHold>;
  /** Of a sub-account: when the package of its main account expires, ms; undefined: not known. */
  mainExpireAt: number | null | undefined;
};

/** `versions`: the xmin of each account's row; `version`: the xmin of the rows that this transaction writes. */
type LockedBatch = { state: BatchState; versions: Map<number, string>; version: string };

/** Begins the transaction, locks the accounts of the commands and reads their state in one round trip. */
export async function readBatch(client: pg.Client, commands: Command[]): Promise<LockedBatch> {
  const users = new Set<number>();
  const mains = new Set<number>();
  const short: number[] = [];
  const mayHaveHold: string[] = [];
  const mayHaveLine: string[] = [];
  for (const command of commands) {
    users.add(command.userId);
    if (command.do === 'hold' && command.familyId !== command.userId) mains.add(command.familyId);
    if (command.do === 'hold' && command.withMain) {
      users.add(command.familyId);
      short.push(command.userId);
    }
    if (command.do !== 'note') mayHaveHold.push(command.id);
    if (command.do === 'hold' || command.do === 'note') mayHaveLine.push(command.id);
  }
  // Each statement sees a fresh snapshot, so also what a duplicate of these commands wrote under the same lock.
  const query = (name: string, text: string, list: Iterable<unknown>): Promise<Value[][]> =>
    rows(client, { name, text, list });
  const none: Value[][] = [];
  const [, accountRows, holdRows, lineRows, expiryRows, sharingRows] = await Promise.all([
    client.query('BEGIN'),
    query('lock', sql.LOCK_ACCOUNTS, users),
    mayHaveHold.length > 0 ? query('read-holds', sql.READ_HOLDS, mayHaveHold) : none,
    mayHaveLine.length > 0 ? query('read-lines', sql.READ_LINES, mayHaveLine) : none,
    mains.size > 0 ? query('read-expiries', sql.READ_EXPIRIES, mains) : none,
    short.length > 0 ? query('read-sharing', sql.READ_SHARING, short) : none,
  ]);
  const accounts = new Map(
    accountRows.map((row) => [Number(row[0]), { ...accountOf(row), capped: Number(row[22]) === 1 }]),
  );
  const holds = new Map(holdRows.map((row) => [String(row[0]), holdOf(row)]));
  const ended = commands.filter(
    (c) => (c.do === 'settle' || c.do === 'release') && holds.get(c.id)?.released !== false,
  );
  if (ended.length > 0)
    lineRows.push(
      ...(await query(
        'read-lines',
        sql.READ_LINES,
        ended.map((command) => command.id),
      )),
    );
  const capped = commands.filter(
    (c) => (c.do === 'hold' || c.do === 'settle') && accounts.get(c.userId)?.capped === true,
  );
  const keys = new Set(capped.flatMap((command) => apiKeyOf(command) ?? []));
  const [capRows, keyRows] = await Promise.all([
    capped.length > 0 ? query('read-caps', READ_CAPS, new Set(capped.map((command) => command.userId))) : none,
    keys.size > 0 ? query('read-key-caps', READ_KEY_CAPS, keys) : none,
  ]);
  return {
    state: {
      now: Number(accountRows[0]?.[19] ?? 0),
      accounts,
      holds,
      lines: new Map(lineRows.map((row) => [String(row[0]), lineOf(row)])),
      expiries: new Map(expiryRows.map((row) => [Number(row[0]), row[1] === null ? null : Number(row[1])])),
      sharing: new Set(sharingRows.map((row) => Number(row[0]))),
      caps: new Map(capRows.map((row) => [Number(row[0]), capsOf(row)])),
      keys: new Map(keyRows.map((row) => [Number(row[0]), keyCapsOf(row)])),
    },
    versions: new Map(accountRows.map((row) => [Number(row[0]), String(row[20])])),
    version: String(accountRows[0]?.[21] ?? ''),
  };
}

/** The key by which a command holds or charges. */
const apiKeyOf = (command: Command): number | null | undefined =>
  command.do === 'hold' ? command.apiKeyId : command.do === 'settle' ? command.usage.apiKeyId : null;

/**
 * Reads accounts without locking them, in one round trip, with the holds that the commands end. The accounts come first: an account that is
 * found unchanged later had these holds.
 */
export async function readUnlocked(
  client: pg.Client,
  commands: readonly Command[],
  userIds: ReadonlySet<number>,
): Promise<{ accounts: ReadAccount[]; now: number }> {
  const ending = commands.filter((c) => userIds.has(c.userId) && (c.do === 'settle' || c.do === 'release'));
  const [accountRows, holdRows] = await Promise.all([
    rows(client, { name: 'read-accounts', text: sql.READ_ACCOUNTS, list: userIds }),
    ending.length > 0
      ? rows(client, { name: 'read-holds', text: sql.READ_HOLDS, list: ending.map(({ id }) => id) })
      : ([] as Value[][]),
  ]);
  const open = Map.groupBy(
    holdRows.map(holdOf).filter(({ released }) => !released),
    ({ userId }) => userId,
  );
  const accounts = accountRows.map((row) => {
    const account = { ...accountOf(row), capped: Number(row[22]) === 1 };
    return {
      account,
      version: String(row[20]),
      holds: new Map(open.get(account.userId)?.map((hold) => [hold.id, hold])),
      mainExpireAt: row[21] === null || row[21] === undefined ? null : Number(row[21]),
    };
  });
  return { accounts, now: Number(accountRows[0]?.[19] ?? 0) };
}

export async function rows(
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
  apiKeyId: row[9] === null || row[9] === undefined ? null : Number(row[9]),
});

const lineOf = (row: Value[]): StoredLine => ({
  userId: Number(row[1]),
  ok: Number(row[2]) === LINE_OK,
  charged: Number(row[3]),
  codePoints: Number(row[4]),
  billingMode: billingModeOf(Number(row[5])) ?? 'char',
  entrySeq: row[6] === null ? null : Number(row[6]),
});
