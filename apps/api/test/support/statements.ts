/** Statements as the gateways offer them for download, with their real columns, encodings, comments and totals. */
import { yuanOf } from '@yiqiao/domain/orders';

export type StatedLine = {
  kind?: 'payment' | 'refund';
  tradeNo: string;
  orderNo: string;
  refundNo?: string;
  amount: number;
  at: string;
};

const ALIPAY_COLUMNS =
  '支付宝交易号,商户订单号,业务类型,商品名称,创建时间,完成时间,门店编号,门店名称,操作员,终端号,对方账户,订单金额（元）,商家实收（元）,支付宝红包（元）,集分宝（元）,支付宝优惠（元）,商家优惠（元）,券核销金额（元）,券名称,商家红包消费金额（元）,卡消费金额（元）,退款批次号/请求号,服务费（元）,分润（元）,备注';

/** Now in Beijing, as statements write it; `minutes` ago. */
export const beijing = (minutes = 0, now = Date.now()): string =>
  new Date(now - minutes * 60_000 + 8 * 3_600_000).toISOString().slice(0, 19).replace('T', ' ');

/** Alipay's 业务明细. */
export function alipayStatement(lines: readonly StatedLine[]): Buffer {
  const of = (kind: StatedLine['kind']) => lines.filter((line) => (line.kind ?? 'payment') === kind);
  const sum = (some: readonly StatedLine[]): string => yuanOf(some.reduce((total, { amount }) => total + amount, 0));
  const rows = lines.map(({ kind = 'payment', tradeNo, orderNo, refundNo = '', amount, at }) => {
    const money = kind === 'refund' ? `-${yuanOf(amount)}` : yuanOf(amount);
    const empty = Array.from({ length: 4 }, () => '');
    const zeros = (count: number): string[] => Array.from({ length: count }, () => '0.00');
    return [
      `${tradeNo}\t`,
      `${orderNo}\t`,
      kind === 'refund' ? '退款' : '交易',
      '译桥套餐',
      at,
      at,
      ...empty,
      '买家（***@example.com）',
      money,
      money,
      ...zeros(5),
      '',
      ...zeros(2),
      `${refundNo}\t`,
      ...zeros(2),
      '',
    ].join(',');
  });
  return gbk(
    [
      '#支付宝业务明细查询',
      '#账号：[20880000000000010156]',
      '#-----------------------------------------业务明细列表----------------------------------------',
      ALIPAY_COLUMNS,
      ...rows,
      '#-----------------------------------------业务明细列表结束------------------------------------',
      `#交易合计：${of('payment').length}笔，商家实收共${sum(of('payment'))}元，商家优惠共0.00元`,
      `#退款合计：${of('refund').length}笔，商家实收退款共-${sum(of('refund'))}元，商家优惠退款共0.00元`,
      `#导出时间：[${beijing()}]`,
      '',
    ].join('\r\n'),
  );
}

let table: Map<string, Buffer> | undefined;

/** Node decodes GBK but cannot encode it. */
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
