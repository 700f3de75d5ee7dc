import { useMessages } from '../../../shared/i18n/messages.js';
import { grouped, yuan } from '../../../shared/ledger/amount-text.js';
import { holdingText } from '../../../shared/payment/plan-text.js';
import type { Payment } from './payment.js';

/** What is being paid: amount, order number, member type, package, quantity (specification §4). */
export function PaymentFacts({ payment: { bought, orderNo } }: { payment: Payment }) {
  const t = useMessages('payment');
  const { name, billingMode, num, salesNum, amount, referenceChannelId } = bought;
  const size = holdingText({ billingMode, num: num / salesNum, referenceChannelId });
  return (
    <>
      <p className="muted">{t('amount')}</p>
      <p className="pay-amount num">
        <small>¥</small>
        {yuan(amount)}
      </p>
      <dl className="pay-facts">
        <div>
          <dt>{t('orderNo')}</dt>
          <dd className="num">{orderNo}</dd>
        </div>
        <div>
          <dt>{t('memberType')}</dt>
          <dd>{t(billingMode === 'time' ? 'timeUser' : 'charUser')}</dd>
        </div>
        <div>
          <dt>{t('plan')}</dt>
          <dd>{t('planAndSize', { name, size })}</dd>
        </div>
        <div>
          <dt>{t('quantity')}</dt>
          <dd className="num">{grouped(salesNum)}</dd>
        </div>
      </dl>
    </>
  );
}
