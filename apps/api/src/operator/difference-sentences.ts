import { yuanOf } from '@yiqiao/domain/orders';
import type { Text } from '../platform/cli-messages.js';
import type { Difference } from '../operators/payments/difference.js';

const KIND_NAMES = { payment: { zh: '收款', en: 'payment' }, refund: { zh: '退款', en: 'refund' } };
const yuan = (fen: number | null): string => (fen === null ? '–' : yuanOf(fen));

/** A difference in one sentence, with the command that helps. */
export const sentenceOf = (difference: Difference): Text =>
  difference.source === 'statement' ? ofStatement(difference) : ofOrder(difference);

function ofStatement({ what, kind, tradeNo, orderNo, refundNo, expected, found, detail }: Difference): Text {
  const name = KIND_NAMES[kind];
  const [here, there] = [yuan(expected), yuan(found)];
  const inStatement = (where: Text): Text => ({
    zh: `对账单有${name.zh} ${there} 元（交易 ${tradeNo}），${where.zh}`,
    en: `a ${name.en} of ${there} yuan (transaction ${tradeNo}) ${where.en}`,
  });
  switch (what) {
    case 'unknownOrder':
      return inStatement({ zh: '这里没有这个订单', en: 'belongs to an order that is unknown here' });
    case 'missingHere':
      return inStatement({
        zh: '这里没有这笔付款：payments reconcile --settle',
        en: 'is unknown here: payments reconcile --settle',
      });
    case 'missingThere':
      return {
        zh: `这里有收款 ${here} 元（交易 ${tradeNo}），对账单没有`,
        en: `a payment of ${here} yuan (transaction ${tradeNo}) is missing from the statement`,
      };
    case 'wrongOrder':
      return {
        zh: `交易 ${tradeNo} 在这里属于订单 ${detail}`,
        en: `transaction ${tradeNo} belongs to order ${detail} here`,
      };
    case 'twice':
      return {
        zh: `${name.zh} ${there} 元（交易 ${tradeNo}）在对账单中重复出现`,
        en: `a ${name.en} of ${there} yuan (transaction ${tradeNo}) appears twice in the statements`,
      };
    case 'late':
      return {
        zh: `收款 ${here} 元（交易 ${tradeNo}）入账晚于付款一小时以上`,
        en: `the payment of ${here} yuan (transaction ${tradeNo}) was recorded more than an hour after it was made`,
      };
    case 'refund':
      if (detail === 'noPayment')
        return inStatement({ zh: '这里没有它的付款', en: 'belongs to a payment that is unknown here' });
      if (found === null)
        return {
          zh: `这里有退款 ${here} 元（${refundNo}），对账单没有`,
          en: `a refund of ${here} yuan (${refundNo}) is missing from the statement`,
        };
      if (expected === null) {
        const how = `payments record-refund ${orderNo} --amount ${there}${refundNo === '' ? '' : ` --no "${refundNo}"`} --reason "…"`;
        return {
          zh: `对账单有退款 ${there} 元（${refundNo}），这里没有：${how}`,
          en: `a refund of ${there} yuan (${refundNo}) is unknown here: ${how}`,
        };
      }
      break;
    default:
  }
  return {
    zh: `${name.zh}在对账单为 ${there} 元，这里为 ${here} 元`,
    en: `the ${name.en} is ${there} yuan in the statement, ${here} here`,
  };
}

function ofOrder(difference: Difference): Text {
  const { what, expected, found, detail } = difference;
  const [here, there] = [yuan(expected), yuan(found)];
  switch (what) {
    case 'unanswered':
      return { zh: '网关没有答复，无法核对', en: 'the gateway did not answer, so this order could not be checked' };
    case 'amount':
      return {
        zh: `网关收到 ${there} 元，订单为 ${here} 元`,
        en: `the gateway has ${there} yuan, the order says ${here}`,
      };
    case 'missingHere':
      return { zh: '网关已收款，这里没有入账', en: 'paid at the gateway, not credited here' };
    case 'missingThere':
      return { zh: `这里已支付，网关说 ${detail}`, en: `paid here, the gateway says ${detail}` };
    case 'stillOpen':
      return { zh: '这里已关闭，网关仍可付款', en: 'closed here, still open at the gateway' };
    case 'notClosed':
      return { zh: '已过期仍未关闭：worker 是否在运行？', en: 'expired but not closed: is a worker running?' };
    case 'refund':
      return refundSentence(difference);
    default: {
      const name = {
        zh: what === 'ledger' ? '账本充值' : '已入账付款',
        en: what === 'ledger' ? 'recharge in the ledger' : 'credited payment',
      };
      return { zh: `${name.zh}为 ${here} 元，应为 ${there}`, en: `the ${name.en} is ${here} yuan, not ${there}` };
    }
  }
}

function refundSentence({ gateway, orderNo, expected, detail }: Difference): Text {
  const here = yuan(expected);
  if (detail === 'notCredited')
    return { zh: '网关收款后已退款，这里没有入账', en: 'paid and refunded at the gateway, never credited here' };
  if (detail === 'unconfirmed')
    return {
      zh: `这里已退 ${here} 元，网关说没有`,
      en: `${here} yuan were refunded here, but not according to the gateway`,
    };
  const all =
    gateway === 'alipay' ? { zh: '已全额退款', en: 'refunded all of it' } : { zh: '已退款', en: 'refunded money' };
  const how = `payments record-refund ${orderNo} --reason "…"`;
  return {
    zh: `网关${all.zh}，这里记录的退款为 ${here} 元：核对网关后台后用 ${how} 记录`,
    en: `the gateway ${all.en}, ${here} yuan are recorded here: check the gateway’s console, then ${how}`,
  };
}
