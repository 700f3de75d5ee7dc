/** The signed-in member, for pages below the console shell. */
import type { getUser } from '@yiqiao/contracts/user';
import type { BillingMode } from '@yiqiao/domain/plans';
import { callRoute } from '../api/call.js';
import { ROUTES } from '../api/public-routes.js';
import { currentSession, storeUserInfo } from '../api/session.js';
import { askOnce } from './ask-once.js';
import { keepNewest } from './keep-newest.js';
import { lastUser, useUser, type User } from './stored-user.js';

export type { User } from './stored-user.js';

/** The member; the shell renders pages only once there is one. */
export function useMember(): User {
  const user = useUser() ?? lastUser();
  if (!user) throw new Error('useMember outside the console');
  return user;
}

/** Loads the member again after something changed (balance, nickname, channel). Throws ApiError. */
export const refreshUser: () => Promise<User> = keepNewest(
  () => callRoute<typeof getUser>(ROUTES.getUser, {}),
  (user) => {
    // An answer may come after somebody else has signed in.
    if (user.userId === currentSession()?.userId) storeUserInfo(JSON.stringify(user));
  },
);

/** The member as of a moment ago: who asks at the same time, or a few seconds later, shares the answer. Throws ApiError. */
export const freshUser: () => Promise<User> = askOnce(refreshUser, {
  of: () => currentSession()?.sk ?? '',
  freshMs: 5_000, // the code of a page may take so long to come
});

export const isMain = (user: User): boolean => user.parentUserId === null;

/** How this account pays: a sub-account always by character, whatever its main account's group (decisions §3). */
export const billingModeOf = (user: User): BillingMode =>
  isMain(user) ? user.memberGroup.translationBillingMode : 'char';
