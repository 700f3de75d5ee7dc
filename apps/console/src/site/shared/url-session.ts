/**
 * A session handed over in the address: `/login?t=<secret>&u=<user id>` (specification §4, decisions §2). It is read once and
 * taken out of the address bar before any request; the login page decides what to do with it.
 */
import type { Session } from '../../shared/api/session.js';

let handed: Session | null = null;

export function readHandedSession(): void {
  const url = new URL(location.href);
  const sk = url.searchParams.get('t');
  const userId = Number(url.searchParams.get('u'));
  if (!url.searchParams.has('t') && !url.searchParams.has('u')) return;
  url.searchParams.delete('t');
  url.searchParams.delete('u');
  history.replaceState(history.state, '', url);
  if (sk && /^[0-9a-f]{64}$/i.test(sk) && Number.isSafeInteger(userId) && userId > 0) handed = { sk, userId };
}

/** The session that came with the address, once. */
export function takeHandedSession(): Session | null {
  const session = handed;
  handed = null;
  return session;
}
