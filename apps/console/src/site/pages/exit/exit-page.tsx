import './exit.css';
import type { logout } from '@yiqiao/contracts/login';
import { EXIT_SECONDS } from '@yiqiao/domain/limits';
import { useEffect, useState } from 'react';
import { useNavigate } from '../../shared/routing.js';
import { callRoute } from '../../../shared/api/call.js';
import { ROUTES } from '../../../shared/api/public-routes.js';
import { currentSession, endSession, sessionSettled } from '../../../shared/api/session.js';
import { useMessages } from '../../../shared/i18n/messages.js';
import { Empty } from '../../../shared/ui/empty.js';

/** Ends the session here and, if reachable, on the server. */
async function signOut(): Promise<void> {
  await sessionSettled(); // in a tab opened by a link, the session of the other tabs is meant
  if (!currentSession()) return;
  const told = callRoute<typeof logout>(ROUTES.logout, {}).catch(() => undefined); // signed before the secret is dropped
  endSession();
  await told;
}

/** Confirms the sign-out, counts down three seconds and returns to the home page (specification §2, §9). */
export default function ExitPage() {
  const t = useMessages('exit');
  const navigate = useNavigate();
  const [seconds, setSeconds] = useState(EXIT_SECONDS);
  useEffect(() => void signOut(), []);
  useEffect(() => {
    const timer = setTimeout(() => {
      if (seconds > 1) setSeconds(seconds - 1);
      else void navigate('/index', { replace: true });
    }, 1_000);
    return () => clearTimeout(timer);
  }, [seconds, navigate]);
  return (
    <div className="exit">
      <Empty
        state="done"
        level="h1"
        title={t('done')}
        action={
          <>
            <a className="button button-default" href="/login?type=1">
              {t('again')}
            </a>
            <a className="button button-primary" href="/index" data-replace>
              {t('now')}
            </a>
          </>
        }
      >
        {t('soon', { seconds })}
      </Empty>
    </div>
  );
}
