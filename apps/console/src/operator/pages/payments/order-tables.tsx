import type { Response } from '@yiqiao/contracts/endpoint';
import type { getPaymentOrder } from '@yiqiao/contracts/operator/payments';
import { FORGED_NOTIFICATION_DAYS } from '@yiqiao/domain/limits';
import { Button, Table } from 'antd';
import { useState } from 'react';
import { Link } from 'react-router';
import { grouped, signed, yuan } from '../../../shared/amounts.js';
import { language } from '../../../shared/i18n/language.js';
import { useMessages } from '../../../shared/i18n/messages.js';
import { BeforeAfter } from '../../../shared/ui/before-after.js';
import { Card } from '../../../shared/ui/card.js';
import { listed } from '../../shared/listed.js';
import { REFUND_LOOKS } from './refunds-page.js';
import type { usePaymentCommands } from './use-payment-commands.js';

type Order = Response<typeof getPaymentOrder>;
type Payment = Order['payments'][number];
type Message = Order['messages'][number];
type May = ReturnType<typeof usePaymentCommands>['mayRefund'];

export function Payments({
  order,
  mayRefund,
  onRefund,
}: {
  order: Order;
  mayRefund: May;
  onRefund: (p: Payment) => void;
}) {
  const t = useMessages('payments');
  return (
    <Card title={t('received')} note={t('paymentsCount', { n: order.payments.length })}>
      <Table<Payment>
        className="panel-table"
        size="small"
        rowKey="id"
        pagination={false}
        scroll={{ x: 'max-content' }}
        dataSource={order.payments}
        locale={{ emptyText: <p className="faint">{t('noPayments')}</p> }}
        columns={[
          {
            key: 'trade',
            title: t('trade'),
            rowScope: 'row',
            render: (_, { tradeNo }) => <span className="mono">{tradeNo}</span>,
          },
          {
            key: 'amount',
            title: t('amount'),
            align: 'right',
            className: 'numeric',
            render: (_, { amount, currency }) =>
              currency === 'CNY' ? `¥${yuan(amount)}` : `${yuan(amount)} ${currency}`,
          },
          {
            key: 'seen',
            title: t('knownBy'),
            className: 'numeric',
            render: (_, p) => listed(t(`seen_${p.seenBy}`), p.receivedAt.slice(5)),
          },
          {
            key: 'verdict',
            title: t('verdict'),
            render: (_, { verdict }) => (
              <span className={`state ${verdict === 'credit' ? 'ok' : 'bad'}`}>{t(`verdict_${verdict}`)}</span>
            ),
          },
          {
            key: 'refund',
            title: t('refund'),
            render: (_, { refundState, verdict }) =>
              refundState === null ? (
                <span className="faint">{verdict === 'credit' ? '—' : t('notRefunded')}</span>
              ) : (
                <span className={`state ${REFUND_LOOKS[refundState]}`}>{t(`state_${refundState}`)}</span>
              ),
          },
          {
            key: 'do',
            align: 'right',
            render: (_, payment) => {
              if (payment.requestId !== null)
                return (
                  <Link className="badge hand" to={`/approvals/${payment.requestId}`}>
                    {t('pendingRequest')}
                  </Link>
                );
              if (payment.refundable === null) return null;
              return (
                <Button
                  size="small"
                  type={payment.verdict === 'credit' ? 'link' : 'default'}
                  {...(payment.verdict === 'credit' ? { style: { paddingInline: 0 } } : {})}
                  disabled={!mayRefund?.can}
                  title={mayRefund?.reason}
                  onClick={() => onRefund(payment)}
                >
                  {t(payment.verdict === 'credit' ? 'refund' : 'giveBack')}
                </Button>
              );
            },
          },
        ]}
      />
    </Card>
  );
}

export function Refunds({ order }: { order: Order }) {
  const t = useMessages('payments');
  return (
    <Card title={t('tabRefunds')}>
      <Table<Order['refunds'][number]>
        className="panel-table"
        size="small"
        rowKey="no"
        pagination={false}
        scroll={{ x: 'max-content' }}
        dataSource={order.refunds}
        columns={[
          {
            key: 'no',
            title: t('refundNo'),
            rowScope: 'row',
            render: (_, { no }) => <span className="mono">{no}</span>,
          },
          {
            key: 'amount',
            title: t('amount'),
            align: 'right',
            className: 'numeric',
            render: (_, r) => `¥${yuan(r.amount)}`,
          },
          {
            key: 'state',
            title: t('state'),
            render: (_, { state }) => <span className={`state ${REFUND_LOOKS[state]}`}>{t(`state_${state}`)}</span>,
          },
          { key: 'by', title: t('by'), render: (_, { by }) => by !== null && <span className="badge hand">{by}</span> },
          {
            key: 'reason',
            title: t('closeReason'),
            render: (_, { reason, answer }) => <span className="dynamic-text">{answer ?? reason}</span>,
          },
          { key: 'at', title: t('time'), className: 'numeric', dataIndex: 'at' },
        ]}
      />
    </Card>
  );
}

