import type { EntityManager } from '@mikro-orm/postgresql';
import { Refusal } from '@yiqiao/domain/errors';
import { DAY_MS } from '@yiqiao/domain/limits';
import type { Gateway } from '@yiqiao/domain/orders';
import { RechargeOrder } from '../../orders/recharge-order.entity.js';
import type { Difference, Totals } from './difference.js';
import { momentOf, type Statement, type StatementLine } from './statement-file.js';

/** Payments per query. */
const PAGE = 1_000;
/** Tolerance between our clock and the gateway's. */
const CLOCK_TOLERANCE_MS = 60_000;
/** A payment that we learn of later than this after it was made was recorded late. */
const LATE_MS = 3_600_000;

/** Both ends included. */
export type Range = { from: Date; to: Date };
export type StatementFile = Statement & { file: string; sha256: string };
type StatementGateway = Statement['gateway'];
/** Of one gateway, each line once. */
export type Compared = { gateway: StatementGateway; lines: StatementLine[]; ranges: Range[]; totals: Totals };
type Report = (difference: Omit<Difference, 'source' | 'gateway'>) => void;

/**
 * Compares the lines of statements with our records in both directions. `days`: the time that the statements cover; null: from the day of
 * each file's first line to that of its last. Throws STATEMENT_EMPTY.
 */
export async function compareStatements(
  em: EntityManager,
  files: readonly StatementFile[],
  days: Range | null,
): Promise<{ compared: Compared[]; differences: Difference[] }> {
  const compared: Compared[] = [];
  const differences: Difference[] = [];
  for (const gateway of ['alipay', 'wechat'] as const) {
    const own = files.filter((file) => file.gateway === gateway);
    if (own.length === 0) continue;
    const ranges = days ? [days] : own.map(daysOf);
    const report: Report = (difference) => void differences.push({ source: 'statement', gateway, ...difference });
    const lines = oncePerLine(own, report);
    const totals = { gateway, count: lines.length, ...sumsOf(lines), here: 0, refundedHere: 0, recharged: null };
    const known = await knownBy(em, gateway, { lines, ranges });
    for (const line of await withOrders(em, lines, known)) reportLine(line, known, { report, totals });
    reportMissing(known, { lines, ranges }, { report, totals });
    compared.push({ gateway, lines, ranges, totals });
  }
  return { compared, differences };
}

const sumsOf = (lines: readonly StatementLine[]): Pick<Totals, 'there' | 'refundedThere'> => {
  const sum = (of: StatementLine['kind']): number =>
    lines.filter(({ kind }) => kind === of).reduce((total, { amount }) => total + amount, 0);
  return { there: sum('payment'), refundedThere: sum('refund') };
};

/** Statements cover whole days in Beijing. */
export function daysOf({ file, lines }: StatementFile): Range {
  if (lines.length === 0) throw new Refusal('STATEMENT_EMPTY', { data: { file } });
  let [first, last] = [Infinity, -Infinity];
  for (const { at } of lines) {
    const day = momentOf(`${at.slice(0, 10)} 00:00:00`);
    first = Math.min(first, day);
    last = Math.max(last, day);
  }
  return { from: new Date(first), to: new Date(last + DAY_MS - 1) };
}

/** Removes duplicates of overlapping files. Reports a line that is twice in one file or differs between two. */
function oncePerLine(files: readonly StatementFile[], report: Report): StatementLine[] {
  const found = new Map<string, { line: StatementLine; of: StatementFile }>();
  for (const of of files)
    for (const line of of.lines) {
      const key = [line.kind, line.tradeNo, line.refundNo].join(' ');
      const other = found.get(key);
      if (!other) found.set(key, { line, of });
      else if (other.of === of || other.line.amount !== line.amount || other.line.orderNo !== line.orderNo)
        report(differenceOf(line, 'twice', { found: line.amount }));
    }
  return [...found.values()].map(({ line }) => line);
}

const differenceOf = (
  { kind, orderNo, tradeNo, refundNo, at }: StatementLine,
  what: Difference['what'],
  { expected = null, found, detail = '' }: { expected?: number | null; found: number | null; detail?: string },
): Omit<Difference, 'source' | 'gateway'> => ({
  what,
  kind,
  orderNo,
  tradeNo,
  refundNo,
  expected,
  found,
  detail,
  at: new Date(momentOf(at)),
});

/** A refund, made at the gateway between `since` and `until`; `until` is null while it is in progress. In fen. */
type KnownRefund = { no: string; amount: number; source: 'operator' | 'gateway'; since: number; until: number | null };
type Known = {
  tradeNo: string;
  no: string;
  amount: number;
  since: number;
  until: number;
  receivedAt: number;
  refunds: KnownRefund[];
};
type Covered = { lines: readonly StatementLine[]; ranges: readonly Range[] };

