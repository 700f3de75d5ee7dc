import { ENTRY_FIELD_NAMES, entryField } from '@yiqiao/domain/entry-fields';
import { billingModeCode, ENTRY_TYPES, type Difference } from '@yiqiao/domain/ledger';
import type pg from 'pg';
import type { LedgerDifference } from '../audit/audit.js';
import {
  accountFrom,
  ENTRY_COLUMN,
  entryFrom,
  openAccounts,
  openEntries,
  type StoredAccount,
} from '../audit/audit-rows.js';
import type { CopyRows } from '../audit/copy-rows.js';
import { EntryReplay } from '../audit/entry-replay.js';
import { withSnapshot } from '../audit/snapshot.js';
import { transactional } from '../audit-runs/transactional.js';
import { type Inclusion, inclusionOf } from '../closes/inclusion.js';

const EXPORT_FORMAT = 'yiqiao-ledger-export/2';
const CHUNK_CHARS = 1 << 18;

/** Part of the file, in the words of its readers. */
const ABOUT = [
  'Every entry of one account, oldest first; docs/verifying.md of the project says how to verify it.',
  'hash = SHA-256 of the previous hash (32 bytes, zeros before the first entry) and the entry: its fields in the order of "fields",',
  'each as a signed 64-bit big-endian integer (null: 0), except: beforeTranChannelId and lastTranChannelId are 32 bits each; the three',
  'billing modes are one integer, before * 10000 + last * 100 + recharge; cmdId is its 16 bytes. 248 bytes in all.',
  'Times are milliseconds since 1970, amounts are fen, billing modes are 1 (char), 2 (time), 0 or null (none).',
];

type ExportResult = { entries: number; head: string; difference: LedgerDifference | null };

/**
 * Writes the file that docs/verifying.md describes: the account and its entries from one snapshot; `write` receives the text in chunks. `pool`: two connections. It goes on after
 * a difference, because the file is the evidence; the answer names it.
 * `entriesOf`: all entries of an account of which some are in cold files.
 */
export async function writeExport(
  pool: pg.Pool,
  { userId, entriesOf }: { userId: number; entriesOf?: ((client: pg.ClientBase) => Promise<CopyRows>) | undefined },
  write: (text: string) => Promise<void>,
): Promise<ExportResult> {
  // Before the snapshot, which then has every entry that a close names.
  const included = await transactional(pool, (execute) =>
    inclusionOf(
      { execute: async <T>(sql: string, values: unknown[] = []) => (await execute(sql, values)) as T },
      userId,
    ),
  );
  return withSnapshot<ExportResult, 2>(pool, 2, async ([first, second]) => {
    const accounts = await openAccounts(first, { userIds: [userId] });
    const account = accountFrom(accounts);
    await accounts.fill();
    const rows = await (entriesOf?.(second) ?? openEntries(second, { userIds: [userId] }));
    const replay = new EntryReplay(userId, account.familyId);
    let difference: LedgerDifference | null = null;
    let entries = 0;
    let text = `${head(account, included)}\n`;
    while (rows.live) {
      const wrong: Difference | null = difference ? null : replay.follow(rows);
      if (wrong) difference = { userId, seq: rows.int(ENTRY_COLUMN.seq), ...wrong };
      text += `${entries++ === 0 ? '' : ',\n'}${JSON.stringify(valuesOf(rows))}`;
      if (text.length > CHUNK_CHARS) {
        await write(text);
        text = '';
      }
      if (!rows.next()) await rows.fill();
    }
    await write(`${text}\n]}\n`);
    difference ??= rowDifference(account, replay);
    return { answer: { entries, head: account.head, difference }, unread: false };
  });
}

const rowDifference = (account: StoredAccount, replay: EntryReplay): LedgerDifference | null =>
  account.head === replay.head
    ? null
    : {
        userId: account.userId,
        seq: null,
        field: 'balance row: head of the chain',
        expected: replay.head,
        found: account.head,
      };

/** Everything but the entries, up to the opening bracket of their array. */
function head({ userId, familyId, state, ...account }: StoredAccount, included: Inclusion): string {
  const { billingMode, ...numbers } = state;
  const object = {
    format: EXPORT_FORMAT,
    about: ABOUT,
    exportedAt: new Date().toISOString(),
    userId,
    familyId,
    balance: {
      ...numbers,
      billingMode: billingModeCode(billingMode),
      typeSeqs: account.typeSeqs,
      held: account.held,
      head: account.head,
    },
    ...included,
    types: Object.fromEntries(Object.entries(ENTRY_TYPES).map(([type, { code }]) => [code, type])),
    fields: [...ENTRY_FIELD_NAMES, 'hash'],
  };
  return `${JSON.stringify(object, null, 1).slice(0, -2)},\n "entries": [`;
}

/** An entry as stored and hashed: codes instead of names. */
function valuesOf(rows: CopyRows): (string | number | null)[] {
  const entry = entryFrom(rows);
  const values = ENTRY_FIELD_NAMES.map((name): string | number | null =>
    entryField(name).coded ? rows.intOrNull(ENTRY_COLUMN[name]) : entry[name],
  );
  return [...values, rows.hex(ENTRY_COLUMN.hash)];
}
