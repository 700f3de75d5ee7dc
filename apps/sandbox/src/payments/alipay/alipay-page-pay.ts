import { isExpired, type Trade } from '../trade.js';
import type { TradeStore } from '../trade-store.js';
import { AlipayError } from './alipay-error.js';
import type { Business, Parameters } from './alipay-request.js';
import { readPagePay } from './alipay-trade.js';

/**
 * The browser has posted the merchant's form: the trade exists from now on. The same form again leads to the same trade; what was
 * signed differently under the same number is refused. Throws AlipayError.
 */
export function pagePay(business: Business, parameters: Parameters, store: TradeStore): Trade {
  const wanted = readPagePay(business, parameters);
  const known = store.find('alipay', wanted.orderNo);
  if (!known) return store.add(wanted);
  if (known.terms !== wanted.terms) throw new AlipayError('ACQ.CONTEXT_INCONSISTENT');
  if (known.state === 'paid') throw new AlipayError('ACQ.TRADE_HAS_SUCCESS');
  if (known.state === 'closed' || isExpired(known)) throw new AlipayError('ACQ.TRADE_HAS_CLOSE');
  return known;
}
