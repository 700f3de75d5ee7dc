/**
 * The signed-in member as last loaded, stored as `userInfo` (specification §3). Separate from user.ts, so that public pages can read it
 * without the code that loads it.
 */
import type { Response } from '@yiqiao/contracts/endpoint';
import type { getUser } from '@yiqiao/contracts/user';
import { useSyncExternalStore } from 'react';
import { currentSession, storedUserInfo, subscribe } from '../api/session.js';

export type User = Response<typeof getUser>;

let last: { text: string; user: User } | null = null;

/** The member, or null when signed out or not yet loaded. */
export function storedUser(): User | null {
  const text = storedUserInfo();
  if (!text || !currentSession()) return null;
  if (last?.text !== text) last = { text, user: JSON.parse(text) as User };
  return last.user;
}

const nobody = (): null => null;
const notYet = (): boolean => false;

/** Updates on sign-in, sign-out and every `refreshUser`. Null on the server and during hydration. */
export const useUser = (): User | null => useSyncExternalStore(subscribe, storedUser, nobody);

/** Whether a session exists; true before `useUser` has a value. */
export const useSignedIn = (): boolean => useSyncExternalStore(subscribe, () => currentSession() !== null, notYet);

/** The last member: between sign-out and navigation, a page is still rendered. */
export const lastUser = (): User | null => last?.user ?? null;
