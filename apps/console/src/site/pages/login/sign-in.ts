import { startSession, type Session } from '../../../shared/api/session.js';
import { messageOf } from '../../../shared/api/api-error.js';
import { refreshUser } from '../../../shared/auth/user.js';

/** Specification §4: id, secret and user info are stored, and a login-success event is emitted. */
export async function signIn(session: Session): Promise<void> {
  startSession(session);
  try {
    await refreshUser();
  } catch (error) {
    // The session is good; the console loads the member again and says so if it cannot.
    messageOf(error);
  }
  window.dispatchEvent(new CustomEvent('login-success', { detail: { userId: session.userId } }));
}
