import './shell.css';
import { useCan } from '@refinedev/core';
import type { Endpoint } from '@yiqiao/contracts/endpoint';
import { getLedgerStatus } from '@yiqiao/contracts/operator/audits';
import { getDocument, listDocuments } from '@yiqiao/contracts/operator/documents';
import { getNotice, listNotices } from '@yiqiao/contracts/operator/notices';
import { getRequest, listRequests } from '@yiqiao/contracts/operator/requests';
import type { OperatorEvents } from '@yiqiao/contracts/operator/stream';
import { useEffect } from 'react';
import { Link, Outlet, useNavigate } from 'react-router';
import { useMessages } from '../../shared/i18n/messages.js';
import { useInvalidateEndpoint } from '../../shared/refine/use-endpoint.js';
import { Empty } from '../../shared/ui/empty.js';
import { onOperatorEvent } from '../shared/live.js';
import { Keys } from './keys.js';
import { DifferenceBand } from './ledger-status.js';
import { LostConnectionBand } from './lost-connection.js';
import { Rail, useRow } from './rail.js';
import { SessionEndBand } from './session-end.js';
import { TopBar } from './top-bar.js';

/** Says who may, because that is whom to ask. */
function NoPermission({ reason }: { reason: string | undefined }) {
  const t = useMessages('operator');
  const navigate = useNavigate();
  return (
    <div className="card">
      <Empty
        level="h1"
        title={t('noPermission')}
        action={
          <button type="button" className="button button-default" onClick={() => void navigate(-1)}>
            {t('back')}
          </button>
        }
      >
        {reason}
      </Empty>
    </div>
  );
}

export function NotFound() {
  const t = useMessages('operator');
  return (
    <div className="card">
      <Empty
        level="h1"
        title={t('pageNotFound')}
        action={
          <Link className="button button-primary" to="/">
            {t('toStart')}
          </Link>
        }
      >
        {t('notFoundWhy')}
      </Empty>
    </div>
  );
}

/** Every role reads every page; what a role may not do is said where it would do it. */
function Page() {
  const row = useRow();
  const { data } = useCan({ resource: row?.resource ?? '', action: 'read' });
  if (!data) return null;
  return data.can ? <Outlet /> : <NoPermission reason={data.reason} />;
}

/** What each of the server's events makes read again, wherever it is shown. */
const READ_AGAIN = {
  audit: [getLedgerStatus],
  readOnly: [getLedgerStatus],
  requests: [listRequests, getRequest],
  content: [listNotices, getNotice, listDocuments, getDocument],
} satisfies Partial<Record<keyof OperatorEvents, readonly Endpoint[]>>;

function FollowEvents() {
  const invalidate = useInvalidateEndpoint();
  useEffect(() => {
    const names = Object.keys(READ_AGAIN) as (keyof typeof READ_AGAIN)[];
    const stops = names.map((name) =>
      onOperatorEvent(name, () => READ_AGAIN[name].forEach((endpoint) => void invalidate(endpoint))),
    );
    return () => stops.forEach((stop) => stop());
  });
  return null;
}

/** Side bar, top bar, bands, page. */
export function Shell() {
  const t = useMessages('shared');
  return (
    <div className="shell-frame">
      <a className="skip" href="#main">
        {t('skip')}
      </a>
      <aside className="rail">
        <Rail />
      </aside>
      <div className="shell-body">
        <DifferenceBand />
        <LostConnectionBand />
        <SessionEndBand />
        <TopBar />
        <main id="main" className="shell-main" tabIndex={-1}>
          <Page />
        </main>
      </div>
      <FollowEvents />
      <Keys />
    </div>
  );
}
