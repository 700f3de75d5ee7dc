import type { PayStatus } from '@yiqiao/domain/orders';
import { useMessages } from '../../../shared/i18n/messages.js';
import { Icon } from '../../../shared/ui/icon.js';

/** Where the payment stands, in one line that is read out when it changes. */
export function PaymentStatus({ status, failing }: { status: PayStatus; failing: boolean }) {
  const t = useMessages('payment');
  if (status === 'W')
    return (
      <p className={failing ? 'pay-status bad' : 'pay-status'} role="status">
        <span className="spin" aria-hidden="true" />
        {t(failing ? 'unreachable' : 'waiting')}
      </p>
    );
  return (
    <p className={status === 'P' ? 'pay-status' : 'pay-status bad'} role="status">
      <Icon name={status === 'P' ? 'check' : 'alert'} />
      {t(status === 'P' ? 'paid' : 'over')}
    </p>
  );
}
