import type { EntityManager } from '@mikro-orm/postgresql';
import { billingModeOf } from '@yiqiao/domain/ledger';
import type { BillingMode } from '@yiqiao/domain/plans';
import { arrayLiteral } from './rows/array-parameters.js';

/** A member's account as the member sees it: `usable…` is balance − held (decisions §4). Amounts in fen. */
export type Balance = {
  usableCharNum: number;
  usableVoiceNum: number;
  usableImageNum: number;
  usedCharTotal: number;
  rechargeAmountTotal: number;
  expireAt: Date | null;
  tranChannelId: number | null;
  billingMode: BillingMode;
};

type Row = {
  user_id: number;
  chars: number;
  voice: number;
  images: number;
  used: number;
  recharged: number;
  expire_ms: number | null;
  channel: number | null;
  mode: number;
};

// A sub-account bills by its own balance; expiry and channel are its main account's (decisions §3).
const BALANCES = `
SELECT a.user_id, a.usable_char_num - a.held_char_num AS chars, a.usable_voice_num - a.held_voice_num AS voice,
  a.usable_image_num - a.held_image_num AS images, a.used_char_total AS used, a.recharge_amount_total AS recharged,
  (extract(epoch FROM m.expire_at) * 1000)::bigint AS expire_ms, m.tran_channel_id AS channel, a.billing_mode AS mode
FROM member_account a LEFT JOIN member_account m ON m.user_id = a.family_id
WHERE a.user_id = ANY (?::bigint[])`;

export async function readBalances(em: EntityManager, userIds: number[]): Promise<Map<number, Balance>> {
  const rows = await em.execute<Row[]>(BALANCES, [arrayLiteral(userIds)]);
  return new Map(
    rows.map((r) => [
      Number(r.user_id),
      {
        usableCharNum: Number(r.chars),
        usableVoiceNum: Number(r.voice),
        usableImageNum: Number(r.images),
        usedCharTotal: Number(r.used),
        rechargeAmountTotal: Number(r.recharged),
        expireAt: r.expire_ms === null ? null : new Date(Number(r.expire_ms)),
        tranChannelId: r.channel,
        billingMode: billingModeOf(r.mode) ?? 'char',
      },
    ]),
  );
}

// A main account's fingerprint covers its whole family. A sub-account bills by its own balance, and shares expiry and channel with its main
// account (decisions §3). Entries are only ever added, so the sum of their numbers never returns to an earlier value.
const FINGERPRINTS = `
SELECT f.family_id AS user_id,
  md5(concat_ws(' ', sum(f.entry_seq), sum(f.held_char_num), sum(f.held_voice_num), sum(f.held_image_num))) AS fingerprint
FROM member_account f WHERE f.family_id = ANY (?::bigint[]) GROUP BY f.family_id
UNION ALL
SELECT a.user_id, md5(concat_ws(' ', a.entry_seq, a.held_char_num, a.held_voice_num, a.held_image_num,
  extract(epoch FROM m.expire_at), m.tran_channel_id))
FROM member_account a JOIN member_account m ON m.user_id = a.family_id
WHERE a.user_id = ANY (?::bigint[]) AND a.user_id <> a.family_id`;

/** For each member a text that changes whenever their account does. Members without an account are absent. */
export async function readFingerprints(em: EntityManager, userIds: number[]): Promise<Map<number, string>> {
  const ids = arrayLiteral(userIds);
  const rows = await em.execute<{ user_id: number; fingerprint: string }[]>(FINGERPRINTS, [ids, ids]);
  return new Map(rows.map(({ user_id, fingerprint }) => [Number(user_id), fingerprint]));
}