// Raw SQL: a report over several tables. A refund on the gateway's pages is recorded later, so it is only known to be after the payment.
const REFUNDS_OF = `
SELECT p.refund_no AS no, p.refund_amount AS amount, p.refund_source AS source, p.refund_cmd AS cmd_id, p.refunded_at
WHERE p.refund_state IN ('started', 'done')
UNION ALL SELECT e.no, e.amount, e.source, e.cmd_id, e.refunded_at FROM earlier_refund e WHERE e.payment_id = p.id`;
const MS = (time: string): string => `(extract(epoch FROM ${time}) * 1000)::bigint`;
const KNOWN = `
SELECT p.trade_no AS "tradeNo", o.no, p.amount, ${MS('coalesce(p.paid_at, o.created_at)')} AS since,
  ${MS('coalesce(p.paid_at, p.received_at)')} AS until, ${MS('p.received_at')} AS "receivedAt",
  (SELECT coalesce(jsonb_agg(jsonb_build_object('no', r.no, 'amount', r.amount, 'source', r.source, 'until', ${MS('r.refunded_at')},
     'since', ${MS("coalesce(CASE r.source WHEN 'operator' THEN a.done_at END, p.paid_at, o.created_at)")})), '[]')
   FROM (${REFUNDS_OF}) r LEFT JOIN manager_action a ON a.cmd_id = r.cmd_id) AS refunds
FROM payment p JOIN recharge_order o ON o.id = p.order_id
WHERE p.gateway = ?`;

/** Our payments in the lines, and those paid or refunded in the covered time, by transaction. */
async function knownBy(em: EntityManager, gateway: Gateway, { lines, ranges }: Covered): Promise<Map<string, Known>> {
  const known = new Map<string, Known>();
  const add = async (condition: string, values: unknown[]): Promise<void> => {
    for (const row of await em.execute<Known[]>(`${KNOWN} AND ${condition} ORDER BY p.id`, [gateway, ...values]))
      known.set(row.tradeNo, {
        ...row,
        amount: Number(row.amount),
        since: Number(row.since),
        until: Number(row.until),
        receivedAt: Number(row.receivedAt),
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

type Into = { report: Report; totals: Totals };

/** Compares a line of the statement with our records. */
function reportLine({ line, hasOrder }: LineWithOrder, known: ReadonlyMap<string, Known>, into: Into): void {
  const { kind, tradeNo, orderNo, amount } = line;
  const { report, totals } = into;
  const payment = known.get(tradeNo);
  if (!payment) {
    if (!hasOrder) report(differenceOf(line, 'unknownOrder', { found: amount }));
    else if (kind === 'payment') report(differenceOf(line, 'missingHere', { found: amount }));
    else report(differenceOf(line, 'refund', { found: amount, detail: 'noPayment' }));
    return;
  }
  if (kind === 'payment') totals.here += payment.amount;
  if (payment.no !== orderNo)
    report(differenceOf(line, 'wrongOrder', { expected: payment.amount, found: amount, detail: payment.no }));
  else if (kind === 'refund') reportRefund(line, payment, into);
  else if (amount !== payment.amount) report(differenceOf(line, 'amount', { expected: payment.amount, found: amount }));
  else if (payment.receivedAt - momentOf(line.at) > LATE_MS)
    report(differenceOf(line, 'late', { expected: amount, found: amount }));
}

/** Removes the refund from the payment's, so that the rest are missing from the statement. */
function reportRefund(line: StatementLine, payment: Known, { report, totals }: Into): void {
  const { refunds } = payment;
  // A refund recorded from the gateway's pages may lack its number.
  const found =
    refunds.find(({ no }) => no === line.refundNo) ??
    refunds.find((refund) => refund.source === 'gateway' && refund.amount === line.amount);
  if (found) {
    payment.refunds = refunds.filter((refund) => refund !== found);
    totals.refundedHere += found.amount;
    if (found.amount === line.amount) return;
  }
  report(differenceOf(line, 'refund', { expected: found?.amount ?? null, found: line.amount }));
}

/** Reports our payments and refunds that were made within the covered time but are in no line. */
function reportMissing(known: ReadonlyMap<string, Known>, { lines, ranges }: Covered, { report, totals }: Into): void {
  const paid = new Set(lines.filter(({ kind }) => kind === 'payment').map(({ tradeNo }) => tradeNo));
  const isWithin = (since: number, until: number): boolean =>
    ranges.some(({ from, to }) => from.getTime() <= since && until <= to.getTime());
  for (const { no: orderNo, tradeNo, amount, since, until, refunds } of known.values()) {
    const missing = { orderNo, tradeNo, found: null, detail: '' };
    if (!paid.has(tradeNo) && isWithin(since, until)) {
      totals.here += amount;
      report({
        ...missing,
        what: 'missingThere',
        kind: 'payment',
        refundNo: '',
        expected: amount,
        at: new Date(until),
      });
    }
    for (const refund of refunds)
      if (refund.until !== null && isWithin(refund.since - CLOCK_TOLERANCE_MS, refund.until + CLOCK_TOLERANCE_MS)) {
        totals.refundedHere += refund.amount;
        const at = new Date(refund.until);
        report({ ...missing, what: 'refund', kind: 'refund', refundNo: refund.no, expected: refund.amount, at });
      }
  }
}
