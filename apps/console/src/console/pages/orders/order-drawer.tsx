import { Button, Drawer } from 'antd';
import type { MouseEvent } from 'react';
import { Link } from 'react-router';
import { useTexts } from '../../../shared/i18n/texts.js';
import { Icon } from '../../../shared/ui/icon.js';
import type { DialogFrame } from '../../../shared/dialogs/dialog-frame.js';
import { rechargeLink } from '../../../shared/logs/log-link.js';
import type { Order } from './order.js';
import type { OrderDeeds } from './order-actions.js';
import { OrderFacts } from './order-facts.js';
import { Receipt } from './receipt.js';
import { StatusTag } from './status-tag.js';
import { TimeLeft } from './time-left.js';
import { creditedAt, Timeline, useTimeline } from './timeline.js';

type OrderDrawerProps = { frame: DialogFrame; order: Order; deeds: OrderDeeds; look: () => void };

/** The button is not there while paper is laid out: it gets the keyboard back. */
function print({ currentTarget }: MouseEvent<HTMLElement>): void {
  window.print();
  currentTarget.focus();
}

/** One that waits: whoever has paid and sees nothing of it can have the gateway asked. */
function Waiting({ order, deeds, look }: Omit<OrderDrawerProps, 'frame'>) {
  const t = useTexts('orders');
  const busy = deeds.busy === order.id;
  return (
    <div className="note">
      <Icon name="info" />
      <div className="od-waiting">
        <p>{t('waitingWhy')}</p>
        <div className="od-waiting-do">
          <Button type="primary" disabled={busy} onClick={() => deeds.pay(order)}>
            {t('pay')}
          </Button>
          <Button loading={busy} onClick={() => deeds.flush(order)}>
            {t('havePaid')}
          </Button>
          <TimeLeft order={order} onOver={look} />
        </div>
      </div>
    </div>
  );
}

/** Everything about one order: what it is, what happened to it, what can be done. */
export function OrderDrawer({ frame, order, deeds, look }: OrderDrawerProps) {
  const t = useTexts('orders');
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
              <Link className="btn btn-d" to={rechargeLink(credited)}>
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
      {order.payStatus === 'W' && <Waiting order={order} deeds={deeds} look={look} />}
      <OrderFacts order={order} />
      <h3 className="od-h">{t('timeline')}</h3>
      <Timeline query={timeline} />
      {paid && frame.open && <Receipt order={paid} />}
    </Drawer>
  );
}
