/** The signed-in member, for pages below the console shell. */
import type { getUser } from '@yiqiao/contracts/user';
import type { BillingMode } from '@yiqiao/domain/plans';
import { callRoute } from '../api/call.js';
import { ROUTES } from '../api/public-routes.js';
import { currentSession, storeUserInfo } from '../api/session.js';
import { coalesce, keepLatest } from './coalesce.js';
import { lastUser, useUser, type User } from './stored-user.js';

export type { User } from './stored-user.js';

/** The member; the shell renders pages only once it is loaded. */
export function useMember(): User {
  const user = useUser() ?? lastUser();
  if (!user) throw new Error('useMember outside the console');
  return user;
}

/** Reloads the member after a change (balance, nickname, channel). Throws ApiError. */
export const refreshUser: () => Promise<User> = keepLatest(
  () => callRoute<typeof getUser>(ROUTES.getUser, {}),
  (user) => {
    // Another account may have signed in since the request.
    if (user.userId === currentSession()?.userId) storeUserInfo(JSON.stringify(user));
  },
);

/** The member, at most a few seconds old: concurrent callers share one request. Throws ApiError. */
export const freshUser: () => Promise<User> = coalesce(refreshUser, {
  key: () => currentSession()?.sk ?? '',
  freshMs: 5_000, // a page's code may take this long to load
});

export const isMain = (user: User): boolean => user.parentUserId === null;

/** The account's billing mode: sub-accounts always pay by character, whatever their main account's group (decisions §3). */
export const billingModeOf = (user: User): BillingMode =>
  isMain(user) ? user.memberGroup.translationBillingMode : 'char';
