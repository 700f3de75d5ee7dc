import { signedHeaders, tokenOf } from '@yiqiao/contracts/signing';
import { acceptLanguage } from '../i18n/language.js';
import { currentSession, type Session } from './session.js';

const CLIENT_VERSION = '0.0.0'; // specification §7

/** Server clock minus ours, in milliseconds; learned from a 705 (decisions §2). */
let clockOffset = 0;

export const learnClock = (serverTime: number): void => {
  clockOffset = serverTime - Date.now();
};

let sha256: ((text: string) => string) | undefined;

/** `words`: crypto-js, which the console has from the start. */
export function signWith(words: (text: string) => { toString: () => string }): void {
  sha256 = (text) => words(text).toString();
}

/** Only members sign: visitors do not download it. */
async function loadSha256(): Promise<void> {
  signWith((await import('crypto-js/sha256.js')).default);
}
/** The site loads it as soon as somebody is signed in; the first request tries again. */
export const preloadSigning = (): void => {
  if (currentSession() && !sha256) void loadSha256().catch(() => undefined);
};

function headersOf(session: Session | null): Record<string, string> {
  return {
    'Accept-Language': acceptLanguage,
    'client-version': CLIENT_VERSION,
    ...(session &&
      sha256 &&
      signedHeaders(tokenOf(session.sk, session.userId, sha256), Date.now() + clockOffset, sha256)),
  };
}

/** The headers of every call: client, language, and the signature of the current session. */
export async function requestHeaders(): Promise<Record<string, string>> {
  const session = currentSession();
  if (session && !sha256) await loadSha256();
  return headersOf(session);
}

/** The same at once, for a page that is going: signed if any request was signed before. */
export const requestHeadersNow = (): Record<string, string> => headersOf(currentSession());
