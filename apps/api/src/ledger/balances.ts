import type { EntityManager } from '@mikro-orm/postgresql';
import { billingModeOf } from '@yiqiao/domain/ledger';
import type { BillingMode } from '@yiqiao/domain/plans';

/** A member's account as members see it: `usable…` is balance − held (decisions §4). Amounts in fen. */
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
  const rows = await em.execute<Row[]>(BALANCES, [`{${userIds.join(',')}}`]);
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
