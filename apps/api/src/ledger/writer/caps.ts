import { Refusal } from '@yiqiao/domain/errors';
import type { Quota } from '@yiqiao/domain/ledger';
import type { LockedAccount, Value } from '../rows/account-rows.js';
import { LiteralArray } from '../rows/array-parameters.js';
import type { Statement } from './prepared-statements.js';

/** What an account may use in a period, 0: as much as it has; what was charged in it, and when the next one begins (as on the wire). */
type PeriodCap = { limit: Quota; used: Quota; renewsAt: string };
export type AccountCaps = { day: PeriodCap; month: PeriodCap };

/**
 * Today in the session's time zone, read under the account's lock. `current_date` is that of the transaction's start: a transaction that
 * waits for the lock past midnight would count for a day that has ended.
 */
const TODAY = '(SELECT clock_timestamp()::date AS today)';
const THIS_MONTH = "date_trunc('month', t.today)::date";

export const READ_CAPS = `
SELECT user_id, day_char, day_voice, day_image, month_char, month_voice, month_image,
  CASE WHEN day = t.today THEN day_char_used ELSE 0 END,
  CASE WHEN day = t.today THEN day_voice_used ELSE 0 END,
  CASE WHEN day = t.today THEN day_image_used ELSE 0 END,
  CASE WHEN month = ${THIS_MONTH} THEN month_char_used ELSE 0 END,
  CASE WHEN month = ${THIS_MONTH} THEN month_voice_used ELSE 0 END,
  CASE WHEN month = ${THIS_MONTH} THEN month_image_used ELSE 0 END,
  to_char(t.today + 1, 'YYYY-MM-DD HH24:MI:SS'),
  to_char(${THIS_MONTH} + interval '1 month', 'YYYY-MM-DD HH24:MI:SS')
FROM spending_cap, ${TODAY} AS t WHERE user_id = ANY ($1::bigint[])`;

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
FROM unnest($1::bigint[], $2::bigint[], $3::bigint[], $4::bigint[]) AS d (id, chars, voice, images), ${TODAY} AS t
WHERE c.user_id = d.id`;

/** What a batch charges of capped accounts. */
export class CapUse {
  readonly #used = new Map<number, Quota>();

  add(userId: number, quota: Quota): void {
    this.#used.set(userId, sumOf(this.#used.get(userId), quota));
  }

  statements(): Statement[] {
    if (this.#used.size === 0) return [];
    const quotas = [...this.#used.values()];
    return [
      {
        name: 'spent',
        text: ADD_USED,
        parameters: [
          new LiteralArray([...this.#used.keys()]),
          new LiteralArray(quotas.map(({ charNum }) => charNum)),
          new LiteralArray(quotas.map(({ voiceNum }) => voiceNum)),
          new LiteralArray(quotas.map(({ imageNum }) => imageNum)),
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
