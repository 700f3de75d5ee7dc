import { Button } from 'antd';
import { Link } from 'react-router';
import { messageOf } from '../../shared/api/api-error.js';
import { useMember } from '../../shared/auth/user.js';
import { useTexts } from '../../shared/i18n/texts.js';
import { grouped } from '../../shared/ledger/amount-text.js';
import { Empty } from '../../shared/ui/empty.js';
import { ErrorState } from '../../shared/ui/error-state.js';
import { Icon } from '../../shared/ui/icon.js';
import { TableSkeleton } from '../../shared/ui/console/table-skeleton.js';
import type { ChildTable } from './use-child-table.js';

/** What stands in the place of the rows when there are none to show (DESIGN §4). */
export function ChildListMessage({ table, onAdd }: { table: ChildTable; onAdd: () => void }) {
  const t = useTexts('sub-accounts');
  const say = useTexts('logs');
  const { createChildUser } = useMember();
  const { tableQuery, total, search, ask, setCurrentPage } = table;
  if (tableQuery.isError) {
    const why = messageOf(tableQuery.error); // null: said already, above the page
    return (
      <ErrorState title={t('failed')} onReload={() => void tableQuery.refetch()}>
        {why && t('failedWhy', { why: why.replace(/[。.]$/, '') })}
      </ErrorState>
    );
  }
  if (!tableQuery.data) return <TableSkeleton rows={10} columns={8} />;
  if (total > 0)
    return (
      <Empty title={say('pastEnd')} action={<Button onClick={() => setCurrentPage(1)}>{say('toFirst')}</Button>}>
        {say('pastEndWhy', { n: grouped(total) })}
      </Empty>
    );
  if (search !== '')
    return (
      <Empty title={say('noMatch')} action={<Button onClick={() => ask('')}>{say('reset')}</Button>}>
        {t('noMatchWhy', { text: search })}
      </Empty>
    );
  if (!createChildUser)
    return (
      <Empty
        title={t('upsellTitle')}
        action={
          <Link className="btn btn-p" to="/UserCenterRecharge">
            {t('upsellGo')}
          </Link>
        }
      >
        {t('upsellWhy')}
      </Empty>
    );
  return (
    <Empty
      title={t('emptyTitle')}
      action={
        <button type="button" className="btn btn-p" onClick={onAdd}>
          <Icon name="add" />
          {t('add')}
        </button>
      }
    >
      {t('emptyWhy')}
    </Empty>
  );
}
