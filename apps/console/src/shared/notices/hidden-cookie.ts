/** The cookie with the ids of notices hidden until midnight (docs/decisions/0028). Storage keys are fixed by decisions §2. */

const NAME = 'notices';
/** More than a day's notices, and well below a cookie's limit. */
const MOST = 100;

/** The ids in `document.cookie`; anything else is ignored. */
export function hiddenIn(cookies: string): ReadonlySet<number> {
  const value = new RegExp(`(?:^|; )${NAME}=([\\d.]*)(?:;|$)`).exec(cookies)?.[1] ?? '';
  const ids = value.split('.').map(Number);
  return new Set(ids.filter((id) => Number.isSafeInteger(id) && id > 0));
}

/** The next local midnight; days may have 23 or 25 hours. */
function midnightAfter(now: Date): Date {
  return new Date(now.getFullYear(), now.getMonth(), now.getDate() + 1);
}

/** The cookie that hides these notices, and those already hidden, until midnight. */
export function hidingCookie(cookies: string, ids: readonly number[], now: Date): string {
  const kept = [...hiddenIn(cookies)].filter((id) => !ids.includes(id));
  const value = [...kept, ...ids].slice(-MOST).join('.');
  return `${NAME}=${value}; Path=/; Expires=${midnightAfter(now).toUTCString()}; SameSite=Lax`;
}
