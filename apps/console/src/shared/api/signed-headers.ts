import { signedHeaders, tokenOf } from '@yiqiao/contracts/signing';
import sha256Words from 'crypto-js/sha256.js';
import { acceptLanguage } from '../i18n/language.js';
import { currentSession } from './session.js';

const CLIENT_VERSION = '0.0.0'; // specification §7
const sha256 = (text: string): string => sha256Words(text).toString();

/** Server clock minus ours, in milliseconds; learned from a 705 (decisions §2). */
let clockOffset = 0;

export const learnClock = (serverTime: number): void => {
  clockOffset = serverTime - Date.now();
};

/** The headers of every call: who we are, in which language, and the signature when somebody is signed in. */
export function requestHeaders(): Record<string, string> {
  const session = currentSession();
  return {
    'Accept-Language': acceptLanguage,
    'client-version': CLIENT_VERSION,
    ...(session && signedHeaders(tokenOf(session.sk, session.userId, sha256), Date.now() + clockOffset, sha256)),
  };
}
