import type { AuthProvider } from '@refinedev/core';
import { ApiError } from '../shared/api/api-error.js';
import { sessionIsOver } from '../shared/api/failures.js';
import { currentSession, sessionSettled } from '../shared/api/session.js';
import { lastUser, storedUser } from '../shared/auth/stored-user.js';
import { freshUser } from '../shared/auth/user.js';
import { rememberReturnPath } from '../shared/auth/return-path.js';

const LOGIN = '/login?type=1';

/** Sign-in and sign-out are pages of the site (specification §2); Refine gets their addresses and the member here. */
export const authProvider: AuthProvider = {
  login: () => Promise.resolve({ success: true, redirectTo: LOGIN }),
  logout: () => Promise.resolve({ success: true, redirectTo: '/UserCenterExit' }),
  check: async () => {
    await sessionSettled();
    return currentSession() ? { authenticated: true } : { authenticated: false, redirectTo: LOGIN };
  },
  // `failures.ts` handles 700–777. A request without a session leads to login, and back here afterwards.
  onError: (error: unknown) => {
    const unsigned = error instanceof ApiError && error.status === 401 && !currentSession();
    if (!unsigned || sessionIsOver()) return Promise.resolve({});
    rememberReturnPath(location.pathname + location.search);
    return Promise.resolve({ redirectTo: LOGIN });
  },
  getIdentity: freshUser,
  getPermissions: () => {
    const user = storedUser() ?? lastUser();
    return Promise.resolve(user && (user.parentUserId === null ? 'main' : 'sub'));
  },
};
