import { useCallback, useEffect, useState } from 'react';
import { useNavigate } from '../../routing/routing.js';
import { currentSession, sessionSettled, type Session } from '../../../shared/api/session.js';
import { takeHandedSession } from '../../../shared/auth/handed-session.js';
import { useUser } from '../../../shared/auth/stored-user.js';
import { takeWayBack } from '../../../shared/auth/way-back.js';
import { useTexts } from '../../../shared/i18n/texts.js';
import { Dialog } from '../../../shared/ui/dialog.js';
import { signIn } from './sign-in.js';

/** A session that came with the address is taken on; if somebody else is signed in, the page asks first (decisions §2). */
export function HandedSession() {
  const t = useTexts('login');
  const user = useUser();
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
    <Dialog title={t('switchTitle')} onClose={leave}>
      <div className="dlg-body">
        <p>{t('switchWhy', { name: user?.nickname ?? t('thisAccount') })}</p>
      </div>
      <div className="dlg-foot">
        <button type="button" className="btn btn-d" data-first onClick={leave}>
          {t('switchKeep')}
        </button>
        <button type="button" className="btn btn-p" onClick={() => void takeOn(offered)}>
          {t('switchGo')}
        </button>
      </div>
    </Dialog>
  );
}
