import { useEffect, useState } from 'react';
import { Outlet, useNavigate } from 'react-router';
import { ApiError } from '../../shared/api/api-error.js';
import { onEndedElsewhere } from '../../shared/api/session.js';
import { lastUser, useUser } from '../../shared/auth/stored-user.js';
import { isMain, refreshUser } from '../../shared/auth/user.js';
import { rememberWayBack } from '../../shared/auth/way-back.js';
import { useTexts } from '../../shared/i18n/texts.js';
import { useLiveAccount } from '../../shared/live/use-live-account.js';
import { ErrorState } from '../../shared/ui/error-state.js';
import { useRow } from '../frame.js';
import { NoPermission } from './no-permission.js';
import { SideMenu } from './side-menu.js';
import { TopBar } from './top-bar.js';

/** Loads the member once per visit of the console. */
function useLoadedUser() {
  const known = useUser();
  const user = known ?? lastUser(); // a page stays on screen while its session's end is announced
  const [failed, setFailed] = useState(false);
  const load = (): void => {
    setFailed(false);
    refreshUser().catch((error: unknown) => {
      if (!(error instanceof ApiError)) throw error;
      setFailed(true);
    });
  };
  useEffect(load, []);
  return { user, failed: failed && !user, load };
}

function Body() {
  const { user, failed, load } = useLoadedUser();
  const t = useTexts('shared');
  const row = useRow();
  if (failed) return <ErrorState onReload={load} />;
  if (!user)
    return (
      <div className="page-wait" role="status">
        <span className="faint">{t('loading')}</span>
      </div>
    );
  if (row?.who === 'main' && !isMain(user)) return <NoPermission />;
  return <Outlet />;
}

/** Signed out in another tab: this one goes to login, and back here afterwards. */
function useLeaveWhenEndedElsewhere(): void {
  const navigate = useNavigate();
  useEffect(
    () =>
      onEndedElsewhere(() => {
        rememberWayBack(location.pathname + location.search);
        void navigate('/login?type=1');
      }),
    [navigate],
  );
}

/** Top bar, side menu in two groups, content (DESIGN §3). */
export function Shell() {
  const t = useTexts('app');
  useLeaveWhenEndedElsewhere();
  useLiveAccount();
  return (
    <div className="console">
      <a className="skip" href="#main">
        {t('skip')}
      </a>
      <TopBar />
      <div className="shell">
        <SideMenu />
        <main id="main" className="cm" tabIndex={-1}>
          <Body />
        </main>
      </div>
    </div>
  );
}
