import { Button, Table } from 'antd';
import { Link } from 'react-router';
import { messageOf } from '../../shared/api/api-error.js';
import { useTexts } from '../../shared/i18n/texts.js';
import { grouped } from '../../shared/ledger/amount-text.js';
import { TableSkeleton } from '../../shared/ui/console/table-skeleton.js';
import { Empty } from '../../shared/ui/empty.js';
import { ErrorState } from '../../shared/ui/error-state.js';
import type { Order } from './order.js';
import type { OrderDeeds } from './order-actions.js';
import { orderColumns } from './order-columns.js';
import type { OrderTable } from './use-order-table.js';
import '../../shared/logs/log-page.css';

/** What stands in the place of the rows when there are none to show (DESIGN §4). */
function Message({ table }: { table: OrderTable }) {
  const t = useTexts('orders');
  const say = useTexts('logs');
  const { tableQuery, total, turnTo, pageSize } = table;
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
      <Empty title={say('pastEnd')} action={<Button onClick={() => turnTo(1, pageSize)}>{say('toFirst')}</Button>}>
        {say('pastEndWhy', { n: grouped(total) })}
      </Empty>
    );
  return (
    <Empty
      title={t('emptyTitle')}
      action={
        <Link className="btn btn-p" to="/UserCenterRecharge">
          {t('recharge')}
        </Link>
      }
    >
      {t('emptyWhy')}
    </Empty>
  );
}

/** The rows of the page, or what stands in their place. */
export function OrderList({ table, deeds }: { table: OrderTable; deeds: OrderDeeds }) {
  const t = useTexts('orders');
  const say = useTexts('logs');
  const { rows, total, tableQuery, currentPage, pageSize, turnTo } = table;
  if (tableQuery.isError || rows.length === 0) return <Message table={table} />;
  return (
    <Table<Order>
      className={`lg-table od-table ${tableQuery.isPlaceholderData ? 'stale' : ''}`}
      aria-label={t('title')}
      rowKey="id"
      dataSource={rows}
      columns={orderColumns({ deeds, onOver: table.look, t })}
      pagination={{
        current: currentPage,
        pageSize,
        total,
        onChange: turnTo,
        position: ['bottomRight'],
        showSizeChanger: true,
        pageSizeOptions: [10, 20, 50, 100],
        showTotal: (n) => say('total', { n: grouped(n) }),
      }}
    />
  );
}
