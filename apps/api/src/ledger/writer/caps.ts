import { Refusal } from '@yiqiao/domain/errors';
import type { Quota } from '@yiqiao/domain/ledger';
import type { LockedAccount, Value } from '../rows/account-rows.js';
import { LiteralArray } from '../rows/array-parameters.js';
import type { Statement } from './prepared-statements.js';

/** What an account may use in a period, 0: as much as it has; what was charged in it, and when the next one begins (as on the wire). */
type PeriodCap = { limit: Quota; used: Quota; renewsAt: string };
export type AccountCaps = { day: PeriodCap; month: PeriodCap };

/**
 * The day, in the session's time zone, of an entry that this transaction adds to the account `a`: entries never go back in time. Caps are
 * checked and counted for the days of entries, so that the audit can add them up. To be read under the account's lock.
 */
export const ENTRY_DAY = 'LATERAL (SELECT greatest(now()::timestamptz(3), a.last_written_at)::date AS today)';
/** The day of a time in ms. */
export const dayOf = (ms: string): string => `to_timestamp(${ms} / 1000.0::float8)::date`;
const THIS_MONTH = "date_trunc('month', t.today)::date";

export const READ_CAPS = `
SELECT c.user_id, day_char, day_voice, day_image, month_char, month_voice, month_image,
  CASE WHEN day = t.today THEN day_char_used ELSE 0 END,
  CASE WHEN day = t.today THEN day_voice_used ELSE 0 END,
  CASE WHEN day = t.today THEN day_image_used ELSE 0 END,
  CASE WHEN month = ${THIS_MONTH} THEN month_char_used ELSE 0 END,
  CASE WHEN month = ${THIS_MONTH} THEN month_voice_used ELSE 0 END,
  CASE WHEN month = ${THIS_MONTH} THEN month_image_used ELSE 0 END,
  to_char(t.today + 1, 'YYYY-MM-DD HH24:MI:SS'),
  to_char(${THIS_MONTH} + interval '1 month', 'YYYY-MM-DD HH24:MI:SS')
FROM spending_cap c JOIN member_account a ON a.user_id = c.user_id, ${ENTRY_DAY} AS t WHERE c.user_id = ANY ($1::bigint[])`;

export function capsOf(row: Value[]): AccountCaps {
  const quota = (at: number): Quota => ({
    charNum: Number(row[at]),
    voiceNum: Number(row[at + 1]),
    imageNum: Number(row[at + 2]),
  });
  return {
    day: { limit: quota(1), used: quota(7), renewsAt: String(row[13]) },
    month: { limit: quota(4), used: quota(10), renewsAt: String(row[14]) },
  };
}

/** Adds what a batch charges of capped accounts to both periods. */
const ADD_USED = `
UPDATE spending_cap c SET day = t.today, month = ${THIS_MONTH},
  day_char_used = d.chars + CASE WHEN c.day = t.today THEN c.day_char_used ELSE 0 END,
  day_voice_used = d.voice + CASE WHEN c.day = t.today THEN c.day_voice_used ELSE 0 END,
  day_image_used = d.images + CASE WHEN c.day = t.today THEN c.day_image_used ELSE 0 END,
  month_char_used = d.chars + CASE WHEN c.month = ${THIS_MONTH} THEN c.month_char_used ELSE 0 END,
  month_voice_used = d.voice + CASE WHEN c.month = ${THIS_MONTH} THEN c.month_voice_used ELSE 0 END,
  month_image_used = d.images + CASE WHEN c.month = ${THIS_MONTH} THEN c.month_image_used ELSE 0 END
FROM unnest($1::bigint[], $2::bigint[], $3::bigint[], $4::bigint[], $5::bigint[])
  AS d (id, chars, voice, images, at), LATERAL (SELECT ${dayOf('d.at')} AS today) AS t
WHERE c.user_id = d.id`;

/** What a batch charges of capped accounts. */
export class CapUse {
  readonly #used = new Map<number, { quota: Quota; at: number }>();

  /** `at`: the time of the entry, ms; all of an account in one batch have the same. */
  add(userId: number, quota: Quota, at: number): void {
    this.#used.set(userId, { quota: sumOf(this.#used.get(userId)?.quota, quota), at });
  }

  statements(): Statement[] {
    if (this.#used.size === 0) return [];
    const uses = [...this.#used.values()];
    const quotas = uses.map(({ quota }) => quota);
    return [
      {
        name: 'spent',
        text: ADD_USED,
        parameters: [
          new LiteralArray([...this.#used.keys()]),
          new LiteralArray(quotas.map(({ charNum }) => charNum)),
          new LiteralArray(quotas.map(({ voiceNum }) => voiceNum)),
          new LiteralArray(quotas.map(({ imageNum }) => imageNum)),
          new LiteralArray(uses.map(({ at }) => at)),
        ],
        rows: quotas.length,
      },
    ];
  }
}

const sumOf = (a: Quota | undefined, b: Quota): Quota => ({
  charNum: (a?.charNum ?? 0) + b.charNum,
  voiceNum: (a?.voiceNum ?? 0) + b.voiceNum,
  imageNum: (a?.imageNum ?? 0) + b.imageNum,
});

/** Counts a charge for the commands that follow in the batch. */
export function countUse(caps: AccountCaps | undefined, quota: Quota): void {
  for (const cap of caps ? [caps.day, caps.month] : []) cap.used = sumOf(cap.used, quota);
}

/**
 * What is charged and what is held must stay within the caps; throws CAP_REACHED. The month is named first: when both are reached, the day
 * after brings nothing.
 */
export function mustStayUnderCaps({ held }: LockedAccount, caps: AccountCaps | undefined, quota: Quota): void {
  if (!caps) return;
  for (const period of ['month', 'day'] as const) {
    const { limit, used, renewsAt } = caps[period];
    for (const quantity of ['charNum', 'voiceNum', 'imageNum'] as const) {
      const cap = limit[quantity];
      const left = Math.max(0, cap - used[quantity] - held[quantity]);
      if (cap > 0 && quota[quantity] > left)
        throw new Refusal('CAP_REACHED', { data: { period, quantity, cap, left, renewsAt } });
    }
  }
}
