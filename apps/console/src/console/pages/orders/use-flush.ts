import { flushOrder } from '@yiqiao/contracts/orders';
import { useState } from 'react';
import { call } from '../../../shared/api/call.js';
import { useAction } from '../../../shared/dialogs/use-action.js';
import { useTexts } from '../../../shared/i18n/texts.js';
import { toast } from '../../../shared/ui/toast.js';
import type { Order } from './order.js';

/** Asks the gateway whether an order is paid. The list then shows what it is, and says it when it is paid. */
export function useFlush(look: () => void): { flush: (order: Order) => void; asking: number | null } {
  const t = useTexts('orders');
  const { busy, run } = useAction();
  const [asked, setAsked] = useState<number | null>(null);
  const flush = (order: Order): void => {
    if (busy) return;
    setAsked(order.id);
    run(async () => {
      const { payStatus } = await call(flushOrder, { id: String(order.id) });
      if (payStatus === 'W') toast.info(t('notPaidYet'));
      if (payStatus === 'T' || payStatus === 'C') toast.info(t('isClosed'));
      look();
    });
  };
  return { flush, asking: busy ? asked : null };
}
