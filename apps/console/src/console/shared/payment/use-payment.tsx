import { PAY_CHANNELS } from '@yiqiao/domain/orders';
import { useRef, useState, type ReactNode } from 'react';
import { showRefusal } from '../../../shared/api/show-refusal.js';
import { openPayTab } from './pay-form.js';
import { readPaymentOffer, type OrderSummary, type PaymentOffer, type Payment } from './payment.js';
import { PaymentDialog } from './payment-dialog.js';

type Start = {
  bought: OrderSummary;
  /** Places the order, or requests payment means again; returns `bought` when the order itself is more accurate. */
  ask: () => Promise<PaymentOffer & { bought?: OrderSummary }>;
  /** Handles an error; shown as a toast by default. */
  refused?: (error: unknown) => void;
};

/** `onEnd`: the payment dialog has closed and the user stays on the page, paid or not. */
type UsePayment = { onEnd?: () => void };
type Shown = { payment: Payment; inTab: boolean };

/**
 * Pays for an order: requests payment means and shows the payment dialog until the outcome is known. Call `begin` synchronously from the
 * click, because a tab opened later would be blocked. Render `dialog` anywhere on the page.
 */
export function usePayment({ onEnd }: UsePayment = {}): {
  busy: boolean;
  begin: (start: Start) => void;
  dialog: ReactNode;
} {
  const [busy, setBusy] = useState(false);
  const begun = useRef(false); // `busy` is set a render later, and a double click is faster
  const [shown, setShown] = useState<Shown | null>(null);

  const pay = async ({ bought, ask, refused = showRefusal }: Start): Promise<void> => {
    const tab = PAY_CHANNELS[bought.payChannel].kind === 'form' ? openPayTab() : null;
    setBusy(true);
    try {
      const offer = await ask();
      const payment = readPaymentOffer(offer.bought ?? bought, offer);
      const inTab = payment.means.kind === 'form' && tab !== null && tab.submit(payment.means.form);
      setShown({ payment, inTab });
    } catch (error) {
      tab?.close();
      refused(error);
    } finally {
      begun.current = false;
      setBusy(false);
    }
  };
  const begin = (start: Start): void => {
    if (begun.current || shown) return;
    begun.current = true;
    void pay(start);
  };

  const end = (): void => {
    setShown(null);
    onEnd?.();
  };
  return {
    busy,
    begin,
    dialog: shown && <PaymentDialog key={shown.payment.orderId} {...shown} onEnd={end} />,
  };
}
