import { BILLING_MODES } from '@yiqiao/domain/plans';
import type { ReactNode } from 'react';
import { language } from '../../../shared/i18n/language.js';
import { useTexts } from '../../../shared/i18n/texts.js';
import { grouped, yuan } from '../../../shared/ledger/amount-text.js';
import { channelNameOf } from '../../../shared/ledger/channel-name.js';
import { payChannelName } from '../../../shared/payment/pay-channel-name.js';
import { creditedText, holdingText } from '../../../shared/payment/plan-text.js';
import { packageName, type Order } from './order.js';
import { OrderNumber } from './order-number.js';

/** What was ordered, in full. */
export function OrderFacts({ order }: { order: Order }) {
  const t = useTexts('orders');
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
          <dd className="num">{value}</dd>
        </div>
      ))}
    </dl>
  );
}
