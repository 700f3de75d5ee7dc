import { describe, expect, it } from '@jest/globals';
import { errorMessage, Refusal } from '@yiqiao/domain/errors';
import { readStatement } from './statement-file.js';

const HEAD = '支付宝交易号,商户订单号,业务类型,完成时间,订单金额（元）,退款批次号/请求号';
const ROWS = ['T1\t,YQ1\t,交易,2026-11-21 10:00:00,88.00,\t', 'T1\t,YQ1\t,退款,2026-11-21 11:00:00,-22.00,RF1\t'];
const END = [
  '#----业务明细列表结束----',
  '#交易合计：1笔，商家实收共88.00元',
  '#退款合计：1笔，商家实收退款共-22.00元',
];
const alipay = (rows = ROWS, end = END): string =>
  ['#支付宝业务明细查询', '#账号：[20880000000000010156]', HEAD, ...rows, ...end, ''].join('\r\n');

const W_HEAD = '交易时间,公众账号ID,微信订单号,商户订单号,交易状态,商户退款单号,订单金额,申请退款金额';
const W_ROWS = [
  '`2026-11-21 10:00:00,`wx1,`4200,`YQ2,`SUCCESS,`0,`128.00,`0.00',
  '`2026-11-21 11:00:00,`wx1,`4200,`YQ2,`REFUND,`RF2,`0.00,`0.01',
];
const wechat = (rows = W_ROWS, count = rows.length): string =>
  ['\uFEFF' + W_HEAD, ...rows, '总交易单数,应结订单总金额', `\`${count},\`128.00`, ''].join('\r\n');

let table: Map<string, Buffer> | undefined;
/** Node decodes GBK but cannot encode it. */
function gbk(text: string): Buffer {
  table ??= new Map(
    Array.from({ length: 0x7e * 0xbf }, (_, i) => Buffer.from([0x81 + Math.floor(i / 0xbf), 0x40 + (i % 0xbf)])).map(
      (bytes) => [new TextDecoder('gbk').decode(bytes), bytes],
    ),
  );
  const known = table;
  return Buffer.concat([...text].map((c) => (c < '\x80' ? Buffer.from(c) : (known.get(c) ?? Buffer.from('?')))));
}
const read = (bytes: Buffer) => readStatement('a.csv', bytes);

const refusalOf = (bytes: Buffer): string | null => {
  try {
    read(bytes);
    return null;
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return errorMessage(error.code, 'en', error.details.data);
  }
};

describe('statement files', () => {
  it('read Alipay statements in GBK and in UTF-8', () => {
    const at = { tradeNo: 'T1', orderNo: 'YQ1' };
    const expected = {
      gateway: 'alipay',
      lines: [
        { ...at, kind: 'payment', refundNo: '', amount: 8_800, at: '2026-11-21 10:00:00' },
        { ...at, kind: 'refund', refundNo: 'RF1', amount: 2_200, at: '2026-11-21 11:00:00' },
      ],
    };
    expect(read(gbk(alipay()))).toEqual(expected);
    expect(read(Buffer.from(alipay()))).toEqual(expected);
  });

  it('read WeChat Pay statements with a BOM and backticks', () => {
    expect(read(Buffer.from(wechat()))).toMatchObject({
      gateway: 'wechat',
      lines: [
        { kind: 'payment', tradeNo: '4200', orderNo: 'YQ2', amount: 12_800 },
        { kind: 'refund', refundNo: 'RF2', amount: 1 },
      ],
    });
  });

  it('leave failed refunds out of WeChat Pay statements', () => {
    const text = wechat().replaceAll(/(申请退款金额|,`\d\.\d\d)(?=\r\n)/g, (end) =>
      end.startsWith('申') ? `${end},退款状态` : `${end},\`FAIL`,
    );
    const { lines } = read(Buffer.from(text.replace('`0.00,`FAIL', '`0.00,`')));
    expect(lines.map(({ kind }) => kind)).toEqual(['payment']);
  });

  it.each([
    ['of nobody', Buffer.from('a,b\n1,2\n'), /neither/],
    ['that is empty', Buffer.alloc(0), /neither/],
    ['of two encodings', Buffer.concat([gbk(alipay()), Buffer.from([0x81, 0x20, 0xff])]), /neither/],
    ['that was cut', gbk(alipay().slice(0, -90)), /is incomplete/],
    ['without its end', gbk(alipay(ROWS, [])), /is incomplete/],
    ['whose totals count other lines', gbk(alipay(ROWS.slice(1))), /is incomplete/],
    ['of WeChat Pay that was cut', Buffer.from(wechat(W_ROWS, 3)), /is incomplete/],
    [
      'with a cell too few',
      gbk(alipay(['T1,YQ1,交易,2026-11-21 10:00:00,88.00', ROWS[1] ?? ''])),
      /could not be parsed/,
    ],
    ['with an amount that is none', gbk(alipay([(ROWS[0] ?? '').replace('88.00', '1e3'), ROWS[1] ?? ''])), /1e3/],
    [
      'with a time that is none',
      gbk(alipay([(ROWS[0] ?? '').replace('2026-11-21', '2026/11/21'), ROWS[1] ?? ''])),
      /line 4 .*2026\/11/,
    ],
    ['of an unknown kind', gbk(alipay([(ROWS[0] ?? '').replace('交易', '分账'), ROWS[1] ?? ''])), /分账/],
  ])('reject a statement %s', (_, bytes, words) => {
    expect(refusalOf(bytes)).toMatch(words);
  });
});
