import './shell-signs.css';
import { useGetIdentity, useOnError } from '@refinedev/core';
import { lazy, Suspense, useEffect } from 'react';
import { Link, Outlet } from 'react-router';
import { currentView, onEndedElsewhere } from '../shared/api/session.js';
import { lastUser, type User, useUser } from '../shared/auth/stored-user.js';
import { rememberReturnPath } from '../shared/auth/return-path.js';
import { useMessages } from '../shared/i18n/messages.js';
import { leaveFor } from '../shared/leave.js';
import { useLiveAccount } from './shared/use-live.js';
import { useReloadFailed } from './shared/use-online.js';
import * as live from '../shared/live/live.js';
import { Notices } from '../shared/notices/notices.js';
import * as watchNotices from '../shared/notices/watch-notices.js';
import { PackageWarningBanner } from './shared/package-warning/package-warning.js';
import { Empty } from '../shared/ui/empty.js';
import { ErrorState } from '../shared/ui/error-state.js';
import { useMaySee } from './access-provider.js';
import { useRow } from './frame.js';
import { PageSkeleton } from './page-skeleton.js';
import { nameOf } from './page-table.js';
import { SideMenu } from './side-menu.js';
import { TopBar } from './top-bar.js';

/** Loaded for an operator only. */
const ViewFrame = lazy(() => import('./view-frame.js'));

/** Replaces a page that this role may not see, and offers a way back (decisions §6). */
function NoPermission() {
  const t = useMessages('console');
  return (
    <div className="card">
      <Empty
        level="h1"
        title={t('noPermission')}
        action={
          <Link className="button button-primary" to="/UserCenterIndex">
            {t('toOverview')}
          </Link>
        }
      >
        {t('noPermissionWhy')}
      </Empty>
    </div>
  );
}

/** Part of the console's first script: a file of its own would be one more request (docs/performance.md). */
const liveCode = () => Promise.resolve([watchNotices, live] as [typeof watchNotices, typeof live]);

/** Loads the member once; the stored one is shown until then. */
function useLoadedUser() {
  const { data, error, refetch } = useGetIdentity<User>();
  const { mutate: onError } = useOnError();
  useEffect(() => {
    if (error) onError(error);
  }, [error, onError]);
  const known = useUser();
  const user = known ?? lastUser() ?? data; // a page stays on screen while its session's end is announced
  return { user, failed: error !== null && !user, load: () => void refetch() };
}

function Body() {
  const { user, failed, load } = useLoadedUser();
  const row = useRow();
  const may = useMaySee(row ? nameOf(row) : '');
  if (failed) return <ErrorState onReload={load} />;
  if (!user || may === null) return <PageSkeleton />;
  return may ? <Outlet /> : <NoPermission />;
}

/** After a sign-out in another tab this one goes to login, and back here afterwards. `failures.ts` handles an expired session. */
function useLeaveWhenEndedElsewhere(): void {
  useEffect(
    () =>
      onEndedElsewhere((why) => {
        if (why !== 'left') return;
        rememberReturnPath(location.pathname + location.search);
        void leaveFor('/login?type=1');
      }),
    [],
  );
}

/** Top bar, side menu in two groups, content (DESIGN §3). */
export function Shell() {
  const t = useMessages('shared');
  useLeaveWhenEndedElsewhere();
  useLiveAccount();
  useReloadFailed();
  return (
    <div className="console">
      <a className="skip" href="#main">
        {t('skip')}
      </a>
      <TopBar />
      <div className="shell">
        <SideMenu />
        <main id="main" className="shell-content" tabIndex={-1}>
          <PackageWarningBanner />
          <Body />
        </main>
      </div>
      <Notices load={liveCode} />
      {currentView() && (
        <Suspense fallback={null}>
          <ViewFrame />
        </Suspense>
      )}
    </div>
  );
}
