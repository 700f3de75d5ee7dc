import { readFileSync } from 'node:fs';
import { EntityManager } from '@mikro-orm/postgresql';
import { DAY_MS } from '@yiqiao/domain/limits';
import { yuanOf, type Gateway } from '@yiqiao/domain/orders';
import { RechargeOrder } from '../orders/recharge-order.entity.js';
import { CommandError, UsageError, type Text } from '../platform/cli-messages.js';
import { GATEWAYS } from './payments-texts.js';
import type { Operator } from './operator-app.js';
import { momentOf, readStatement, type Statement, type StatementLine } from './statement-file.js';

const BYTES_MAX = 64 * 1024 * 1024;
/** Payments per query. */
const PAGE = 1_000;
/** Tolerance between our clock and the gateway's. */
const CLOCK_TOLERANCE_MS = 60_000;

/** Both ends included. */
export type Range = { from: Date; to: Date };
type File = Statement & { file: string };
type Report = (finding: Text) => void;

/**
 * Compares the lines of statements with our records in both directions and prints the differences. `days`: the time that the statements
 * cover; null: from the day of each file's first line to that of its last. Throws CommandError on any difference.
 */
export async function reconcileStatements(
  { app, language, print }: Operator,
  names: readonly string[],
  days: Range | null,
): Promise<void> {
  const em = app.get(EntityManager).fork();
  const files = names.map((file): File => ({ file, ...readStatement(file, read(file)) }));
  let differing = 0;
  const report: Report = (finding) => {
    differing++;
    print(`  ${finding[language]}`);
  };
  for (const gateway of ['alipay', 'wechat'] as const) {
    const own = files.filter((file) => file.gateway === gateway);
    if (own.length === 0) continue;
    const ranges = days ? [days] : own.map(daysOf);
    const lines = oncePerLine(own, report);
    const name = GATEWAYS[gateway];
    print({ zh: `${name.zh}：${lines.length} 笔`, en: `${name.en}: ${lines.length} lines` }[language]);
    const known = await knownBy(em, gateway, { lines, ranges });
    for (const line of await withOrders(em, lines, known)) reportLine(line, known, report);
    reportMissing(known, { lines, ranges }, report);
  }
  if (differing > 0)
    throw new CommandError({
      zh: `${differing} 处与对账单不一致`,
      en: `${differing} differences from the statements.`,
    });
  print({ zh: '与对账单全部一致', en: 'Everything matches the statements.' }[language]);
}

function read(file: string): Buffer {
  let bytes: Buffer;
  try {
    bytes = readFileSync(file);
  } catch {
    throw new UsageError({ zh: `无法读取文件 ${file}`, en: `Cannot read the file ${file}.` });
  }
  if (bytes.length > BYTES_MAX)
    throw new UsageError({ zh: `${file} 超过 64 MiB`, en: `${file} is larger than 64 MiB.` });
  return bytes;
}

/** Statements cover whole days in Beijing. */
function daysOf({ file, lines }: File): Range {
  if (lines.length === 0)
    throw new CommandError({
      zh: `${file} 没有任何交易：用 --from 与 --to 说明它是哪几天的`,
      en: `${file} has no lines. Give its days with --from and --to.`,
    });
  const days = lines.map(({ at }) => momentOf(`${at.slice(0, 10)} 00:00:00`)).sort((a, b) => a - b);
  const [from = 0, last = from] = [days.at(0), days.at(-1)];
  return { from: new Date(from), to: new Date(last + DAY_MS - 1) };
}

/** Removes duplicates of overlapping files. Reports a line that is twice in one file or differs between two. */
function oncePerLine(files: readonly File[], report: Report): StatementLine[] {
  const found = new Map<string, { line: StatementLine; of: File }>();
  for (const of of files)
    for (const line of of.lines) {
      const key = [line.kind, line.tradeNo, line.refundNo].join(' ');
      const other = found.get(key);
      if (!other) found.set(key, { line, of });
      else if (other.of === of || other.line.amount !== line.amount || other.line.orderNo !== line.orderNo) {
        const [yuan, what] = [yuanOf(line.amount), KIND_NAMES[line.kind]];
        report({
          zh: `${line.orderNo}: ${what.zh} ${yuan} 元（交易 ${line.tradeNo}）在对账单中重复出现`,
          en: `${line.orderNo}: a ${what.en} of ${yuan} yuan (transaction ${line.tradeNo}) appears twice in the statements`,
        });
      }
    }
  return [...found.values()].map(({ line }) => line);
}

