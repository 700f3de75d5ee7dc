import { BILLING_MODES } from '@yiqiao/domain/plans';
import { Button, Drawer } from 'antd';
import type { MouseEvent, ReactNode } from 'react';
import { Link } from 'react-router';
import type { DialogFrame } from '../../shared/dialogs/dialog-frame.js';
import { language } from '../../../shared/i18n/language.js';
import { useMessages } from '../../../shared/i18n/messages.js';
import { grouped, yuan } from '../../../shared/amounts.js';
import { channelNameOf } from '../../../shared/channel-name.js';
import { rechargeLink } from '../../shared/logs/log-link.js';
import { payChannelName } from '../../shared/payment/payment.js';
import { creditedText, holdingText } from '../../../shared/payment/plan-text.js';
import { Icon } from '../../../shared/ui/icon.js';
import { InvoiceSection } from './invoice-section.js';
import { OrderNumber, StatusTag, TimeLeft } from './order-cells.js';
import type { OrderHandlers } from './order-list.js';
import { type Order, packageName } from './order.js';
import { Receipt } from './receipt.js';
import { creditedAt, Timeline, useTimeline } from './timeline.js';

/** All facts of the order. */
function OrderFacts({ order }: { order: Order }) {
  const t = useMessages('orders');
  const { tranChannelId, translationBillingMode: mode } = order;
  const facts: [string, ReactNode][] = [
    [t('no'), <OrderNumber key="no" no={order.no} />],
    [t('package'), packageName(order)],
    [
      t('mode'),
      <span key="mode" className="od-mode">
        {BILLING_MODES[mode][language]}
      </span>,
    ],
    [t('bought'), holdingText({ ...order, billingMode: mode })],
    [t('credited'), order.creditedNum === null ? t('none') : creditedText(mode, order.creditedNum)],
    [t('quantity'), grouped(order.salesNum)],
    [t('channel'), tranChannelId === null ? t('sameChannel') : (channelNameOf(tranChannelId) ?? t('none'))],
    [t('orderAmount'), `¥${yuan(order.amount)}`],
    [t('method'), payChannelName(order.payChannel)],
    [t('created'), order.createDateTime],
    [t('paid'), order.payDateTime ?? t('none')],
  ];
  return (
    <dl className="od-facts">
      {facts.map(([label, value]) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd className="numeric">{value}</dd>
        </div>
      ))}
    </dl>
  );
}

type OrderDrawerProps = { frame: DialogFrame; order: Order; handlers: OrderHandlers; look: () => void };

/** The button is hidden during printing and gets the focus back afterwards. */
function print({ currentTarget }: MouseEvent<HTMLElement>): void {
  window.print();
  currentTarget.focus();
}

/** An unpaid order: a member who has paid can trigger a check with the gateway. */
function Waiting({ order, handlers, look }: Omit<OrderDrawerProps, 'frame'>) {
  const t = useMessages('orders');
  const busy = handlers.busy === order.id;
  return (
    <div className="note">
      <Icon name="info" />
      <div>
        <p>{t('waitingWhy')}</p>
        <div className="od-waiting-do">
          <Button type="primary" disabled={busy} onClick={() => handlers.pay(order)}>
            {t('pay')}
          </Button>
          <Button loading={busy} onClick={() => handlers.flush(order)}>
            {t('havePaid')}
          </Button>
          <TimeLeft order={order} onOver={look} />
        </div>
      </div>
    </div>
  );
}

/** One order: its facts, its history and its actions. */
export function OrderDrawer({ frame, order, handlers, look }: OrderDrawerProps) {
  const t = useMessages('orders');
  const { payDateTime } = order;
  const timeline = useTimeline(order.id, `${order.payStatus} ${order.refundedAmount}`);
  // The gateway's time of the payment may be long before the entry's.
  const credited = creditedAt(timeline);
  const paid = order.payStatus === 'P' && payDateTime !== null ? { ...order, payDateTime } : null;
  return (
    <Drawer
      open={frame.open}
      width={480}
      rootClassName="od-drawer"
      title={<span className="display">{t('details')}</span>}
      onClose={frame.onClose}
      afterOpenChange={(shown) => !shown && frame.afterClose()}
      footer={
        paid && (
          <div className="od-foot">
            {credited !== null && (
              <Link className="button button-default" to={rechargeLink(credited)}>
                {t('ledger')}
              </Link>
            )}
            <Button type="primary" onClick={print}>
              {t('printReceipt')}
            </Button>
          </div>
        )
      }
    >
      <div className="od-head">
        <StatusTag order={order} />
      </div>
      {order.payStatus === 'W' && <Waiting order={order} handlers={handlers} look={look} />}
      <OrderFacts order={order} />
      {paid && <InvoiceSection order={order} />}
      <h3 className="od-h">{t('timeline')}</h3>
      <Timeline query={timeline} />
      {paid && frame.open && <Receipt order={paid} />}
    </Drawer>
  );
}
