import { Refusal } from '@yiqiao/domain/errors';
import type { Value } from '../rows/account-rows.js';
import { LiteralArray } from '../rows/array-parameters.js';
import { dayOf, ENTRY_DAY } from './caps.js';
import type { Statement } from './prepared-statements.js';

/** Characters that a key may use in a period (0: no cap), those that were charged in it, and when the next one begins (as on the wire). */
type Period = { readonly limit: number; used: number; readonly renewsAt: string };
export type KeyCaps = { readonly id: number; readonly day: Period; readonly month: Period; held: number };

/**
 * The caps of API keys, with what was charged and is held. All of it changes under the lock of the account that the key spends from. Days are
 * those of entries (see caps.ts).
 */
export const READ_KEY_CAPS = `
SELECT k.id, k.day_cap, k.month_cap,
  coalesce((SELECT char_num FROM api_key_day WHERE api_key_id = k.id AND day = t.today), 0),
  (SELECT coalesce(sum(char_num), 0) FROM api_key_day WHERE api_key_id = k.id AND day >= date_trunc('month', t.today)::date),
  (SELECT coalesce(sum(char_num), 0) FROM ledger_hold WHERE api_key_id = k.id AND released_at IS NULL),
  to_char(t.today + 1, 'YYYY-MM-DD HH24:MI:SS'),
  to_char(date_trunc('month', t.today) + interval '1 month', 'YYYY-MM-DD HH24:MI:SS')
FROM api_key k JOIN member_account a ON a.user_id = k.user_id, ${ENTRY_DAY} AS t
WHERE k.id = ANY ($1::bigint[]) AND (k.day_cap > 0 OR k.month_cap > 0)`;

export const keyCapsOf = (row: Value[]): KeyCaps => ({
  id: Number(row[0]),
  day: { limit: Number(row[1]), used: Number(row[3]), renewsAt: String(row[6]) },
  month: { limit: Number(row[2]), used: Number(row[4]), renewsAt: String(row[7]) },
  held: Number(row[5]),
});

/** Throws API_KEY_CAP_REACHED when `chars` more would exceed a cap of the key. The month is named first, as for accounts. */
export function mustStayUnderKeyCaps(key: KeyCaps | undefined, chars: number): void {
  if (!key) return;
  for (const period of ['month', 'day'] as const) {
    const { limit: cap, used, renewsAt } = key[period];
    const left = Math.max(0, cap - used - key.held);
    if (cap > 0 && chars > left)
      throw new Refusal('API_KEY_CAP_REACHED', { data: { period, cap, left, renewsAt, apiKeyId: key.id } });
  }
}

/** Counts a charge for the commands that follow in the batch. */
export function countKeyUse(key: KeyCaps, chars: number): void {
  key.day.used += chars;
  key.month.used += chars;
}

/** Adds what a batch delivers for keys to their day. */
const ADD_USE = `
INSERT INTO api_key_day (api_key_id, day, char_num, requests)
SELECT d.id, ${dayOf('d.at')}, d.chars, d.times
FROM unnest($1::bigint[], $2::bigint[], $3::bigint[], $4::bigint[]) AS d (id, chars, times, at)
ON CONFLICT (api_key_id, day) DO UPDATE SET char_num = api_key_day.char_num + excluded.char_num,
  requests = api_key_day.requests + excluded.requests`;

/** What a batch delivers for keys: characters charged, and requests, free ones too. */
export class KeyUse {
  readonly #uses = new Map<number, { chars: number; requests: number; at: number }>();

  /** `at`: the time of the entry or line, ms; all of a key in one batch have the same. */
  add(apiKeyId: number, chars: number, at: number): void {
    const { chars: before, requests } = this.#uses.get(apiKeyId) ?? { chars: 0, requests: 0 };
    this.#uses.set(apiKeyId, { chars: before + chars, requests: requests + 1, at });
  }

  statements(): Statement[] {
    if (this.#uses.size === 0) return [];
    const uses = [...this.#uses.values()];
    return [
      {
        name: 'key_use',
        text: ADD_USE,
        parameters: [
          new LiteralArray([...this.#uses.keys()]),
          new LiteralArray(uses.map(({ chars }) => chars)),
          new LiteralArray(uses.map(({ requests }) => requests)),
          new LiteralArray(uses.map(({ at }) => at)),
        ],
        rows: uses.length,
      },
    ];
  }
}
