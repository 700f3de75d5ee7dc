import type { Response } from '@yiqiao/contracts/endpoint';
import { type askGateway, getPaymentOrder } from '@yiqiao/contracts/operator/payments';
import { PAY_CHANNELS, PAY_STATUSES } from '@yiqiao/domain/orders';
import { getShell } from '@yiqiao/contracts/operator/shell';
import { Button } from 'antd';
import { useState } from 'react';
import { Link, useParams } from 'react-router';
import { grouped, yuan } from '../../../shared/amounts.js';
import { language } from '../../../shared/i18n/language.js';
import { useMessages } from '../../../shared/i18n/messages.js';
import { useEndpoint } from '../../../shared/refine/use-endpoint.js';
import { Card } from '../../../shared/ui/card.js';
import { Icon } from '../../../shared/ui/icon.js';
import { PageHeader } from '../../../shared/ui/page-header.js';
import { Loaded } from '../../shared/states.js';
import { listed } from '../../shared/listed.js';
import { OrderEvents } from './order-events.js';
import { STATUS_LOOKS } from './orders-page.js';
import { Entries, Messages, Payments, Refunds } from './order-tables.js';
import { nextToRefund, owedOf } from './owed.js';
import { RefundDialog } from './refund-dialog.js';
import './payments.css';
import { usePaymentCommands } from './use-payment-commands.js';

type Order = Response<typeof getPaymentOrder>;
type Payment = Order['payments'][number];

/** One order with everything that is known about it. */
export default function OrderPage() {
  const { no = '' } = useParams();
  const query = useEndpoint(getPaymentOrder, { no });
  return (
    <Loaded query={query} rows={10}>
      {(order) => <Shown order={order} />}
    </Loaded>
  );
}

type Asked = Response<typeof askGateway>;

function Shown({ order }: { order: Order }) {
  const t = useMessages('payments');
  const commands = usePaymentCommands();
  const { ask, maySettle, mayRefund, request } = commands;
  const [asked, setAsked] = useState<Asked | null>(null);
  const [refunding, setRefunding] = useState<Payment | null>(null);
  const { no, payStatus, memberName, userId, amount, payChannel, salesNum } = order;
  const plan = `${language === 'zh' ? order.planName : order.planEnName} × ${salesNum}`;
  const refundable = refunding?.refundable ? { ...refunding, refundable: refunding.refundable } : null;
  const { data: shell } = useEndpoint(getShell, {});
  const next = nextToRefund(order);
  return (
    <>
      <PageHeader
        title={
          <span className="order-title">
            {no}{' '}
            {order.attention && (
              <span className="badge danger">
                <Icon name="alert" />
                {next ? t(`verdict_${next.verdict}`) : t('attention')}
              </span>
            )}
          </span>
        }
        note={
          <span className="dynamic-text">
            {listed(memberName ?? t('loggedOff'), plan, `¥${yuan(amount)}`, PAY_CHANNELS[payChannel][language])}
          </span>
        }
      >
        <Button
          icon={<Icon name="refresh" />}
          disabled={!maySettle?.can}
          title={maySettle?.reason}
          loading={ask.isPending}
          onClick={() => void ask.mutateAsync({ no }).then(setAsked, () => undefined)}
        >
          {t('ask')}
        </Button>
        <Link className="button button-default" to={`/members/${userId}`}>
          <Icon name="users" />
          {t('memberPage')}
        </Link>
        {next?.refundable && next.requestId === null && (
          <Button
            type="primary"
            disabled={!mayRefund?.can}
            title={mayRefund?.reason}
            onClick={() => setRefunding(next)}
          >
            {t(next.verdict === 'double' ? 'giveSecondBack' : 'giveBack')}
          </Button>
        )}
      </PageHeader>
      <div className="grid">
        <div className="span-8 payment-column">
          <OrderEvents order={order} timeZone={shell?.timeZone} />
          <Payments order={order} mayRefund={mayRefund} onRefund={setRefunding} />
          {order.refunds.length > 0 && <Refunds order={order} />}
          <Entries order={order} />
          {order.messages.length > 0 && <Messages order={order} />}
        </div>
        <div className="span-4 payment-column">
          <Card title={t('orderTitle')}>
            <dl className="facts card-body">
              <Fact name={t('order')}>
                <span className="mono">{no}</span>
              </Fact>
              <Fact name={t('member')}>
                <Link className="link" to={`/members/${userId}`}>
                  {memberName ?? t('loggedOff')} #{userId}
                </Link>
              </Fact>
              <Fact name={t('plan')}>{t('snapshot', { plan })}</Fact>
              <Fact name={t('content')}>
                {order.billingMode === 'time'
                  ? t('contentMinutes', { minutes: grouped(order.num) })
                  : t('contentOf', {
                      chars: grouped(order.num),
                      voice: grouped(order.voiceNum),
                      images: grouped(order.imageNum),
                    })}
              </Fact>
              <Fact name={t('amount')}>¥{yuan(amount)}</Fact>
              <Fact name={t('method')}>{PAY_CHANNELS[payChannel][language]}</Fact>
              <Fact name={t('status')}>
                <span className={`state ${STATUS_LOOKS[payStatus]}`}>{PAY_STATUSES[payStatus][language]}</span>
              </Fact>
              <Fact name={t('placed')}>{order.createDateTime}</Fact>
              <Fact name={t('paidAt')}>{order.payDateTime ?? '–'}</Fact>
              {order.invoice && (
                <Fact name={t('invoice')}>
                  {t(`invoice_${order.invoice.state}`)} {order.invoice.invoiceNo} ¥{yuan(order.invoice.amount)}
                </Fact>
              )}
            </dl>
          </Card>
          <Sides order={order} asked={asked} />
          <p className="remark">
            <Icon name="info" />
            <span>{t('refundRule')}</span>
          </p>
        </div>
      </div>
      {refundable && <RefundDialog payment={refundable} request={request} onClose={() => setRefunding(null)} />}
    </>
  );
}

