import { readFileSync } from 'node:fs';
import { EntityManager } from '@mikro-orm/postgresql';
import { DAY_MS } from '@yiqiao/domain/limits';
import { yuanOf, type Gateway } from '@yiqiao/domain/orders';
import { CommandError, UsageError, type Text } from '../platform/cli-messages.js';
import { GATEWAYS } from './payments-texts.js';
import type { Operator } from './product.js';
import { momentOf, readStatement, type Statement, type StatementLine } from './statement-file.js';

const BYTES_MOST = 64 * 1024 * 1024;
/** Payments asked for at once. */
const PAGE = 1_000;
/** Between our clock and a gateway's. */
const CLOCKS_MS = 60_000;

/** Both ends included. */
export type Range = { from: Date; to: Date };
type File = Statement & { file: string };
type Tell = (finding: Text) => void;

/**
 * Holds the lines of statements against what is written down here, both ways, and names what differs. `days`: of which time the statements
 * tell; null: from the day of each file's first line to that of its last. Ends with CommandError when anything differs.
 */
export async function reconcileStatements(
  { app, language, say }: Operator,
  names: readonly string[],
  days: Range | null,
): Promise<void> {
  const em = app.get(EntityManager).fork();
  const files = names.map((file): File => ({ file, ...readStatement(file, read(file)) }));
  let differing = 0;
  const tell: Tell = (finding) => {
    differing++;
    say(`  ${finding[language]}`);
  };
  for (const gateway of ['alipay', 'wechat'] as const) {
    const own = files.filter((file) => file.gateway === gateway);
    if (own.length === 0) continue;
    const ranges = days ? [days] : own.map(daysOf);
    const lines = oncePerLine(own, tell);
    const name = GATEWAYS[gateway];
    say({ zh: `${name.zh}：${lines.length} 笔`, en: `${name.en}: ${lines.length} lines` }[language]);
    const known = await knownBy(em, gateway, { lines, ranges });
    for (const line of await withOrders(em, lines, known)) tellOf(line, known, tell);
    tellMissing(known, { lines, ranges }, tell);
  }
  if (differing > 0)
    throw new CommandError({
      zh: `${differing} 处与对账单不一致`,
      en: `${differing} differences from the statements.`,
    });
  say({ zh: '与对账单全部一致', en: 'All agrees with the statements.' }[language]);
}

function read(file: string): Buffer {
  let bytes: Buffer;
  try {
    bytes = readFileSync(file);
  } catch {
    throw new UsageError({ zh: `无法读取文件 ${file}`, en: `The file ${file} cannot be read.` });
  }
  if (bytes.length > BYTES_MOST)
    throw new UsageError({ zh: `${file} 超过 64 MiB`, en: `${file} is larger than 64 MiB.` });
  return bytes;
}

/** Gateways give out whole days of Beijing. */
function daysOf({ file, lines }: File): Range {
  if (lines.length === 0)
    throw new CommandError({
      zh: `${file} 没有任何交易：用 --from 与 --to 说明它是哪几天的`,
      en: `${file} has no lines: say by --from and --to of which days it is.`,
    });
  const days = lines.map(({ at }) => momentOf(`${at.slice(0, 10)} 00:00:00`)).sort((a, b) => a - b);
  const [from = 0, last = from] = [days.at(0), days.at(-1)];
  return { from: new Date(from), to: new Date(last + DAY_MS - 1) };
}

/** Files may overlap: what stands in two of them is one line. What stands twice in one, or differently in two, is named. */
function oncePerLine(files: readonly File[], tell: Tell): StatementLine[] {
  const found = new Map<string, { line: StatementLine; of: File }>();
  for (const of of files)
    for (const line of of.lines) {
      const key = [line.kind, line.tradeNo, line.refundNo].join(' ');
      const other = found.get(key);
      if (!other) found.set(key, { line, of });
      else if (other.of === of || other.line.amount !== line.amount || other.line.orderNo !== line.orderNo) {
        const [yuan, what] = [yuanOf(line.amount), WHAT[line.kind]];
        tell({
          zh: `${line.orderNo}: ${what.zh} ${yuan} 元（交易 ${line.tradeNo}）在对账单中重复出现`,
          en: `${line.orderNo}: a ${what.en} of ${yuan} yuan (transaction ${line.tradeNo}) stands in the statements twice`,
        });
      }
    }
  return [...found.values()].map(({ line }) => line);
}

const WHAT = { payment: { zh: '收款', en: 'payment' }, refund: { zh: '退款', en: 'refund' } };

/** A refund that was made, or is under way: then `until` is null. It was made at the gateway between `since` and `until`. In fen. */
type KnownRefund = { no: string; amount: number; source: 'operator' | 'gateway'; since: number; until: number | null };
type Known = { tradeNo: string; no: string; amount: number; since: number; until: number; refunds: KnownRefund[] };
type Compared = { lines: readonly StatementLine[]; ranges: readonly Range[] };

// One that was made on the gateway's pages is written down later, so all that is known of its time is that it came after the payment.
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

