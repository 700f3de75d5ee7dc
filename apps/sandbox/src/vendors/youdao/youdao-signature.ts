import { createHash } from 'node:crypto';

/** Allowed clock skew, in seconds. */
const WINDOW_SECONDS = 300;

/** Youdao's samples count astral characters in two ways: UTF-16 units (C#, Java) and code points (Python). */
export type Counting = 'utf16' | 'points';

/** The part of the text that is signed. */
function inputOf(text: string, counting: Counting): string {
  const signs = counting === 'utf16' ? text.split('') : Array.from(text);
  return signs.length <= 20 ? text : signs.slice(0, 10).join('') + String(signs.length) + signs.slice(-10).join('');
}

/** The v3 signature in lower-case hexadecimal. `text`: all values of `q`, concatenated. */
export function signatureOf(
  { text, appKey, salt, curtime }: { text: string; appKey: string; salt: string; curtime: string },
  secret: string,
  counting: Counting,
): string {
  const source = appKey + inputOf(text, counting) + salt + curtime + secret;
  return createHash('sha256').update(source, 'utf8').digest('hex');
}

export const isFresh = (curtime: string, now = Date.now()): boolean =>
  /^\d{1,12}$/.test(curtime) && Math.abs(now / 1000 - Number(curtime)) <= WINDOW_SECONDS;

/** Replay protection: salts seen while their requests would still be fresh. */
export class UsedSalts {
  readonly #seen = new Map<string, number>();

  /** True the first time. `now` in ms. */
  take(salt: string, now = Date.now()): boolean {
    for (const [old, at] of this.#seen) {
      if (now - at < 2 * WINDOW_SECONDS * 1000) break;
      this.#seen.delete(old);
    }
    if (this.#seen.has(salt)) return false;
    this.#seen.set(salt, now);
    return true;
  }
}
