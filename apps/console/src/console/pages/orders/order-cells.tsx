import { PAY_STATUSES, type PayStatus } from '@yiqiao/domain/orders';
import { useEffect, useState } from 'react';
import { copyText } from '../../../shared/clipboard.js';
import { language } from '../../../shared/i18n/language.js';
import { useMessages } from '../../../shared/i18n/messages.js';
import { yuan } from '../../../shared/amounts.js';
import { Icon, type IconName } from '../../../shared/ui/icon.js';
import { wireNow } from '../../shared/wire-time.js';
import { clockText, type Order, secondsLeft } from './order.js';

const LOOKS = {
  W: { className: 'badge decrease', icon: 'card' },
  P: { className: 'badge increase', icon: 'check' },
  T: { className: 'badge', icon: 'clock' },
  C: { className: 'badge', icon: 'close' },
} as const satisfies Record<PayStatus, { className: string; icon: IconName }>;

/** The status of an order as icon, text and colour, never colour alone, and the refunded amount. */
export function StatusTag({ order }: { order: Pick<Order, 'payStatus' | 'refunded' | 'refundedAmount'> }) {
  const t = useMessages('orders');
  const { className, icon } = LOOKS[order.payStatus];
  return (
    <span className="od-status">
      <span className={className}>
        <Icon name={icon} />
        {PAY_STATUSES[order.payStatus][language]}
      </span>
      {order.refundedAmount > 0 && (
        <span className="badge transfer">
          <Icon name="back" />
          {order.refunded ? t('refunded') : t('refundedPart', { amount: yuan(order.refundedAmount) })}
        </span>
      )}
    </span>
  );
}

/** `YQ` and the second of the order; the rest distinguishes orders of the same second. */
const MOMENT_LENGTH = 16;

/** The order number; a click copies it. */
export function OrderNumber({ no }: { no: string }) {
  const t = useMessages('orders');
  return (
    <button
      type="button"
      className="od-no"
      aria-label={t('copyNamed', { no })}
      onClick={({ currentTarget }) => void copyText(no, currentTarget)}
    >
      <span className="numeric">
        {no.slice(0, MOMENT_LENGTH)}
        <wbr />
        {no.slice(MOMENT_LENGTH)}
      </span>
      <Icon name="copy" />
    </button>
  );
}

const TICK_MS = 1_000;
/** At expiry the server checks the gateway once more before it closes the order. */
const LOOK_AGAIN_MS = 5_000;

/** Counts down the time in which an order can be paid, then calls `onOver` to refetch it. */
export function TimeLeft({ order, onOver }: { order: Order; onOver?: () => void }) {
  const t = useMessages('orders');
  const [now, setNow] = useState(() => wireNow());
  const seconds = secondsLeft(order, now);
  const over = seconds === 0;
  useEffect(() => {
    const look = (): void => {
      setNow(wireNow());
      if (over) onOver?.();
    };
    const timer = setInterval(look, over ? LOOK_AGAIN_MS : TICK_MS);
    return () => clearInterval(timer);
  }, [over, onOver]);
  return (
    <small className="od-left numeric" role="timer">
      {over ? t('closing') : t('left', { clock: clockText(seconds) })}
    </small>
  );
}
