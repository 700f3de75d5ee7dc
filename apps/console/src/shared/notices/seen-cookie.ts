/**
 * The cookie that remembers which notices shall not appear again today (docs/decisions/0028): their ids, until midnight. The keys of the
 * browser's storage are fixed (decisions §2).
 */

const NAME = 'notices';
/** More than can be shown in a day, and far from what a cookie may hold. */
const MOST = 100;

/** What `document.cookie` says; whatever is no id is passed over. */
export function hiddenIn(cookies: string): ReadonlySet<number> {
  const value = new RegExp(`(?:^|; )${NAME}=([\\d.]*)(?:;|$)`).exec(cookies)?.[1] ?? '';
  const ids = value.split('.').map(Number);
  return new Set(ids.filter((id) => Number.isSafeInteger(id) && id > 0));
}

/** The next midnight where the person is; days may have 23 or 25 hours. */
function midnightAfter(now: Date): Date {
  return new Date(now.getFullYear(), now.getMonth(), now.getDate() + 1);
}

/** What is written to `document.cookie` so that these, and those that are hidden already, do not appear before midnight. */
export function hidingCookie(cookies: string, ids: readonly number[], now: Date): string {
  const kept = [...hiddenIn(cookies)].filter((id) => !ids.includes(id));
  const value = [...kept, ...ids].slice(-MOST).join('.');
  return `${NAME}=${value}; Path=/; Expires=${midnightAfter(now).toUTCString()}; SameSite=Lax`;
}
