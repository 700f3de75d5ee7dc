import type { AuthProvider } from '@refinedev/core';
import { ApiError } from '../../shared/api/api-error.js';
import { currentSession, sessionSettled } from '../../shared/api/session.js';
import { lastUser, storedUser } from '../../shared/auth/stored-user.js';
import { freshUser } from '../../shared/auth/user.js';
import { rememberWayBack } from '../../shared/auth/way-back.js';

const LOGIN = '/login?type=1';

/** Signing in and out are pages of their own (specification §2); this tells Refine where they are and who is here. */
export const authProvider: AuthProvider = {
  login: () => Promise.resolve({ success: true, redirectTo: LOGIN }),
  logout: () => Promise.resolve({ success: true, redirectTo: '/UserCenterExit' }),
  check: async () => {
    await sessionSettled();
    return currentSession() ? { authenticated: true } : { authenticated: false, redirectTo: LOGIN };
  },
  // 700–777 are announced and left by the gate. What comes back unsigned has no session to lose: it begins with login, and ends here.
  onError: (error: unknown) => {
    if (!(error instanceof ApiError) || error.status !== 401 || currentSession()) return Promise.resolve({});
    rememberWayBack(location.pathname + location.search);
    return Promise.resolve({ redirectTo: LOGIN });
  },
  getIdentity: freshUser,
  getPermissions: () => {
    const user = storedUser() ?? lastUser();
    return Promise.resolve(user && (user.parentUserId === null ? 'main' : 'sub'));
  },
};
