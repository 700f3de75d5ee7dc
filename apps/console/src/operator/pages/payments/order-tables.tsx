import type { Response } from '@yiqiao/contracts/endpoint';
import type { getPaymentOrder } from '@yiqiao/contracts/operator/payments';
import { Button, Table } from 'antd';
import { Link } from 'react-router';
import { grouped, signed, yuan } from '../../../shared/amounts.js';
import { useMessages } from '../../../shared/i18n/messages.js';
import { BeforeAfter } from '../../../shared/ui/before-after.js';
import { Card } from '../../../shared/ui/card.js';
import { REFUND_LOOKS } from './refunds-page.js';
import type { usePaymentCommands } from './use-payment-commands.js';

type Order = Response<typeof getPaymentOrder>;
type Payment = Order['payments'][number];
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
        className="payment-table"
        size="small"
        rowKey="id"
        pagination={false}
        scroll={{ x: 'max-content' }}
        dataSource={order.payments}
        locale={{ emptyText: '–' }}
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
            render: (_, p) => `${t(`seen_${p.seenBy}`)} ${p.receivedAt.slice(11)}`,
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
            render: (_, { refundState }) =>
              refundState === null ? (
                <span className="faint">–</span>
              ) : (
                <span className={`state ${REFUND_LOOKS[refundState]}`}>{t(`state_${refundState}`)}</span>
              ),
          },
          {
            key: 'do',
            align: 'right',
            render: (_, payment) => {
              if (payment.requestId !== null) return <span className="badge hand">{t('pendingRequest')}</span>;
              if (payment.refundable === null) return null;
              return (
                <Button
                  size="small"
                  disabled={!mayRefund?.can}
                  title={mayRefund?.reason}
                  onClick={() => onRefund(payment)}
                >
                  {t('refund')}
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
        className="payment-table"
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
  return (
    <Card title={t('ledger')} note={t('paymentsCount', { n: order.entries.length })}>
      <Table<Order['entries'][number]>
        className="payment-table"
        size="small"
        rowKey="id"
        pagination={false}
        scroll={{ x: 'max-content' }}
        dataSource={order.entries}
        locale={{ emptyText: '–' }}
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
          { key: 'type', title: t('words'), render: (_, { type }) => t(`entry_${type}`) },
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
  return (
    <Card title={t('messages')}>
      <Table<Order['messages'][number]>
        className="payment-table"
        size="small"
        rowKey="id"
        pagination={false}
        scroll={{ x: 'max-content' }}
        dataSource={order.messages}
        expandable={{
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
          { key: 'at', title: t('time'), className: 'numeric', rowScope: 'row', dataIndex: 'at' },
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
  forged: 'is_forged',
  stranger: 'is_stranger',
  unknownOrder: 'is_unknownOrder',
  wrongOrder: 'is_wrongOrder',
} as const;

/** A repetition and whatever needs nothing are simply processed. */
function Outcome({ outcome }: { outcome: string | null }) {
  const t = useMessages('payments');
  if (outcome === null) return t('notProcessed');
  return outcome in OUTCOMES ? t(OUTCOMES[outcome as keyof typeof OUTCOMES]) : t('handled');
}
