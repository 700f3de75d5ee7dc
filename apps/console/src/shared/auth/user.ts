/** The signed-in member, for pages below the console shell. */
import { getUser } from '@yiqiao/contracts/user';
import { call } from '../api/call.js';
import { storeUserInfo } from '../api/session.js';
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
  () => call(getUser, {}),
  (user) => storeUserInfo(JSON.stringify(user)),
);

export const isMain = (user: User): boolean => user.parentUserId === null;
