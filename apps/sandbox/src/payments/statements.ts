import { spacedTime } from './beijing-time.js';
import type { Refund, Trade } from './trade.js';
import { yuan } from './yuan.js';

const ALIPAY_COLUMNS =
  '支付宝交易号,商户订单号,业务类型,商品名称,创建时间,完成时间,门店编号,门店名称,操作员,终端号,对方账户,订单金额（元）,商家实收（元）,支付宝红包（元）,集分宝（元）,支付宝优惠（元）,商家优惠（元）,券核销金额（元）,券名称,商家红包消费金额（元）,卡消费金额（元）,退款批次号/请求号,服务费（元）,分润（元）,备注';
const WECHAT_COLUMNS =
  '交易时间,公众账号ID,商户号,特约商户号,设备号,微信订单号,商户订单号,用户标识,交易类型,交易状态,付款银行,货币种类,应结订单金额,代金券金额,微信退款单号,商户退款单号,退款金额,充值券退款金额,退款类型,退款状态,商品名称,商户数据包,手续费,费率,订单金额,申请退款金额,费率备注';

const paidTrades = (trades: readonly Trade[]): Trade[] =>
  trades.filter(({ paidAt }) => paidAt !== null).sort((a, b) => (a.paidAt ?? 0) - (b.paidAt ?? 0));
const sum = (amounts: readonly number[]): number => amounts.reduce((total, one) => total + one, 0);

/** Alipay's transaction statement (业务明细): GBK, comments around the table, tabs after cells. */
export function alipayStatement(trades: readonly Trade[], sellerId: string): Buffer {
  const paid = paidTrades(trades);
  const refunds = paid.flatMap((trade) => trade.refunds.map((refund) => [trade, refund] as const));
  const line = (trade: Trade, refund: Refund | null): string => {
    const amount = refund ? `-${yuan(refund.amount)}` : yuan(trade.amount);
    const cells = [
      `${trade.tradeNo}\t`,
      `${trade.orderNo}\t`,
      refund ? '退款' : '交易',
      trade.subject,
      spacedTime(trade.createdAt),
      spacedTime(refund?.at ?? trade.paidAt ?? 0),
      '',
      '',
      '',
      '',
      'san***@example.com',
      amount,
      amount,
      '0.00',
      '0.00',
      '0.00',
      '0.00',
      '0.00',
      '',
      '0.00',
      '0.00',
      `${refund?.no ?? ''}\t`,
      '0.00',
      '0.00',
      '',
    ];
    return cells.join(',');
  };
  const rule = '-'.repeat(41);
  return gbk(
    [
      '#支付宝业务明细查询',
      `#账号：[${sellerId}0156]`,
      `#${rule}业务明细列表${rule}`,
      ALIPAY_COLUMNS,
      ...paid.map((trade) => line(trade, null)),
      ...refunds.map(([trade, refund]) => line(trade, refund)),
      `#${rule}业务明细列表结束${rule}`,
      `#交易合计：${paid.length}笔，商家实收共${yuan(sum(paid.map(({ amount }) => amount)))}元，商家优惠共0.00元`,
      `#退款合计：${refunds.length}笔，商家实收退款共-${yuan(sum(refunds.map(([, { amount }]) => amount)))}元，商家优惠退款共0.00元`,
      `#导出时间：[${spacedTime(Date.now())}]`,
      '',
    ].join('\r\n'),
  );
}

/** WeChat Pay's trade bill (交易账单, ALL): UTF-8 with BOM, a backtick before each cell, totals at the end. */
export function wechatStatement(trades: readonly Trade[], { appId, mchId }: { appId: string; mchId: string }): Buffer {
  const paid = paidTrades(trades);
  const refunds = paid.flatMap((trade) => trade.refunds.map((refund) => [trade, refund] as const));
  const line = (trade: Trade, refund: Refund | null): string =>
    [
      spacedTime(refund?.at ?? trade.paidAt ?? 0),
      appId,
      mchId,
      '0',
      '',
      trade.tradeNo,
      trade.orderNo,
      'oSandbox',
      'NATIVE',
      refund ? 'REFUND' : 'SUCCESS',
      'OTHERS',
      'CNY',
      refund ? '0.00' : yuan(trade.amount),
      '0.00',
      refund?.refundNo ?? '0',
      refund?.no ?? '0',
      refund ? yuan(refund.amount) : '0.00',
      '0.00',
      refund ? 'ORIGINAL' : '',
      refund ? 'SUCCESS' : '',
      trade.subject,
      '',
      '0.00000',
      '0.60%',
      refund ? '0.00' : yuan(trade.amount),
      refund ? yuan(refund.amount) : '0.00',
      '',
    ]
      .map((cell) => `\`${cell}`)
      .join(',');
  const [income, refundTotal] = [
    sum(paid.map(({ amount }) => amount)),
    sum(refunds.map(([, { amount }]) => amount)),
  ].map(yuan);
  const totals = [String(paid.length + refunds.length), income, refundTotal, '0.00', '0.00000', income, refundTotal];
  const lines = [
    WECHAT_COLUMNS,
    ...paid.map((trade) => line(trade, null)),
    ...refunds.map(([trade, refund]) => line(trade, refund)),
    '总交易单数,应结订单总金额,退款总金额,充值券退款总金额,手续费总金额,订单总金额,申请退款总金额',
    totals.map((cell) => `\`${cell}`).join(','),
    '',
  ];
  return Buffer.from(`\uFEFF${lines.join('\r\n')}`);
}

let table: Map<string, Buffer> | undefined;

/** Node decodes GBK but cannot encode it: invert the decoder's table. */
function gbk(text: string): Buffer {
  if (!table) {
    table = new Map();
    const decoder = new TextDecoder('gbk');
    for (let high = 0x81; high <= 0xfe; high++)
      for (let low = 0x40; low <= 0xfe; low++) {
        const bytes = Buffer.from([high, low]);
        const character = decoder.decode(bytes);
        if (character.length === 1 && !table.has(character)) table.set(character, bytes);
      }
  }
  const known = table;
  return Buffer.concat([...text].map((c) => (c < '\x80' ? Buffer.from(c) : (known.get(c) ?? Buffer.from('?')))));
}
