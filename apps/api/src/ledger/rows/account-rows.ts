import { billingModeOf, type AccountState, type Quota } from '@yiqiao/domain/ledger';

/** An account as read under its lock, while a command changes it. Times in milliseconds. */
export type LockedAccount = {
  userId: number;
  familyId: number;
  state: AccountState;
  held: Quota;
  /** The number of entries per type, by code − 1; 0 beyond its end. */
  typeSeqs: number[];
  usageSeq: number;
  /** The hash of its last entry, in hex. */
  head: string;
  /** The time of its newest entry or log line. The next one is not earlier, so numbers are in order of time. */
  lastAt: number;
  /** The audit found a difference in its family: no entry may follow (operators §7). */
  readOnly: boolean;
  /** It has caps. Read by the writer alone. */
  capped?: boolean;
};

/** The select list that `accountOf` reads. */
export const ACCOUNT_COLUMNS = `user_id, family_id, entry_seq, usable_char_num, usable_voice_num, usable_image_num,
  used_char_total, recharge_amount_total, (date_part('epoch', expire_at) * 1000)::bigint, tran_channel_id, billing_mode,
  held_char_num, held_voice_num, held_image_num, type_seqs::text, usage_seq, encode(head_hash, 'hex'),
  (date_part('epoch', last_written_at) * 1000)::bigint, read_only::int`;

export type Value = string | number | null;

/** NULL: written behind the end of a short array by an older release, during a deployment. */
const numbersOf = (array: string): number[] =>
  array === '{}'
    ? []
    : array
        .slice(1, -1)
        .split(',')
        .map((n) => (n === 'NULL' ? 0 : Number(n)));

export function accountOf(row: Value[]): LockedAccount {
  const int = (at: number): number => Number(row[at]);
  return {
    userId: int(0),
    familyId: int(1),
    state: {
      seq: int(2),
      charNum: int(3),
      voiceNum: int(4),
      imageNum: int(5),
      usedCharTotal: int(6),
      rechargeAmountTotal: int(7),
      expireAt: row[8] === null ? null : int(8),
      tranChannelId: row[9] === null ? null : int(9),
      billingMode: billingModeOf(int(10)) ?? 'char',
    },
    held: { charNum: int(11), voiceNum: int(12), imageNum: int(13) },
    typeSeqs: numbersOf(String(row[14])),
    usageSeq: int(15),
    head: String(row[16]),
    lastAt: int(17),
    readOnly: int(18) === 1,
  };
}
