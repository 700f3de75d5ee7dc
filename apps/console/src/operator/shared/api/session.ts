/** The operator's session: in a cookie that scripts cannot read, and here in memory. Nothing is in the browser's storage. */
import type { Response } from '@yiqiao/contracts/endpoint';
import { getSession } from '@yiqiao/contracts/operator/session';
import { ApiError } from '../../../shared/api/api-error.js';
import { call, writeWith } from './send.js';

export type Session = Response<typeof getSession>;

let session: Session | null = null;
let asked: Promise<Session | null> | undefined;

export const currentSession = (): Session | null => session;

export function startSession(started: Session): void {
  session = started;
  asked = Promise.resolve(started);
  writeWith(started.csrf);
}

export function endSession(): void {
  session = null;
  asked = Promise.resolve(null);
  writeWith(null);
}

async function read(): Promise<Session | null> {
  try {
    const found = await call(getSession, {});
    startSession(found);
    return found;
  } catch (error) {
    asked = undefined;
    if (!isSignedOut(error)) throw error;
    endSession();
    return null;
  }
}

/** The session of the cookie, asked for once per document. */
export const readSession = (): Promise<Session | null> => (asked ??= read());

export const isSignedOut = (error: unknown): boolean => error instanceof ApiError && error.status === 401;

const SIGN_IN = '/sign-in';
const BACK = 'to';

/** The sign-in page, which leads back to `path` afterwards. */
export const signInPath = (path: string): string =>
  path === '/' ? SIGN_IN : `${SIGN_IN}?${new URLSearchParams({ [BACK]: path })}`;

/** Where the sign-in page leads: to an address of this console only. */
export function wayBack(search: string): string {
  const to = new URLSearchParams(search).get(BACK) ?? '/';
  const url = new URL(to, location.origin);
  // `/..//elsewhere` becomes `//elsewhere`, which names another site.
  const isHere = url.origin === location.origin && to.startsWith('/') && !url.pathname.startsWith('//');
  return isHere ? url.pathname + url.search + url.hash : '/';
}
