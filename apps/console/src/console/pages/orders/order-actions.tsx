import { useTexts } from '../../../shared/i18n/texts.js';
import type { Order } from './order.js';

/** What can be done with an order; the page does it. */
export type OrderDeeds = {
  show: (order: Order) => void;
  pay: (order: Order) => void;
  flush: (order: Order) => void;
  cancel: (order: Order) => void;
  /** The order that is asked about or about to be paid: one at a time. */
  busy: number | null;
};

/** The details of every order; refresh, pay and cancel only of one that waits (specification §4). */
export function OrderActions({ order, deeds }: { order: Order; deeds: OrderDeeds }) {
  const t = useTexts('orders');
  const { no } = order;
  const busy = deeds.busy === order.id;
  return (
    <div className="row-ops od-ops">
      {order.payStatus === 'W' && (
        <>
          <button type="button" aria-label={t('payNamed', { no })} disabled={busy} onClick={() => deeds.pay(order)}>
            {t('pay')}
          </button>
          <button
            type="button"
            aria-label={t('flushNamed', { no })}
            aria-busy={busy}
            disabled={busy}
            onClick={() => deeds.flush(order)}
          >
            {t('flush')}
          </button>
          <button
            type="button"
            className="danger"
            aria-label={t('cancelNamed', { no })}
            disabled={busy}
            onClick={() => deeds.cancel(order)}
          >
            {t('cancel')}
          </button>
        </>
      )}
      <button type="button" aria-label={t('showNamed', { no })} onClick={() => deeds.show(order)}>
        {t('show')}
      </button>
    </div>
  );
}
