import { fenOf, type Gateway } from '@yiqiao/domain/orders';
import { parse } from 'csv-parse/sync';
import { CommandError } from '../platform/cli-messages.js';

/** A line of a gateway's statement. `amount` in fen, above 0; `at`: `YYYY-MM-DD HH:mm:ss`, Beijing's time. */
export type StatementLine = {
  kind: 'payment' | 'refund';
  tradeNo: string;
  orderNo: string;
  /** The merchant's number of the refund; empty of a payment. */
  refundNo: string;
  amount: number;
  at: string;
};
export type Statement = { gateway: Gateway; lines: StatementLine[] };

type Row = ReadonlyMap<string, string>;

const decoded = (bytes: Buffer, encoding: 'utf-8' | 'gbk'): string | null => {
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes);
  } catch {
    return null;
  }
};

/** ms since 1970; NaN for an invalid time. */
export const momentOf = (at: string): number =>
  /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/.test(at) ? Date.parse(`${at.replace(' ', 'T')}+08:00`) : Number.NaN;

const ALIPAY_HEAD = '支付宝交易号,';
const WECHAT_HEAD = '交易时间,公众账号ID,';

/**
 * Parses a statement downloaded from a gateway: Alipay's business details (业务明细, GBK, comment lines around the table, tabs after cells) or
 * WeChat Pay's trade bill (交易账单, UTF-8 with a BOM, a backtick before each cell, totals at the end). Throws CommandError for another or an
 * incomplete file, mixed encodings, or an invalid line.
 */
export function readStatement(name: string, bytes: Buffer): Statement {
  const texts = [decoded(bytes, 'utf-8'), decoded(bytes, 'gbk')].filter((text) => text !== null);
  for (const text of texts) {
    const lines = text.split(/\r?\n/);
    const alipay = lines.findIndex((line) => line.startsWith(ALIPAY_HEAD));
    if (alipay !== -1) return { gateway: 'alipay', lines: alipayLines(name, lines, alipay) };
    const wechat = lines.findIndex((line) => line.startsWith(WECHAT_HEAD));
    if (wechat !== -1) return { gateway: 'wechat', lines: wechatLines(name, lines, wechat) };
  }
  throw new CommandError({
    zh: `${name} 不是支付宝业务明细（GBK）或微信支付交易账单（UTF-8），或混用了编码`,
    en: `${name} is neither Alipay's business details (GBK) nor WeChat Pay's trade bill (UTF-8), or it mixes encodings.`,
  });
}

function alipayLines(name: string, lines: string[], head: number): StatementLine[] {
  const end = lines.findIndex((line) => line.startsWith('#') && line.includes('业务明细列表结束'));
  if (end < head) throw cutShort(name);
  const rows = rowsOf(name, lines, { head, end, tidy: (cell) => cell.trim() });
  const found = rows.map(([row, at]): StatementLine => {
    const type = cellOf(name, row, at, '业务类型');
    const isRefund = type === '退款';
    if (!isRefund && type !== '交易') throw unreadable(name, at, `业务类型 ${type}`);
    return {
      kind: isRefund ? 'refund' : 'payment',
      tradeNo: cellOf(name, row, at, '支付宝交易号'),
      orderNo: cellOf(name, row, at, '商户订单号'),
      refundNo: isRefund ? cellOf(name, row, at, '退款批次号/请求号') : '',
      amount: amountOf(name, at, cellOf(name, row, at, '订单金额（元）').replace(isRefund ? /^-/ : /^$/, '')),
      at: timeOf(name, at, cellOf(name, row, at, '完成时间')),
    };
  });
  for (const [what, kind] of [
    ['交易合计', 'payment'],
    ['退款合计', 'refund'],
  ] as const) {
    const told = new RegExp(`^#${what}：(\\d+)笔`).exec(lines.find((line) => line.startsWith(`#${what}：`)) ?? '')?.[1];
    if (Number(told ?? -1) !== found.filter((line) => line.kind === kind).length) throw cutShort(name);
  }
  return found;
}

function wechatLines(name: string, lines: string[], head: number): StatementLine[] {
  const totals = lines.findIndex((line) => line.startsWith('总交易单数,'));
  if (totals < head) throw cutShort(name);
  const plain = (cell: string): string => cell.trim().replace(/^`/, '');
  const rows = rowsOf(name, lines, { head, end: totals, tidy: plain });
  const count = plain((lines[totals + 1] ?? '').split(',', 1)[0] ?? '');
  if (count !== String(rows.length)) throw cutShort(name);
  // Failed refunds moved no money.
  return rows
    .filter(([row]) => row.get('退款状态') !== 'FAIL')
    .map(([row, at]) => {
      const state = cellOf(name, row, at, '交易状态');
      const isRefund = state === 'REFUND' || state === 'REVOKED';
      if (!isRefund && state !== 'SUCCESS') throw unreadable(name, at, `交易状态 ${state}`);
      return {
        kind: isRefund ? 'refund' : 'payment',
        tradeNo: cellOf(name, row, at, '微信订单号'),
        orderNo: cellOf(name, row, at, '商户订单号'),
        refundNo: isRefund ? cellOf(name, row, at, '商户退款单号') : '',
        amount: amountOf(name, at, cellOf(name, row, at, isRefund ? '申请退款金额' : '订单金额')),
        at: timeOf(name, at, cellOf(name, row, at, '交易时间')),
      };
    });
}

/** Each row by the column names of the header, with its line number. */
function rowsOf(
  name: string,
  lines: string[],
  { head, end, tidy }: { head: number; end: number; tidy: (cell: string) => string },
): [Row, number][] {
  let table: string[][];
  try {
    table = parse(lines.slice(head, end).join('\n'), {
      relax_quotes: true,
      relax_column_count: true,
      skip_empty_lines: true,
    });
  } catch {
    throw unreadable(name, head + 1, 'CSV');
  }
  // The content of a cell is printed to a terminal.
  const plain = (cell: string): string => tidy(cell).replaceAll(/[\p{Cc}\p{Cf}\p{Cs}]/gu, '?');
  const [columns = [], ...rows] = table.map((row) => row.map(plain));
  return rows.map((row, i) => {
    const at = head + i + 2;
    // A truncated file lacks cells; a comma within a name adds one and shifts the amount.
    if (row.length !== columns.length) throw unreadable(name, at, `${row.length} ≠ ${columns.length}`);
    return [new Map(columns.map((column, cell) => [column, row[cell] ?? ''])), at];
  });
}

function cellOf(name: string, row: Row, at: number, column: string): string {
  const cell = row.get(column);
  if (cell === undefined) throw unreadable(name, at, column);
  return cell;
}

function amountOf(name: string, at: number, text: string): number {
  const fen = fenOf(text);
  if (fen === null || fen < 1) throw unreadable(name, at, text);
  return fen;
}

function timeOf(name: string, at: number, text: string): string {
  if (Number.isNaN(momentOf(text))) throw unreadable(name, at, text);
  return text;
}

const cutShort = (name: string): CommandError =>
  new CommandError({
    zh: `${name} 不完整：没有结尾，或笔数与合计不符。请重新下载`,
    en: `${name} is incomplete: its end is missing, or its totals do not match its lines. Download it again.`,
  });

const unreadable = (name: string, line: number, what: string): CommandError =>
  new CommandError({
    zh: `${name} 第 ${line} 行无法理解：${what}`,
    en: `${name}, line ${line} could not be parsed: ${what}`,
  });
