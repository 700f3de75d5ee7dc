/**
 * The invitation that somebody came with (specification §2: carried through). It stands in the address of every page that our links lead
 * to, and is remembered for links that do not name it. Nothing else than a code is ever carried.
 */
import { useSyncExternalStore } from 'react';
import { usePlace } from './routing.js';

const CODE = /^[A-Za-z0-9]{4,16}$/;
const QUERY = 'inviteCode';

let kept: string | null = null;

/** The code in a query, or null when what stands there can be none. */
export function codeIn(search: string): string | null {
  const code = new URLSearchParams(search).get(QUERY);
  return code !== null && CODE.test(code) ? code : null;
}

const never = () => () => undefined;

/** The code that this person came with. Null on the server, which makes one page for everybody, and so in the first picture here. */
export function useInviteCode(): string | null {
  const { search } = usePlace();
  const current = (): string | null => (kept = codeIn(search) ?? kept);
  return useSyncExternalStore(never, current, () => null);
}

/** `path` with the code; the path as it is for who was invited by nobody. */
export function invitedTo(path: string, code: string | null): string {
  if (code === null) return path;
  const [place = '', search] = path.split('?');
  const query = new URLSearchParams(search);
  query.set(QUERY, code);
  return `${place}?${query}`;
}

/** Addresses for links, each with the code of who was invited. */
export function useInvited(): (path: string) => string {
  const code = useInviteCode();
  return (path) => invitedTo(path, code);
}
