/**
 * A session passed in the URL: `/login?t=<secret>&u=<user id>` (specification §4, decisions §2). It is read once and removed from the
 * address bar before any request; the login page decides what to do with it.
 */
import type { Session } from '../../shared/api/session.js';

let received: Session | null = null;

export function readUrlSession(): void {
  const url = new URL(location.href);
  const sk = url.searchParams.get('t');
  const userId = Number(url.searchParams.get('u'));
  if (!url.searchParams.has('t') && !url.searchParams.has('u')) return;
  url.searchParams.delete('t');
  url.searchParams.delete('u');
  history.replaceState(history.state, '', url);
  if (sk && /^[0-9a-f]{64}$/i.test(sk) && Number.isSafeInteger(userId) && userId > 0) received = { sk, userId };
}

/** Returns the session from the URL, once. */
export function takeUrlSession(): Session | null {
  const session = received;
  received = null;
  return session;
}
