import { open, rm, type FileHandle } from 'node:fs/promises';
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
import { CommandError, UsageError } from '../../platform/cli-messages.js';
import { type CommandContext, parseCommandLine, print } from './command-line.js';
import { printDifference } from './audit-command.js';
import { findAccount } from './find-account.js';
import { grouped } from './progress.js';
import { MESSAGES } from './messages.js';

const OPTIONS = { out: { type: 'string' } } as const;

/** `operator ledger verify-export`: one file with everything that proves a member's balance, which anyone can verify (docs/verifying.md). */
export async function exportCommand(args: string[], { pool, language }: CommandContext): Promise<number> {
  const { values, positionals } = parseCommandLine(args, OPTIONS);
  const [who] = positionals;
  if (who === undefined || positionals.length > 1 || !values.out)
    throw new UsageError({
      zh: 'ledger verify-export 需要一个账号和 --out <文件>',
      en: 'ledger verify-export requires one account and --out <file>',
    });
  const messages = MESSAGES[language];
  const account = await findAccount(pool, who);
  const file = await create(values.out);
  try {
    const { entries, head, difference } = await writeExport(pool, account, (text) => file.appendFile(text));
    await file.sync();
    await file.close();
    print(messages.exported({ file: values.out, entries: grouped(entries), userId: account.userId }));
    if (difference) {
      printDifference(difference, language);
      return 1;
    }
    print(messages.head(head));
    print(messages.keep);
    return 0;
  } catch (error) {
    await file.close().catch(() => undefined);
    await rm(values.out, { force: true });
    throw error;
  }
}

/** Readable by the operator only; never overwrites a file. */
async function create(path: string): Promise<FileHandle> {
  try {
    return await open(path, 'wx', 0o600);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST')
      throw new CommandError({
        zh: `${path} 已经存在，不会覆盖`,
        en: `${path} already exists; it was not overwritten.`,
      });
    if (code === 'ENOENT' || code === 'EACCES' || code === 'EISDIR')
      throw new CommandError({ zh: `${path} 无法写入（${code}）`, en: `Cannot write ${path} (${code}).` });
    throw error;
  }
}

const EXPORT_FORMAT = 'yiqiao-ledger-export/1';
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
 * Writes the account and its entries from one snapshot; `write` receives the text in chunks. It goes on after a difference, because the
 * file is the evidence.
 */
async function writeExport(
  pool: pg.Pool,
  { userId }: { userId: number },
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
    const rows = await openEntries(second, { userIds: [userId] });
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
