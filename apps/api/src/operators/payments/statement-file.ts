import { Refusal } from '@yiqiao/domain/errors';
import { fenOf, type Gateway } from '@yiqiao/domain/orders';
import { STATEMENT_ROWS_MAX } from '@yiqiao/domain/reconciliation';
import { parse } from 'csv-parse/sync';

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
export type Statement = { gateway: Exclude<Gateway, 'lianlian'>; lines: StatementLine[] };

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
 * WeChat Pay's trade bill (交易账单, UTF-8 with a BOM, a backtick before each cell, totals at the end). Throws STATEMENT_UNKNOWN, also for
 * mixed encodings, STATEMENT_INCOMPLETE, STATEMENT_LINE_INVALID, STATEMENT_TOO_LONG.
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
  throw new Refusal('STATEMENT_UNKNOWN', { data: { file: name } });
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

/** Of a cell that is not what it should be. */
const CELL_SHOWN = 60;

/** Each row by the column names of the header, with its line number. */
function rowsOf(
  name: string,
  lines: string[],
  { head, end, tidy }: { head: number; end: number; tidy: (cell: string) => string },
): [Row, number][] {
  if (end - head > STATEMENT_ROWS_MAX + 1)
    throw new Refusal('STATEMENT_TOO_LONG', { data: { file: name, most: STATEMENT_ROWS_MAX } });
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

const cutShort = (file: string): Refusal => new Refusal('STATEMENT_INCOMPLETE', { data: { file } });

const unreadable = (file: string, line: number, what: string): Refusal =>
  new Refusal('STATEMENT_LINE_INVALID', { data: { file, line, what: what.slice(0, CELL_SHOWN) } });
