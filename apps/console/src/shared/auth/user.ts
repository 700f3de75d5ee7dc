/** The signed-in member, loaded once and kept as `userInfo` (specification §3). */
import type { Response } from '@yiqiao/contracts/endpoint';
import type { getUser as GetUser } from '@yiqiao/contracts/user';
import { useSyncExternalStore } from 'react';
import { currentSession, storedUserInfo, storeUserInfo, subscribe } from '../api/session.js';

export type User = Response<typeof GetUser>;

let snapshot: { text: string; user: User } | null = null;

/** The member as last loaded, or null: nobody is signed in, or the first answer is still on its way. */
export function currentUser(): User | null {
  const text = storedUserInfo();
  if (!text || !currentSession()) return null;
  if (snapshot?.text !== text) snapshot = { text, user: JSON.parse(text) as User };
  return snapshot.user;
}

/** Follows sign-in, sign-out and every `refreshUser`. */
export const useUser = (): User | null => useSyncExternalStore(subscribe, currentUser);

/** Whether somebody is signed in; true before `useUser` has an answer. */
export const useSignedIn = (): boolean => useSyncExternalStore(subscribe, () => currentSession() !== null);

/** For pages below the console shell, which renders them only once the member is known. */
export function useMember(): User {
  const user = useUser();
  // Between sign-out and leaving the page the last member is still on screen.
  const last = user ?? snapshot?.user;
  if (!last) throw new Error('useMember outside the console');
  return last;
}

/** Loads the member again after something changed (balance, nickname, channel). Throws ApiError. */
export async function refreshUser(): Promise<User> {
  // Contracts bring zod with them; public pages that never call this do without.
  const [{ call }, { getUser }] = await Promise.all([import('../api/call.js'), import('@yiqiao/contracts/user')]);
  const user = await call(getUser, {});
  storeUserInfo(JSON.stringify(user));
  return user;
}

export const isMain = (user: User): boolean => user.parentUserId === null;
