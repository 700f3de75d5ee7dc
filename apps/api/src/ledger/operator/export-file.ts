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
import { EntryFold } from '../audit/entry-fold.js';
import { ENTRY_FIELDS } from '../rows/entry-rows.js';
import { withSnapshot } from '../audit/snapshot.js';

export const EXPORT_FORMAT = 'yiqiao-ledger-export/1';
const CHUNK = 1 << 18;

const ABOUT = [
  'Every entry of one account, oldest first; docs/verifying.md of the project says how to verify it.',
  'hash = SHA-256 of the previous hash (32 bytes, zeros before the first entry) and the entry: its fields in the order of "fields",',
  'each as a signed 64-bit big-endian integer (null: 0), except: beforeTranChannelId and lastTranChannelId are 32 bits each; the three',
  'billing modes are one integer, before * 10000 + last * 100 + recharge; cmdId is its 16 bytes. 248 bytes in all.',
  'Times are milliseconds since 1970, amounts are fen, billing modes are 1 (char), 2 (time), 0 or null (none).',
];

export type ExportResult = { entries: number; head: string; difference: LedgerDifference | null };

/**
 * Writes the account and its entries as of one moment; `write` is given text piece by piece. A difference does not end it: the file is
 * the evidence.
 */
export function writeExport(
  pool: pg.Pool,
  { userId }: { userId: number },
  write: (text: string) => Promise<void>,
): Promise<ExportResult> {
  return withSnapshot<ExportResult, 2>(pool, 2, async ([first, second]) => {
    const accounts = await openAccounts(first, { userIds: [userId] });
    const account = accountFrom(accounts);
    await accounts.fill();
    const rows = await openEntries(second, { userIds: [userId] });
    const fold = new EntryFold(userId, account.familyId);
    let difference: LedgerDifference | null = null;
    let entries = 0;
    let text = `${head(account)}\n`;
    while (rows.live) {
      const wrong: Difference | null = difference ? null : fold.follow(rows);
      if (wrong) difference = { userId, seq: rows.int(ENTRY_COLUMN.seq), ...wrong };
      text += `${entries++ === 0 ? '' : ',\n'}${JSON.stringify(valuesOf(rows))}`;
      if (text.length > CHUNK) {
        await write(text);
        text = '';
      }
      if (!rows.next()) await rows.fill();
    }
    await write(`${text}\n]}\n`);
    difference ??= rowDifference(account, fold);
    return { answer: { entries, head: account.head, difference }, unread: false };
  });
}

const rowDifference = (account: StoredAccount, fold: EntryFold): LedgerDifference | null =>
  account.head === fold.head
    ? null
    : {
        userId: account.userId,
        seq: null,
        field: 'balance row: head of the chain',
        expected: fold.head,
        found: account.head,
      };

/** Everything but the entries: the object is left open at the end of the list's beginning. */
function head({ userId, familyId, state, ...account }: StoredAccount): string {
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
    types: Object.fromEntries(Object.entries(ENTRY_TYPES).map(([type, { code }]) => [code, type])),
    fields: [...ENTRY_FIELDS, 'hash'],
  };
  return `${JSON.stringify(object, null, 1).slice(0, -2)},\n "entries": [`;
}

/** An entry as it is stored: numbers as they are hashed, not as they are called. */
function valuesOf(rows: CopyRows): (string | number | null)[] {
  const entry = entryFrom(rows);
  const values = ENTRY_FIELDS.map((field): string | number | null => {
    if (field === 'type' || field.endsWith('BillingMode')) return rows.intOrNull(ENTRY_COLUMN[field]);
    return entry[field];
  });
  return [...values, rows.hex(ENTRY_COLUMN.hash)];
}
