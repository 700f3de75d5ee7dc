import { listOrders } from '@yiqiao/contracts/orders';
import { call } from '../../../shared/api/call.js';
import { language } from '../../../shared/i18n/language.js';
import type { Bought, Offer } from '../../../shared/payment/payment.js';

/**
 * What is being paid, in the order's own words: the price is the server's, and may have changed since the page was opened. `shown`
 * where the order cannot be read now: it can be paid all the same.
 */
export async function orderWords({ orderId }: Offer, shown: Bought): Promise<Bought> {
  const page = await call(listOrders, {}).catch(() => null);
  const order = page?.rows.find(({ id }) => id === orderId);
  if (!order || order.payChannel === 'USDT') return shown;
  const { payChannel, translationBillingMode: billingMode, num, salesNum, amount, referenceChannelId } = order;
  const name = language === 'zh' ? order.memberGroupName : order.memberGroupEnName;
  return { payChannel, name, billingMode, num, salesNum, amount, referenceChannelId };
}
