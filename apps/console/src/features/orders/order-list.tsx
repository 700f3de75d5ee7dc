import { Table } from 'antd';
import { Link } from 'react-router';
import { useTexts } from '../../shared/i18n/texts.js';
import { grouped } from '../../shared/ledger/amount-text.js';
import { ListMessage } from '../../shared/logs/list-message.js';
import { Empty } from '../../shared/ui/empty.js';
import type { Order } from './order.js';
import type { OrderDeeds } from './order-actions.js';
import { orderColumns } from './order-columns.js';
import type { OrderTable } from './use-order-table.js';
import '../../shared/logs/log-page.css';

/** What stands in the place of the rows when there are none to show (DESIGN §4). */
function Message({ table }: { table: OrderTable }) {
  const t = useTexts('orders');
  const { tableQuery, turnTo, pageSize } = table;
  return (
    <ListMessage
      query={tableQuery}
      skeleton={{ rows: 10, columns: 8 }}
      failed={{ title: t('failed'), why: (why) => t('failedWhy', { why }) }}
      toFirst={() => turnTo(1, pageSize)}
    >
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
    </ListMessage>
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
