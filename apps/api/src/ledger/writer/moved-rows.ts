import { billingModeCode } from '@yiqiao/domain/ledger';
import type { LockedAccount, Value } from '../rows/account-rows.js';
import { Listed } from '../rows/columns.js';
import { entryColumns, INSERT_ENTRIES, type ChainedEntry } from '../rows/entry-rows.js';
import type { Statement } from './statements.js';

/** Every column of a balance row that a command can change: how it is stored, its type, and where it comes from. */
const CHANGED: readonly (readonly [assignment: string, type: string, of: (account: LockedAccount) => Value])[] = [
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

const UPDATE_MOVED = `
UPDATE member_account a SET ${CHANGED.map(([assignment]) => assignment).join(', ')}
FROM unnest($1::bigint[], ${CHANGED.map(([, type], i) => `$${i + 2}::${type}[]`).join(', ')})
  AS d (id, ${CHANGED.map((_, i) => `c${i + 1}`).join(', ')})
WHERE a.user_id = d.id`;

/** What a command leaves behind, whatever it does: its entries, and the rows of the accounts that are not what they were. */
export function movedRows(entries: readonly ChainedEntry[], accounts: readonly LockedAccount[]): Statement[] {
  const statements: Statement[] = [];
  if (entries.length > 0)
    statements.push({
      ...{ name: 'entries', text: INSERT_ENTRIES },
      columns: entryColumns(entries),
      rows: entries.length,
    });
  if (accounts.length > 0)
    statements.push({
      ...{ name: 'moved', text: UPDATE_MOVED },
      columns: [
        new Listed(accounts.map((account) => account.userId)),
        ...CHANGED.map(([, , of]) => new Listed(accounts.map(of))),
      ],
      rows: accounts.length,
    });
  return statements;
}