const KIND_NAMES = { payment: { zh: '收款', en: 'payment' }, refund: { zh: '退款', en: 'refund' } };

/** A refund, made at the gateway between `since` and `until`; `until` is null while it is in progress. In fen. */
type KnownRefund = { no: string; amount: number; source: 'operator' | 'gateway'; since: number; until: number | null };
type Known = { tradeNo: string; no: string; amount: number; since: number; until: number; refunds: KnownRefund[] };
type ComparedOrder = { lines: readonly StatementLine[]; ranges: readonly Range[] };

// Raw SQL: a report over several tables. A refund on the gateway's pages is recorded later, so it is only known to be after the payment.
const REFUNDS = `
SELECT p.refund_no AS no, p.refund_amount AS amount, p.refund_source AS source, p.refund_cmd AS cmd_id, p.refunded_at
WHERE p.refund_state IN ('started', 'done')
UNION ALL SELECT e.no, e.amount, e.source, e.cmd_id, e.refunded_at FROM earlier_refund e WHERE e.payment_id = p.id`;
const MS = (time: string): string => `(extract(epoch FROM ${time}) * 1000)::bigint`;
const KNOWN = `
SELECT p.trade_no AS "tradeNo", o.no, p.amount, ${MS('coalesce(p.paid_at, o.created_at)')} AS since,
  ${MS('coalesce(p.paid_at, p.received_at)')} AS until,
  (SELECT coalesce(jsonb_agg(jsonb_build_object('no', r.no, 'amount', r.amount, 'source', r.source, 'until', ${MS('r.refunded_at')},
     'since', ${MS("coalesce(CASE r.source WHEN 'operator' THEN a.done_at END, p.paid_at, o.created_at)")})), '[]')
   FROM (${REFUNDS}) r LEFT JOIN manager_action a ON a.cmd_id = r.cmd_id) AS refunds
FROM payment p JOIN recharge_order o ON o.id = p.order_id
WHERE p.gateway = ?`;

/** Our payments in the lines, and those paid or refunded in the covered time, by transaction. */
async function knownBy(
  em: EntityManager,
  gateway: Gateway,
  { lines, ranges }: ComparedOrder,
): Promise<Map<string, Known>> {
  const known = new Map<string, Known>();
  const add = async (condition: string, values: unknown[]): Promise<void> => {
    for (const row of await em.execute<Known[]>(`${KNOWN} AND ${condition} ORDER BY p.id`, [gateway, ...values]))
      known.set(row.tradeNo, {
        ...row,
        amount: Number(row.amount),
        since: Number(row.since),
        until: Number(row.until),
      });
  };
  for (const { from, to } of ranges)
    await add(
      `(coalesce(p.paid_at, p.received_at) BETWEEN ? AND ? OR p.refunded_at BETWEEN ? AND ?
        OR EXISTS (SELECT FROM earlier_refund e WHERE e.payment_id = p.id AND e.refunded_at BETWEEN ? AND ?))`,
      [from, to, from, to, from, to],
    );
  for (const page of pagesOf(lines.map(({ tradeNo }) => tradeNo).filter((no) => !known.has(no))))
    await add('p.trade_no IN (SELECT jsonb_array_elements_text(?::jsonb))', [JSON.stringify(page)]);
  return known;
}

/** A line, and whether its order is known. */
type LineWithOrder = { line: StatementLine; hasOrder: boolean };

async function withOrders(
  em: EntityManager,
  lines: readonly StatementLine[],
  known: ReadonlyMap<string, Known>,
): Promise<LineWithOrder[]> {
  const orders = new Set([...known.values()].map(({ no }) => no));
  const unknown = lines.filter(({ tradeNo }) => !known.has(tradeNo)).map(({ orderNo }) => orderNo);
  for (const page of pagesOf(unknown))
    for (const { no } of await em.find(RechargeOrder, { no: { $in: page } }, { fields: ['no'] })) orders.add(no);
  return lines.map((line) => ({ line, hasOrder: orders.has(line.orderNo) }));
}

const pagesOf = (names: readonly string[]): string[][] =>
  Array.from({ length: Math.ceil(names.length / PAGE) }, (_, i) => names.slice(i * PAGE, (i + 1) * PAGE));

