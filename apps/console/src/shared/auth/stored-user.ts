/**
 * The signed-in member as last loaded, kept as `userInfo` (specification §3). Apart from user.ts, because public pages look
 * at it too and need nothing of what loading it takes.
 */
import type { Response } from '@yiqiao/contracts/endpoint';
import type { getUser } from '@yiqiao/contracts/user';
import { useSyncExternalStore } from 'react';
import { currentSession, storedUserInfo, subscribe } from '../api/session.js';

export type User = Response<typeof getUser>;

let last: { text: string; user: User } | null = null;

/** The member, or null: nobody is signed in, or the first answer is still on its way. */
export function storedUser(): User | null {
  const text = storedUserInfo();
  if (!text || !currentSession()) return null;
  if (last?.text !== text) last = { text, user: JSON.parse(text) as User };
  return last.user;
}

const nobody = (): null => null;
const notYet = (): boolean => false;

/** Follows sign-in, sign-out and every `refreshUser`. To a server, and to the page as it was sent, everybody is a visitor. */
export const useUser = (): User | null => useSyncExternalStore(subscribe, storedUser, nobody);

/** Whether somebody is signed in; true before `useUser` has an answer. */
export const useSignedIn = (): boolean => useSyncExternalStore(subscribe, () => currentSession() !== null, notYet);

/** The member who was here a moment ago: between sign-out and leaving, a page is still on screen. */
export const lastUser = (): User | null => last?.user ?? null;