/** Our payments that the lines name, and those that were paid or given back in the time that they tell of; by their transaction. */
async function knownBy(em: EntityManager, gateway: Gateway, { lines, ranges }: Compared): Promise<Map<string, Known>> {
  const known = new Map<string, Known>();
  const add = async (condition: string, values: unknown[]): Promise<void> => {
    for (const row of await em.execute<Known[]>(`${KNOWN} AND ${condition} ORDER BY p.id`, [gateway, ...values]))
      known.set(row.tradeNo, {
        ...row,
        ...{ amount: Number(row.amount), since: Number(row.since), until: Number(row.until) },
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

/** Lines, and of those whose payment is unknown whether their order is. */
type Looked = { line: StatementLine; hasOrder: boolean };

async function withOrders(
  em: EntityManager,
  lines: readonly StatementLine[],
  known: ReadonlyMap<string, Known>,
): Promise<Looked[]> {
  const orders = new Set([...known.values()].map(({ no }) => no));
  const unknown = lines.filter(({ tradeNo }) => !known.has(tradeNo)).map(({ orderNo }) => orderNo);
  for (const page of pagesOf(unknown))
    for (const { no } of await em.execute<{ no: string }[]>(
      'SELECT no FROM recharge_order WHERE no IN (SELECT jsonb_array_elements_text(?::jsonb))',
      [JSON.stringify(page)],
    ))
      orders.add(no);
  return lines.map((line) => ({ line, hasOrder: orders.has(line.orderNo) }));
}

const pagesOf = (names: readonly string[]): string[][] =>
  Array.from({ length: Math.ceil(names.length / PAGE) }, (_, i) => names.slice(i * PAGE, (i + 1) * PAGE));

/** From the side of the statement. */
function tellOf({ line, hasOrder }: Looked, known: ReadonlyMap<string, Known>, tell: Tell): void {
  const { kind, tradeNo, orderNo } = line;
  const payment = known.get(tradeNo);
  const [yuan, what] = [yuanOf(line.amount), WHAT[kind]];
  if (!payment) {
    const where = hasOrder ? UNKNOWN[kind] : NO_ORDER;
    tell({
      zh: `${orderNo}: 对账单有${what.zh} ${yuan} 元（交易 ${tradeNo}），${where.zh}`,
      en: `${orderNo}: a ${what.en} of ${yuan} yuan (transaction ${tradeNo}) ${where.en}`,
    });
  } else if (payment.no !== orderNo)
    tell({
      zh: `${orderNo}: 交易 ${tradeNo} 在这里属于订单 ${payment.no}`,
      en: `${orderNo}: transaction ${tradeNo} belongs to order ${payment.no} here`,
    });
  else if (kind === 'payment') tellAmount(line, payment.amount, tell);
  else tellRefund(line, payment, tell);
}

const UNKNOWN = {
  payment: {
    zh: '这里没有这笔付款：payments reconcile --settle',
    en: 'that is not known here: payments reconcile --settle',
  },
  refund: { zh: '这里没有它的付款', en: 'of a payment that is not known here' },
};
const NO_ORDER = { zh: '这里没有这个订单', en: 'of an order that is not known here' };

function tellAmount({ kind, orderNo, amount }: StatementLine, ours: number, tell: Tell): void {
  if (amount === ours) return;
  const what = WHAT[kind];
  tell({
    zh: `${orderNo}: ${what.zh}在对账单为 ${yuanOf(amount)} 元，这里为 ${yuanOf(ours)} 元`,
    en: `${orderNo}: the ${what.en} is ${yuanOf(amount)} yuan in the statement, ${yuanOf(ours)} here`,
  });
}

/** Takes the refund off those of the payment, so that what is left is what the statement does not tell. */
function tellRefund(line: StatementLine, payment: Known, tell: Tell): void {
  const { orderNo, refundNo, amount } = line;
  const { refunds } = payment;
  // Whoever wrote down a refund of the gateway's pages need not have known its number.
  const found =
    refunds.find(({ no }) => no === refundNo) ??
    refunds.find((refund) => refund.source === 'gateway' && refund.amount === amount);
  if (found) {
    payment.refunds = refunds.filter((refund) => refund !== found);
    tellAmount(line, found.amount, tell);
    return;
  }
  const yuan = yuanOf(amount);
  const how = `payments record-refund ${orderNo} --amount ${yuan}${refundNo === '' ? '' : ` --no "${refundNo}"`} --reason "…"`;
  tell({
    zh: `${orderNo}: 对账单有退款 ${yuan} 元（${refundNo}），这里没有：${how}`,
    en: `${orderNo}: a refund of ${yuan} yuan (${refundNo}) that is not known here: ${how}`,
  });
}

/** From our side: payments and refunds that were surely made in the time that the lines tell of, and which no line tells. */
function tellMissing(known: ReadonlyMap<string, Known>, { lines, ranges }: Compared, tell: Tell): void {
  const paid = new Set(lines.filter(({ kind }) => kind === 'payment').map(({ tradeNo }) => tradeNo));
  const isWithin = (since: number, until: number): boolean =>
    ranges.some(({ from, to }) => from.getTime() <= since && until <= to.getTime());
  for (const { no, tradeNo, amount, since, until, refunds } of known.values()) {
    if (!paid.has(tradeNo) && isWithin(since, until))
      tell({
        zh: `${no}: 这里有收款 ${yuanOf(amount)} 元（交易 ${tradeNo}），对账单没有`,
        en: `${no}: a payment of ${yuanOf(amount)} yuan (transaction ${tradeNo}) that the statement lacks`,
      });
    for (const refund of refunds)
      if (refund.until !== null && isWithin(refund.since - CLOCKS_MS, refund.until + CLOCKS_MS))
        tell({
          zh: `${no}: 这里有退款 ${yuanOf(refund.amount)} 元（${refund.no}），对账单没有`,
          en: `${no}: a refund of ${yuanOf(refund.amount)} yuan (${refund.no}) that the statement lacks`,
        });
  }
}