function Fact({ name, children }: { name: React.ReactNode; children: React.ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd className="numeric">{children}</dd>
    </div>
  );
}

/** The gateway, the credited payment and the ledger, which should agree; and what the statements say. */
function Sides({ order, asked }: { order: Order; asked: Asked | null }) {
  const t = useMessages('payments');
  const there = asked?.gatewayAmount;
  const owed = owedOf(order);
  return (
    <Card title={t('compare')} note={asked === null ? undefined : t('justAsked')}>
      <dl className="facts card-body">
        <Fact name={t('sideGateway')}>
          {asked === null ? (
            <span className="faint">{t('notAsked')}</span>
          ) : there === null || there === undefined ? (
            t(`gatewayState_${asked.gatewayState}`)
          ) : (
            `¥${yuan(there)}`
          )}
        </Fact>
        {order.statement.map(({ kind, tradeNo, amount, at }) => (
          <Fact key={`${kind}${tradeNo}${at}`} name={`${t('statementTitle')} · ${t(`kind_${kind}`)}`}>
            <span title={at}>¥{yuan(amount)}</span>
          </Fact>
        ))}
        <Fact name={t('sideCredited')}>{order.paidAmount === 0 ? '–' : `¥${yuan(order.paidAmount)}`}</Fact>
        <Fact name={t('sideLedger')}>{order.ledgerAmount === null ? '–' : `¥${yuan(order.ledgerAmount)}`}</Fact>
        <Fact name={t('sideRefunded')}>{order.refundedAmount === 0 ? '–' : `¥${yuan(order.refundedAmount)}`}</Fact>
        {owed > 0 && (
          <Fact name={<b>{t('sideOwed')}</b>}>
            <b className="negative">¥{yuan(owed)}</b>
          </Fact>
        )}
      </dl>
    </Card>
  );
}
