/**
 * The invite code that a visitor came with (specification §2). All internal links carry it in the address, and it is kept for those that do
 * not. Only valid codes are carried.
 */
import { useSyncExternalStore } from 'react';
import { useLocation } from './routing.js';

const CODE = /^[A-Za-z0-9]{4,16}$/;
const QUERY = 'inviteCode';

let kept: string | null = null;

/** The invite code in a query, or null when missing or invalid. */
export function codeIn(search: string): string | null {
  const code = new URLSearchParams(search).get(QUERY);
  return code !== null && CODE.test(code) ? code : null;
}

const never = () => () => undefined;

/** The visitor's invite code. Null on the server, which renders one page for everybody, and during hydration. */
export function useInviteCode(): string | null {
  const { search } = useLocation();
  const current = (): string | null => (kept = codeIn(search) ?? kept);
  return useSyncExternalStore(never, current, () => null);
}

/** `path` with the code, if there is one. */
export function invitedTo(path: string, code: string | null): string {
  if (code === null) return path;
  const [place = '', search] = path.split('?');
  const query = new URLSearchParams(search);
  query.set(QUERY, code);
  return `${place}?${query}`;
}

/** Adds the visitor's invite code to internal links. */
export function useInvited(): (path: string) => string {
  const code = useInviteCode();
  return (path) => invitedTo(path, code);
}
