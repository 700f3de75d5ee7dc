import type { Gateway, PaymentVerdict } from '@yiqiao/domain/orders';
import type { PaymentException } from './list-exceptions.js';
import type { Text } from '../platform/cli-messages.js';

type What = PaymentException['what'];

/** The meaning of each exception and what an operator does about it. */
export const EXCEPTIONS: Record<What, { is: Text; todo: Text }> = {
  double: {
    is: { zh: '重复付款', en: 'paid twice' },
    todo: {
      zh: '退还第二笔：payments refund <订单号> --trade <交易号> --reason "重复付款"',
      en: 'refund the second payment: payments refund <order> --trade <trade> --reason "paid twice"',
    },
  },
  afterLogOff: {
    is: { zh: '注销后付款', en: 'paid after the account was closed' },
    todo: {
      zh: '账号已注销，退款：payments refund <订单号> --reason "账号已注销"',
      en: 'refund: payments refund <order> --reason "account closed"',
    },
  },
  tooLarge: {
    is: { zh: '账户装不下', en: 'more than the account can hold' },
    todo: {
      zh: '额度未到账，退款：payments refund <订单号> --reason "超出账户上限"',
      en: 'nothing was credited; refund: payments refund <order> --reason "more than the account can hold"',
    },
  },
  wrongAmount: {
    is: { zh: '金额不符', en: 'wrong amount' },
    todo: {
      zh: '未入账。用 payments show <订单号> 核对；款项属实则退款（--trade <交易号>）',
      en: 'nothing was credited. Check with payments show <order>; if the money arrived, refund it (--trade <trade>)',
    },
  },
  refundStarted: {
    is: { zh: '退款未完成', en: 'refund not finished' },
    todo: {
      zh: '后台会继续询问网关；长时间未完成时到网关后台核对退款单',
      en: 'the worker keeps asking the gateway; if this stays, look the refund up there',
    },
  },
  refundRefused: {
    is: { zh: '退款被拒', en: 'refund refused' },
    todo: {
      zh: '额度已归还。到网关后台查明原因（余额、期限），再次 payments refund',
      en: 'the quota was returned. Find the reason at the gateway (balance, deadline), then run payments refund again',
    },
  },
  forged: {
    is: { zh: '伪造通知', en: 'forged notification' },
    todo: {
      zh: '签名不对，没有任何影响。大量出现时检查网关公钥配置，或在代理处封禁来源',
      en: 'its signature is invalid and it had no effect. If there are many, check the gateway’s public key or block the sender at the proxy',
    },
  },
  stranger: {
    is: { zh: '其他商户的通知', en: 'another merchant’s notification' },
    todo: {
      zh: '签名正确但商户号或应用号不是本站的：检查 APP_ID、SELLER_ID、MCH_ID 配置',
      en: 'validly signed, but for another merchant: check APP_ID, SELLER_ID and MCH_ID',
    },
  },
  unknownOrder: {
    is: { zh: '订单不存在', en: 'unknown order' },
    todo: {
      zh: '款项属于哪个系统？同一商户号的其他系统请使用自己的通知地址；否则到网关后台退款',
      en: 'which system does the payment belong to? Other systems of this merchant need their own notification address; otherwise refund it at the gateway',
    },
  },
  wrongOrder: {
    is: { zh: '交易属于另一订单', en: 'transaction of another order' },
    todo: {
      zh: '同一交易号先后对应两个订单，未入账：到网关后台核对该交易',
      en: 'one transaction was reported for two orders and credited once: look it up at the gateway',
    },
  },
  waiting: {
    is: { zh: '通知未处理', en: 'notification not processed' },
    todo: {
      zh: '后台每分钟补处理；一直存在说明 worker 没有运行，或查看其日志',
      en: 'the worker processes it within a minute; if it stays, check that a worker is running and read its log',
    },
  },
  unanswered: {
    is: { zh: '网关未答复即超时', en: 'timed out without an answer' },
    todo: {
      zh: '网关恢复后：payments reconcile --settle（已付款的会入账）',
      en: 'once the gateway answers, run payments reconcile --settle (paid orders are credited)',
    },
  },
};

export const GATEWAYS: Record<Gateway, Text> = {
  alipay: { zh: '支付宝', en: 'Alipay' },
  wechat: { zh: '微信支付', en: 'WeChat Pay' },
  lianlian: { zh: '连连', en: 'LianLian' },
};

export const VERDICTS: Record<PaymentVerdict, Text> = {
  credit: { zh: '已入账', en: 'credited' },
  double: EXCEPTIONS.double.is,
  afterLogOff: EXCEPTIONS.afterLogOff.is,
  tooLarge: EXCEPTIONS.tooLarge.is,
  wrongAmount: EXCEPTIONS.wrongAmount.is,
};

export const REFUNDS: Record<'started' | 'done' | 'refused', Text> = {
  started: { zh: '退款中', en: 'refund in progress' },
  done: { zh: '已退款', en: 'refunded' },
  refused: { zh: '退款被拒', en: 'refund refused' },
};
