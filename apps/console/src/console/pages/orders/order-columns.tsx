import { BILLING_MODES } from '@yiqiao/domain/plans';
import type { TableColumnType } from 'antd';
import { language } from '../../../shared/i18n/language.js';
import type { T } from '../../../shared/i18n/texts.js';
import { grouped, yuan } from '../../../shared/ledger/amount-text.js';
import { payChannelName } from '../../../shared/payment/pay-channel-name.js';
import { planSize } from '../../../shared/payment/plan-text.js';
import { labelled, type Column } from '../../../shared/table/labelled.js';
import { packageName, type Order } from './order.js';
import { OrderActions, type OrderDeeds } from './order-actions.js';
import { OrderNumber } from './order-number.js';
import { StatusTag } from './status-tag.js';
import { TimeLeft } from './time-left.js';

function Moment({ at, t }: { at: string | null; t: T<'orders'> }) {
  if (at === null) return <span className="faint">{t('none')}</span>;
  const [day, clock] = at.split(' ');
  return (
    <time className="od-time num" dateTime={at.replace(' ', 'T')}>
      {day} <span>{clock}</span>
    </time>
  );
}

type ColumnsOf = { deeds: OrderDeeds; onOver: () => void; t: T<'orders'> };

/** The columns of specification §2, each cell knowing its heading for phones. */
export function orderColumns({ deeds, onOver, t }: ColumnsOf): TableColumnType<Order>[] {
  const columns: Column<Order>[] = [
    { key: 'no', title: t('no'), render: (_, { no }) => <OrderNumber no={no} /> },
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
    { key: 'operate', title: t('operate'), render: (_, order) => <OrderActions order={order} deeds={deeds} /> },
  ];
  return labelled(columns, 'od-c');
}