export function Entries({ order }: { order: Order }) {
  const t = useMessages('payments');
  const plan = language === 'zh' ? order.planName : order.planEnName;
  return (
    <Card title={t('ledger')} note={t('entriesCount', { n: order.entries.length })}>
      <Table<Order['entries'][number]>
        className="panel-table"
        size="small"
        rowKey="id"
        pagination={false}
        scroll={{ x: 'max-content' }}
        dataSource={order.entries}
        locale={{ emptyText: <p className="faint">{t('noEntries')}</p> }}
        columns={[
          {
            key: 'seq',
            title: t('seq'),
            rowScope: 'row',
            render: (_, { seq, userId }) => (
              <Link className="link numeric" to={`/ledger/replay/${userId}?seq=${seq}`}>
                #{grouped(seq)}
              </Link>
            ),
          },
          { key: 'type', title: t('words'), render: (_, { type }) => t(`entry_${type}`, { plan }) },
          {
            key: 'chars',
            title: t('chars'),
            align: 'right',
            className: 'numeric',
            render: (_, e) => signed(e.charNum),
          },
          {
            key: 'change',
            title: t('change'),
            className: 'numeric',
            render: (_, e) => <BeforeAfter before={grouped(e.beforeChar)} after={grouped(e.lastChar)} />,
          },
          { key: 'at', title: t('time'), className: 'numeric', dataIndex: 'at' },
        ]}
      />
    </Card>
  );
}

export function Messages({ order }: { order: Order }) {
  const t = useMessages('payments');
  const [open, setOpen] = useState<number | null>(null);
  return (
    <Card title={t('messages')} note={t('messagesKept', { n: FORGED_NOTIFICATION_DAYS })}>
      <Table<Message>
        className="panel-table"
        size="small"
        rowKey="id"
        pagination={false}
        scroll={{ x: 'max-content' }}
        dataSource={order.messages}
        rowClassName={({ id }) => (id === open ? 'ant-table-row-selected' : '')}
        expandable={{
          showExpandColumn: false,
          expandedRowKeys: open === null ? [] : [open],
          expandedRowRender: ({ fields }) => (
            <dl className="order-message">
              {fields.flatMap(({ name, value }) => [
                <dt key={name}>{name}</dt>,
                <dd key={`${name} value`}>{value}</dd>,
              ])}
            </dl>
          ),
        }}
        columns={[
          {
            key: 'at',
            title: t('receivedAt'),
            className: 'numeric',
            rowScope: 'row',
            render: (_, { at }) => at.slice(5),
          },
          { key: 'gateway', title: t('from2'), render: (_, { gateway }) => t(`gateway_${gateway}`) },
          {
            key: 'genuine',
            title: t('signature'),
            render: (_, { genuine }) => (
              <span className={`state ${genuine ? 'ok' : 'bad'}`}>{t(genuine ? 'valid' : 'invalid')}</span>
            ),
          },
          { key: 'outcome', title: t('outcome'), render: (_, { outcome }) => <Outcome outcome={outcome} /> },
          { key: 'times', title: t('times'), align: 'right', className: 'numeric', dataIndex: 'times' },
          {
            key: 'fields',
            align: 'right',
            render: (_, { id, fields }) =>
              fields.length > 0 && (
                <button
                  type="button"
                  className="link-button link"
                  aria-expanded={id === open}
                  onClick={() => setOpen(id === open ? null : id)}
                >
                  {t(id === open ? 'hideMessage' : 'showMessage')}
                </button>
              ),
          },
        ]}
      />
    </Card>
  );
}

const OUTCOMES = {
  credit: 'verdict_credit',
  double: 'verdict_double',
  afterLogOff: 'verdict_afterLogOff',
  wrongAmount: 'verdict_wrongAmount',
  tooLarge: 'verdict_tooLarge',
  stranger: 'is_stranger',
  unknownOrder: 'is_unknownOrder',
  wrongOrder: 'is_wrongOrder',
} as const;

/** A repetition and whatever needs nothing are simply processed. */
function Outcome({ outcome }: { outcome: string | null }) {
  const t = useMessages('payments');
  if (outcome === null) return t('notProcessed');
  if (outcome === 'forged') return <span className="faint">{t('forgedNoEffect')}</span>;
  if (!(outcome in OUTCOMES)) return t('handled');
  const text = t(OUTCOMES[outcome as keyof typeof OUTCOMES]);
  return outcome === 'credit' ? text : <span className="negative">{text}</span>;
}
