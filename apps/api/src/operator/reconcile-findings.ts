import { yuanOf } from '@yiqiao/domain/orders';
import type { ReconciledOrder } from '../orders/orders.js';
import type { Text } from '../platform/speech.js';

/** An order beside its gateway, the ledger and its payments. `paid`: in fen, of the payment that was credited; null without one. */
export type Compared = ReconciledOrder & { paid: number | null; refunded: boolean; expired: boolean };

/** What does not agree about an order, in words; nothing when all agree. */
export function findingsOf(order: Compared): Text[] {
  return [...gatewayFindings(order), ...ownFindings(order)];
}

function gatewayFindings({ payStatus, gatewayState, gatewayAmount, amount, refunded, expired }: Compared): Text[] {
  const yuan = (fen: number | null): string => (fen === null ? '–' : yuanOf(fen));
  switch (gatewayState) {
    case 'unknown':
      return [{ zh: '网关没有答复，无法核对', en: 'the gateway did not answer, so nothing is known' }];
    case 'paid':
      if (gatewayAmount !== amount)
        return [
          {
            zh: `网关收到 ${yuan(gatewayAmount)} 元，订单为 ${yuan(amount)} 元`,
            en: `the gateway has ${yuan(gatewayAmount)} yuan, the order says ${yuan(amount)}`,
          },
        ];
      if (payStatus === 'P') return [];
      return [{ zh: '网关已收款，这里没有入账', en: 'paid at the gateway, not credited here' }];
    case 'unpaid':
    case 'closed':
    case 'absent':
      // A refunded trade is closed at its gateway.
      if (payStatus === 'P' && !refunded)
        return [{ zh: `这里已支付，网关说 ${gatewayState}`, en: `paid here, the gateway says ${gatewayState}` }];
      if (gatewayState === 'unpaid' && (payStatus === 'T' || payStatus === 'C'))
        return [{ zh: '这里已关闭，网关仍可付款', en: 'closed here, still open at the gateway' }];
      if (payStatus === 'W' && expired)
        return [{ zh: '已过期仍未关闭：worker 是否在运行？', en: 'past its time and not closed: does a worker run?' }];
      return [];
  }
}

function ownFindings({ payStatus, amount, ledgerAmount, paid }: Compared): Text[] {
  const expected = payStatus === 'P' ? amount : null;
  const yuan = (fen: number | null): string => (fen === null ? '–' : yuanOf(fen));
  const differs = (what: Text, found: number | null): Text[] =>
    found === expected
      ? []
      : [
          {
            zh: `${what.zh}为 ${yuan(found)} 元，应为 ${yuan(expected)}`,
            en: `the ${what.en} is ${yuan(found)} yuan, not ${yuan(expected)}`,
          },
        ];
  return [
    ...differs({ zh: '账本充值', en: 'recharge in the ledger' }, ledgerAmount),
    ...differs({ zh: '已入账付款', en: 'credited payment' }, paid),
  ];
}
