import { createPortal } from 'react-dom';
import { useMember } from '../../../shared/auth/user.js';
import { language } from '../../../shared/i18n/language.js';
import { useMessages } from '../../../shared/i18n/messages.js';
import { grouped, yuan } from '../../../shared/amounts.js';
import { payChannelName } from '../../shared/payment/payment.js';
import { creditedText, holdingText } from '../../../shared/payment/plan-text.js';
import { useBrand, useSiteInfo } from '../../../shared/site/use-site-info.js';
import { Logo } from '../../../shared/site/logo.js';
import { packageName, type Order } from './order.js';
import './receipt.css';

/**
 * The receipt of a paid order. It is rendered outside of the page, is visible on paper only, and while it is mounted nothing else is
 * printed (receipt.css), whether by the button or by the browser's own command.
 */
export function Receipt({ order }: { order: Order & { payDateTime: string } }) {
  const t = useMessages('orders');
  const { nickname, account } = useMember();
  const brand = useBrand();
  // The seller's legal name, where operators configured one.
  const seller = useSiteInfo()?.seller?.[language] || brand;
  const { translationBillingMode: mode } = order;
  const facts: [string, string][] = [
    [t('seller'), seller],
    [t('no'), order.no],
    [t('member'), nickname === account ? account : t('memberNamed', { nickname, account })],
    [t('package'), packageName(order)],
    [t('bought'), holdingText({ ...order, billingMode: mode })],
    [t('credited'), order.creditedNum === null ? t('none') : creditedText(mode, order.creditedNum)],
    [t('quantity'), grouped(order.salesNum)],
    [t('method'), payChannelName(order.payChannel)],
    [t('paid'), order.payDateTime],
  ];
  return createPortal(
    <section className="receipt" aria-label={t('receipt')}>
      <header>
        <span className="logo">
          <Logo />
        </span>
        <h1>{t('receipt')}</h1>
      </header>
      <dl>
        {facts.map(([label, value]) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>{value}</dd>
          </div>
        ))}
        <div className="receipt-total">
          <dt>{t('amountPaid')}</dt>
          <dd>¥{yuan(order.amount)}</dd>
        </div>
      </dl>
      {order.refundedAmount > 0 && (
        <p className="receipt-refund">
          {order.refunded ? t('receiptRefunded') : t('receiptRefundedPart', { amount: yuan(order.refundedAmount) })}
        </p>
      )}
      <footer>{t('receiptNote')}</footer>
    </section>,
    document.body,
  );
}
