import { lazy, Suspense, useCallback, useEffect, useState } from 'react';
import { useNavigate } from '../../shared/routing.js';
import { currentSession, sessionSettled, type Session } from '../../../shared/api/session.js';
import { takeHandedSession } from '../../shared/url-session.js';
import { takeWayBack } from '../../../shared/auth/way-back.js';
import { signIn } from './sign-in.js';

// Few people see it.
const SwitchAccount = lazy(async () => ({ default: (await import('./switch-account.js')).SwitchAccount }));

/** A session that came with the address is taken on; if somebody else is signed in, the page asks first (decisions §2). */
export function HandedSession() {
  const navigate = useNavigate();
  const [offered, setOffered] = useState<Session | null>(null);

  const leave = useCallback((): void => void navigate(takeWayBack(), { replace: true }), [navigate]);
  const takeOn = useCallback(
    async (session: Session): Promise<void> => {
      setOffered(null);
      await signIn(session);
      if (currentSession()) leave(); // an expired one has been announced and forgotten
    },
    [leave],
  );

  useEffect(() => {
    const session = takeHandedSession();
    if (!session) return;
    void sessionSettled().then(() => {
      const current = currentSession();
      if (current && current.userId !== session.userId) setOffered(session);
      else void takeOn(session);
    });
  }, [takeOn]);

  if (!offered) return null;
  return (
    <Suspense>
      <SwitchAccount onKeep={leave} onSwitch={() => void takeOn(offered)} />
    </Suspense>
  );
}
