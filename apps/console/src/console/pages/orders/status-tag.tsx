import { PAY_STATUSES, type PayStatus } from '@yiqiao/domain/orders';
import { language } from '../../../shared/i18n/language.js';
import { useTexts } from '../../../shared/i18n/texts.js';
import { yuan } from '../../../shared/ledger/amount-text.js';
import { Icon, type IconName } from '../../../shared/ui/icon.js';
import type { Order } from './order.js';

const LOOKS = {
  W: { className: 'tag dec', icon: 'card' },
  P: { className: 'tag add', icon: 'check' },
  T: { className: 'tag', icon: 'clock' },
  C: { className: 'tag', icon: 'close' },
} as const satisfies Record<PayStatus, { className: string; icon: IconName }>;

/** Where an order stands: icon, word and colour, never colour alone; and how much of its money went back. */
export function StatusTag({ order }: { order: Pick<Order, 'payStatus' | 'refunded' | 'refundedAmount'> }) {
  const t = useTexts('orders');
  const { className, icon } = LOOKS[order.payStatus];
  return (
    <span className="od-status">
      <span className={className}>
        <Icon name={icon} />
        {PAY_STATUSES[order.payStatus][language]}
      </span>
      {order.refundedAmount > 0 && (
        <span className="tag mov">
          <Icon name="back" />
          {order.refunded ? t('refunded') : t('refundedPart', { amount: yuan(order.refundedAmount) })}
        </span>
      )}
    </span>
  );
}
