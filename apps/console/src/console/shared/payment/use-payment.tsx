import { PAY_CHANNELS } from '@yiqiao/domain/orders';
import { useRef, useState, type ReactNode } from 'react';
import { showRefusal } from '../../../shared/api/show-refusal.js';
import { openPayTab } from './pay-form.js';
import { readOffer, type Bought, type Offer, type Payment } from './payment.js';
import { PaymentDialog } from './payment-dialog.js';

type Start = {
  bought: Bought;
  /** Places the order, or asks once more for what to pay it with; `bought` where the order itself says it better. */
  ask: () => Promise<Offer & { bought?: Bought }>;
  /** What to do with a refusal; said at the top of the page otherwise. */
  refused?: (error: unknown) => void;
};

/** `onEnd`: the payment dialog has gone and the person stays here, paid or not. */
type UsePayment = { onEnd?: () => void };
type Shown = { payment: Payment; inTab: boolean };

/**
 * Pays for an order: asks for the way to pay it and shows that until it is known how it ended. `begin` belongs into the click
 * itself, because a tab opened later would be blocked. Render `dialog` anywhere on the page.
 */
export function usePayment({ onEnd }: UsePayment = {}): {
  busy: boolean;
  begin: (start: Start) => void;
  dialog: ReactNode;
} {
  const [busy, setBusy] = useState(false);
  const begun = useRef(false); // `busy` follows a render later: the second click of a double click is faster
  const [shown, setShown] = useState<Shown | null>(null);

  const pay = async ({ bought, ask, refused = showRefusal }: Start): Promise<void> => {
    const tab = PAY_CHANNELS[bought.payChannel].kind === 'form' ? openPayTab() : null;
    setBusy(true);
    try {
      const offer = await ask();
      const payment = readOffer(offer.bought ?? bought, offer);
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
