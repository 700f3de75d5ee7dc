import { useList, type HttpError } from '@refinedev/core';
import { Link } from 'react-router';
import { messageOf } from '../../../shared/api/api-error.js';
import { useMessages } from '../../../shared/i18n/messages.js';
import { EntryAmounts, EntryKind, EntryMovements } from '../../shared/ledger/entry-cells.js';
import { changeTagOf } from '@yiqiao/contracts/account-log';
import type { LedgerRow } from '../../shared/ledger/entry-reading.js';
import { dayLink } from '../../shared/logs/log-link.js';
import { yesterday } from '../../shared/logs/log-query.js';
import { Card } from '../../../shared/ui/card.js';
import { ChangeTag } from '../../shared/ui/change-tag.js';
import { Empty } from '../../../shared/ui/empty.js';
import { ErrorState } from '../../../shared/ui/error-state.js';
import { TableSkeleton } from '../../../shared/ui/table-skeleton.js';

const SHOWN = 5;

function Entries({ rows }: { rows: readonly LedgerRow[] }) {
  return (
    <ul className="ov-entries">
      {rows.map((row) => (
        <li key={row.id}>
          <time className="numeric faint">{row.createDateTime.slice(5, 16)}</time>
          <EntryKind row={row} />
          <ChangeTag change={changeTagOf(row)} />
          <EntryAmounts row={row} />
          <EntryMovements row={row} />
        </li>
      ))}
    </ul>
  );
}

/** The latest entries of the ledger. */
export function RecentEntries() {
  const t = useMessages('overview');
  const { query } = useList<LedgerRow, HttpError>({
    resource: 'accountLogs',
    pagination: { currentPage: 1, pageSize: SHOWN },
    // Refetches this list only; the automatic mode would refetch every list of entries on the page.
    liveMode: 'manual',
    onLiveEvent: () => void query.refetch(),
    errorNotification: false,
    queryOptions: { retry: false, refetchOnMount: 'always' },
  });
  const rows = query.data?.data;
  return (
    <Card
      className="ov-recent"
      title={t('recent')}
      note={
        <>
          <Link className="link" to={dayLink(yesterday().begin.slice(0, 10))}>
            {t('recentYesterday')}
          </Link>
          <Link className="link" to="/UserCenterAccountLog">
            {t('recentAll')}
          </Link>
        </>
      }
    >
      {query.isError && (
        <ErrorState title={t('recentFailed')} onReload={() => void query.refetch()}>
          {messageOf(query.error)}
        </ErrorState>
      )}
      {query.isPending && <TableSkeleton rows={SHOWN} />}
      {rows?.length === 0 && (
        <Empty
          title={t('recentEmpty')}
          action={
            <Link className="button button-default" to="/UserCenterChangeTranslateTest">
              {t('translate')}
            </Link>
          }
        >
          {t('recentEmptyWhy')}
        </Empty>
      )}
      {rows && rows.length > 0 && <Entries rows={rows} />}
    </Card>
  );
}