/** Compares a line of the statement with our records. */
function reportLine({ line, hasOrder }: LineWithOrder, known: ReadonlyMap<string, Known>, report: Report): void {
  const { kind, tradeNo, orderNo } = line;
  const payment = known.get(tradeNo);
  const [yuan, what] = [yuanOf(line.amount), KIND_NAMES[kind]];
  if (!payment) {
    const where = hasOrder ? UNKNOWN[kind] : NO_ORDER;
    report({
      zh: `${orderNo}: 对账单有${what.zh} ${yuan} 元（交易 ${tradeNo}），${where.zh}`,
      en: `${orderNo}: a ${what.en} of ${yuan} yuan (transaction ${tradeNo}) ${where.en}`,
    });
  } else if (payment.no !== orderNo)
    report({
      zh: `${orderNo}: 交易 ${tradeNo} 在这里属于订单 ${payment.no}`,
      en: `${orderNo}: transaction ${tradeNo} belongs to order ${payment.no} here`,
    });
  else if (kind === 'payment') reportAmount(line, payment.amount, report);
  else reportRefund(line, payment, report);
}

const UNKNOWN = {
  payment: {
    zh: '这里没有这笔付款：payments reconcile --settle',
    en: 'is unknown here: payments reconcile --settle',
  },
  refund: { zh: '这里没有它的付款', en: 'belongs to a payment that is unknown here' },
};
const NO_ORDER = { zh: '这里没有这个订单', en: 'belongs to an order that is unknown here' };

function reportAmount({ kind, orderNo, amount }: StatementLine, ours: number, report: Report): void {
  if (amount === ours) return;
  const what = KIND_NAMES[kind];
  report({
    zh: `${orderNo}: ${what.zh}在对账单为 ${yuanOf(amount)} 元，这里为 ${yuanOf(ours)} 元`,
    en: `${orderNo}: the ${what.en} is ${yuanOf(amount)} yuan in the statement, ${yuanOf(ours)} here`,
  });
}

/** Removes the refund from the payment's, so that the rest are missing from the statement. */
function reportRefund(line: StatementLine, payment: Known, report: Report): void {
  const { orderNo, refundNo, amount } = line;
  const { refunds } = payment;
  // A refund recorded from the gateway's pages may lack its number.
  const found =
    refunds.find(({ no }) => no === refundNo) ??
    refunds.find((refund) => refund.source === 'gateway' && refund.amount === amount);
  if (found) {
    payment.refunds = refunds.filter((refund) => refund !== found);
    reportAmount(line, found.amount, report);
    return;
  }
  const yuan = yuanOf(amount);
  const how = `payments record-refund ${orderNo} --amount ${yuan}${refundNo === '' ? '' : ` --no "${refundNo}"`} --reason "…"`;
  report({
    zh: `${orderNo}: 对账单有退款 ${yuan} 元（${refundNo}），这里没有：${how}`,
    en: `${orderNo}: a refund of ${yuan} yuan (${refundNo}) is unknown here: ${how}`,
  });
}

/** Reports our payments and refunds that were made within the covered time but are in no line. */
function reportMissing(known: ReadonlyMap<string, Known>, { lines, ranges }: ComparedOrder, report: Report): void {
  const paid = new Set(lines.filter(({ kind }) => kind === 'payment').map(({ tradeNo }) => tradeNo));
  const isWithin = (since: number, until: number): boolean =>
    ranges.some(({ from, to }) => from.getTime() <= since && until <= to.getTime());
  for (const { no, tradeNo, amount, since, until, refunds } of known.values()) {
    if (!paid.has(tradeNo) && isWithin(since, until))
      report({
        zh: `${no}: 这里有收款 ${yuanOf(amount)} 元（交易 ${tradeNo}），对账单没有`,
        en: `${no}: a payment of ${yuanOf(amount)} yuan (transaction ${tradeNo}) is missing from the statement`,
      });
    for (const refund of refunds)
      if (refund.until !== null && isWithin(refund.since - CLOCK_TOLERANCE_MS, refund.until + CLOCK_TOLERANCE_MS))
        report({
          zh: `${no}: 这里有退款 ${yuanOf(refund.amount)} 元（${refund.no}），对账单没有`,
          en: `${no}: a refund of ${yuanOf(refund.amount)} yuan (${refund.no}) is missing from the statement`,
        });
  }
}
