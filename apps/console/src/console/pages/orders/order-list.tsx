import { BILLING_MODES } from '@yiqiao/domain/plans';
import { PAY_STATUSES, type PayStatus } from '@yiqiao/domain/orders';
import { Button, Select, type TableColumnType } from 'antd';
import { Link } from 'react-router';
import { language } from '../../../shared/i18n/language.js';
import { type Translate, useMessages } from '../../../shared/i18n/messages.js';
import { grouped, yuan } from '../../../shared/amounts.js';
import { ListMessage } from '../../shared/logs/list-message.js';
import { payChannelName } from '../../shared/payment/payment.js';
import { planSize } from '../../../shared/payment/plan-text.js';
import { type Column, labelled } from '../../shared/table/labelled.js';
import { ListBar } from '../../shared/table/bulk-bar.js';
import { ListTable } from '../../shared/table/list-table.js';
import { Empty } from '../../../shared/ui/empty.js';
import { OrderNumber, StatusTag, TimeLeft } from './order-cells.js';
import { type Order, packageName } from './order.js';
import { type OrderTable, PAY_STATUS_CODES } from './use-order-table.js';

/** The actions of an order, which the page carries out. */
export type OrderHandlers = {
  show: (order: Order) => void;
  pay: (order: Order) => void;
  flush: (order: Order) => void;
  cancel: (order: Order) => void;
  /** The order whose payment is being checked or started: one at a time. */
  busy: number | null;
};

/** Details for every order; refresh, pay and cancel only for unpaid ones (specification §4). */
function OrderActions({ order, handlers }: { order: Order; handlers: OrderHandlers }) {
  const t = useMessages('orders');
  const { no } = order;
  const busy = handlers.busy === order.id;
  return (
    <div className="row-ops od-ops">
      {order.payStatus === 'W' && (
        <>
          <button type="button" aria-label={t('payNamed', { no })} disabled={busy} onClick={() => handlers.pay(order)}>
            {t('pay')}
          </button>
          <button
            type="button"
            aria-label={t('flushNamed', { no })}
            aria-busy={busy}
            disabled={busy}
            onClick={() => handlers.flush(order)}
          >
            {t('flush')}
          </button>
          <button
            type="button"
            className="danger"
            aria-label={t('cancelNamed', { no })}
            disabled={busy}
            onClick={() => handlers.cancel(order)}
          >
            {t('cancel')}
          </button>
        </>
      )}
      <button type="button" aria-label={t('showNamed', { no })} onClick={() => handlers.show(order)}>
        {t('show')}
      </button>
    </div>
  );
}

function Moment({ at, t }: { at: string | null; t: Translate<'orders'> }) {
  if (at === null) return <span className="faint">{t('none')}</span>;
  const [day, clock] = at.split(' ');
  return (
    <time className="od-time numeric" dateTime={at.replace(' ', 'T')}>
      {day} <span>{clock}</span>
    </time>
  );
}

type ColumnsOf = { handlers: OrderHandlers; onOver: () => void; t: Translate<'orders'> };

/** The columns of specification §2, each cell with its heading for phones. */
function orderColumns({ handlers, onOver, t }: ColumnsOf): TableColumnType<Order>[] {
  const columns: Column<Order>[] = [
    { key: 'no', title: t('no'), rowScope: 'row', render: (_, { no }) => <OrderNumber no={no} /> },
    {
      key: 'package',
      title: t('packageAndMode'),
      render: (_, order) => (
        <span className="od-package">
          {packageName(order)}
          <small>{BILLING_MODES[order.translationBillingMode][language]}</small>
        </span>
      ),
    },
    {
      key: 'bought',
      title: t('bought'),
      render: (_, { translationBillingMode, num }) => planSize(translationBillingMode, num),
    },
    { key: 'quantity', title: t('quantity'), align: 'right', render: (_, { salesNum }) => grouped(salesNum) },
    { key: 'amount', title: t('amount'), align: 'right', render: (_, { amount }) => <b>{yuan(amount)}</b> },
    { key: 'method', title: t('method'), render: (_, { payChannel }) => payChannelName(payChannel) },
    {
      key: 'status',
      title: t('status'),
      render: (_, order) => (
        <span className="od-state">
          <StatusTag order={order} />
          {order.payStatus === 'W' && <TimeLeft order={order} onOver={onOver} />}
        </span>
      ),
    },
    { key: 'created', title: t('created'), render: (_, { createDateTime }) => <Moment at={createDateTime} t={t} /> },
    { key: 'paid', title: t('paid'), render: (_, { payDateTime }) => <Moment at={payDateTime} t={t} /> },
    {
      key: 'operate',
      className: 'lt-stay',
      title: t('operate'),
      render: (_, order) => <OrderActions order={order} handlers={handlers} />,
    },
  ];
  return labelled(columns, 'od-c');
}

/** Orders of one status, or all; absent while there are none at all. */
export function StatusFilter({ table: { status, setStatus, total } }: { table: OrderTable }) {
  const t = useMessages('orders');
  if (total === 0 && status === null) return null;
  return (
    <ListBar>
      <Select<PayStatus | 'all'>
        aria-label={t('status')}
        className="od-filter"
        value={status ?? 'all'}
        options={[
          { value: 'all', label: t('anyStatus') },
          ...PAY_STATUS_CODES.map((value) => ({ value, label: PAY_STATUSES[value][language] })),
        ]}
        onChange={(value) => setStatus(value === 'all' ? null : value)}
      />
    </ListBar>
  );
}

function NoMatch({ onReset }: { onReset: () => void }) {
  const t = useMessages('logs');
  return <Empty title={t('noMatch')} action={<Button onClick={onReset}>{t('reset')}</Button>} />;
}

/** Replaces the rows when there are none to show (DESIGN §4). */
function Message({ table }: { table: OrderTable }) {
  const t = useMessages('orders');
  const { tableQuery, turnTo, pageSize, status, setStatus } = table;
  return (
    <ListMessage
      query={tableQuery}
      skeleton={{ rows: 10, columns: 8 }}
      failed={{ title: t('failed'), why: (why) => t('failedWhy', { why }) }}
      toFirst={() => turnTo(1, pageSize)}
    >
      {status !== null ? (
        <NoMatch onReset={() => setStatus(null)} />
      ) : (
        <Empty
          title={t('emptyTitle')}
          action={
            <Link className="button button-primary" to="/UserCenterRecharge">
              {t('recharge')}
            </Link>
          }
        >
          {t('emptyWhy')}
        </Empty>
      )}
    </ListMessage>
  );
}

/** The rows of the page, or the message in their place. */
export function OrderList({ table, handlers }: { table: OrderTable; handlers: OrderHandlers }) {
  const t = useMessages('orders');
  if (table.rows.length === 0) return <Message table={table} />;
  return (
    <ListTable<Order>
      list={table}
      label={t('title')}
      className="od-table"
      rowKey="id"
      columns={orderColumns({ handlers, onOver: table.look, t })}
    />
  );
}
