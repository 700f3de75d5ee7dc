import { Link } from 'react-router';
import { useTexts } from '../../../shared/i18n/texts.js';
import { ListMessage } from '../../../shared/logs/list-message.js';
import { ListTable } from '../../../shared/table/list-table.js';
import { Empty } from '../../../shared/ui/empty.js';
import type { Order } from './order.js';
import type { OrderDeeds } from './order-actions.js';
import { orderColumns } from './order-columns.js';
import type { OrderTable } from './use-order-table.js';

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
  if (table.rows.length === 0) return <Message table={table} />;
  return (
    <ListTable<Order>
      list={table}
      label={t('title')}
      className="od-table"
      rowKey="id"
      columns={orderColumns({ deeds, onOver: table.look, t })}
    />
  );
}
