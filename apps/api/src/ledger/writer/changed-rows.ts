import { billingModeCode } from '@yiqiao/domain/ledger';
import type { LockedAccount, Value } from '../rows/account-rows.js';
import { LiteralArray } from '../rows/array-parameters.js';
import { entryParameters, INSERT_ENTRIES, type ChainedEntry } from '../rows/entry-rows.js';
import type { Statement } from './prepared-statements.js';

/** Every column of a balance row that a command can change: its assignment, its type and its value. */
const COLUMNS: readonly (readonly [assignment: string, type: string, of: (account: LockedAccount) => Value])[] = [
  ['entry_seq = d.c1', 'bigint', ({ state }) => state.seq],
  ['usable_char_num = d.c2', 'bigint', ({ state }) => state.charNum],
  ['usable_voice_num = d.c3', 'bigint', ({ state }) => state.voiceNum],
  ['usable_image_num = d.c4', 'bigint', ({ state }) => state.imageNum],
  ['used_char_total = d.c5', 'bigint', ({ state }) => state.usedCharTotal],
  ['recharge_amount_total = d.c6', 'bigint', ({ state }) => state.rechargeAmountTotal],
  ['expire_at = to_timestamp(d.c7 / 1000.0::float8)', 'bigint', ({ state }) => state.expireAt],
  ['tran_channel_id = d.c8', 'int', ({ state }) => state.tranChannelId],
  ['billing_mode = d.c9', 'int', ({ state }) => billingModeCode(state.billingMode)],
  ['held_char_num = d.c10', 'bigint', ({ held }) => held.charNum],
  ['held_voice_num = d.c11', 'bigint', ({ held }) => held.voiceNum],
  ['held_image_num = d.c12', 'bigint', ({ held }) => held.imageNum],
  ['type_seqs = d.c13::bigint[]', 'text', ({ typeSeqs }) => `"{${typeSeqs.join(',')}}"`],
  ['usage_seq = d.c14', 'bigint', ({ usageSeq }) => usageSeq],
  ["head_hash = decode(d.c15, 'hex')", 'text', ({ head }) => head],
  ['last_written_at = to_timestamp(d.c16 / 1000.0::float8)', 'bigint', ({ lastAt }) => lastAt],
];

const UPDATE_ACCOUNTS = `
UPDATE member_account a SET ${COLUMNS.map(([assignment]) => assignment).join(', ')}
FROM unnest($1::bigint[], ${COLUMNS.map(([, type], i) => `$${i + 2}::${type}[]`).join(', ')})
  AS d (id, ${COLUMNS.map((_, i) => `c${i + 1}`).join(', ')})
WHERE a.user_id = d.id`;

/** Writes the entries of any command and the rows of the accounts that it changed. */
export function changedRows(entries: readonly ChainedEntry[], accounts: readonly LockedAccount[]): Statement[] {
  const statements: Statement[] = [];
  if (entries.length > 0)
    statements.push({
      name: 'entries',
      text: INSERT_ENTRIES,
      parameters: entryParameters(entries),
      rows: entries.length,
    });
  if (accounts.length > 0)
    statements.push({
      name: 'changed',
      text: UPDATE_ACCOUNTS,
      parameters: [
        new LiteralArray(accounts.map((account) => account.userId)),
        ...COLUMNS.map(([, , of]) => new LiteralArray(accounts.map(of))),
      ],
      rows: accounts.length,
    });
  return statements;
}
