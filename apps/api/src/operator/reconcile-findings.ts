import { yuanOf } from '@yiqiao/domain/orders';
import type { ReconciledOrder } from '../orders/orders.js';
import type { Text } from '../platform/cli-messages.js';

/**
 * An order beside its gateway, the ledger and its payments. `paid` and `refunded` in fen, of the payment that was credited; `refunding`: one
 * of our refunds is under way; `returned`: money that was not credited goes, or went, back from here.
 */
export type Compared = ReconciledOrder & {
  paid: number | null;
  refunded: number;
  refunding: boolean;
  returned: boolean;
  expired: boolean;
};

/** What does not agree about an order, in words; nothing when all agree. */
export function findingsOf(order: Compared): Text[] {
  return [...gatewayFindings(order), ...ownFindings(order)];
}

function gatewayFindings(order: Compared): Text[] {
  const { payStatus, gatewayState, gatewayAmount, amount, refunded, expired } = order;
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
      if (payStatus === 'P') return unheardRefund(order);
      return [{ zh: '网关已收款，这里没有入账', en: 'paid at the gateway, not credited here' }];
    case 'refunded':
      return unknownRefund(order);
    case 'unpaid':
    case 'closed':
    case 'absent':
      if (payStatus === 'P' && refunded < amount)
        return [{ zh: `这里已支付，网关说 ${gatewayState}`, en: `paid here, the gateway says ${gatewayState}` }];
      if (gatewayState === 'unpaid' && (payStatus === 'T' || payStatus === 'C'))
        return [{ zh: '这里已关闭，网关仍可付款', en: 'closed here, still open at the gateway' }];
      if (payStatus === 'W' && expired)
        return [{ zh: '已过期仍未关闭：worker 是否在运行？', en: 'past its time and not closed: does a worker run?' }];
      return [];
  }
}

/** Alipay says so when all went back, WeChat Pay when anything did. */
function unknownRefund({ no, gateway, payStatus, amount, refunded, refunding, returned }: Compared): Text[] {
  if (payStatus !== 'P' && returned) return [];
  if (payStatus !== 'P')
    return [{ zh: '网关收款后已退款，这里没有入账', en: 'paid and refunded at the gateway, never credited here' }];
  if (refunding || refunded === amount || (gateway !== 'alipay' && refunded > 0)) return [];
  const [done, all] = [
    yuanOf(refunded),
    gateway === 'alipay' ? { zh: '已全额退款', en: 'gave all of it back' } : { zh: '已退款', en: 'gave money back' },
  ];
  const how = `payments record-refund ${no} --reason "…"`;
  return [
    {
      zh: `网关${all.zh}，这里记录的退款为 ${done} 元：核对网关后台后用 ${how} 记录`,
      en: `the gateway ${all.en}, ${done} yuan are recorded here: look at its pages, then ${how}`,
    },
  ];
}

/** The other way round. LianLian's orders stay what they were. */
function unheardRefund({ gateway, amount, refunded }: Compared): Text[] {
  const isHeard = gateway === 'lianlian' || refunded === 0 || (gateway === 'alipay' && refunded < amount);
  if (isHeard) return [];
  const yuan = yuanOf(refunded);
  return [
    { zh: `这里已退 ${yuan} 元，网关说没有`, en: `${yuan} yuan were refunded here, the gateway says they were not` },
  ];
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
