import { setTimeout as sleep } from 'node:timers/promises';
import { EntityManager } from '@mikro-orm/postgresql';
import { CommandBus } from '@nestjs/cqrs';
import { dateTime } from '@yiqiao/contracts/fields';
import { DAY_MS } from '@yiqiao/domain/limits';
import { yuanOf } from '@yiqiao/domain/orders';
import { ReconcileOrder, type ReconciledOrder } from '../orders/orders.js';
import { REFUNDED } from '../orders/payments.js';
import { RechargeOrder } from '../orders/recharge-order.entity.js';
import { Clock } from '../platform/clock.js';
import { CommandError, UsageError, type Text } from '../platform/cli-messages.js';
import { readArguments, requireWords } from './command-line.js';
import type { Operator, OperatorTask } from './operator-app.js';
import { reconcileStatements, type Range } from './reconcile-statements.js';

const DAYS = 31;
const PAGE = 100;
/** Ten queries a second, to leave the gateway capacity for payments. */
const PACE_MS = 100;
/** A difference is checked again after this time, because the order may be changing. */
const RECHECK_MS = 2_000;
const PROGRESS_MS = 2_000;
const SETTLE = '--settle';

type Mode = 'look' | 'settle';
type Counts = { done: number; differing: number; mended: number };

/**
 * `payments reconcile [--from "…"] [--to "…"] [--settle]`: compares the orders of that time with gateway, payment and ledger. Exits
 * with 1 on any difference. `--settle` credits orders that are paid, as a notification would. `--statement file…` compares statement files
 * of Alipay and WeChat Pay with our payments instead; `--from` and `--to` then are their days.
 */
export function paymentsReconcile(args: string[]): OperatorTask {
  const mode: Mode = args.includes(SETTLE) ? 'settle' : 'look';
  const parsed = readArguments(
    args.filter((arg) => arg !== SETTLE),
    { options: ['from', 'to', 'statement'] },
  );
  const statement = parsed.options.get('statement');
  if (statement === undefined) requireWords(parsed, []);
  const from = momentOf('--from', parsed.options.get('from'), '00:00:00');
  const to = momentOf('--to', parsed.options.get('to'), '23:59:59');
  if (statement !== undefined) {
    if (mode === 'settle' || (from === null) !== (to === null))
      throw new UsageError({
        zh: '--statement 不能与 --settle 同用；--from 与 --to 要么都写，要么都不写',
        en: '--statement cannot be combined with --settle, and needs both --from and --to or neither.',
      });
    return (operator) => {
      const clock = operator.app.get(Clock);
      const days = from === null || to === null ? null : { from: clock.fromWire(from), to: clock.endOfWire(to) };
      return reconcileStatements(operator, [statement, ...parsed.words], days);
    };
  }
  return async (operator) => {
    const { app, language, print } = operator;
    const clock = app.get(Clock);
    const range = {
      from: from === null ? new Date(clock.now().getTime() - DAYS * DAY_MS) : clock.fromWire(from),
      to: to === null ? clock.now() : clock.endOfWire(to),
    };
    const total = await countIn(app.get(EntityManager), range);
    const [begin, end] = [clock.toWire(range.from), clock.toWire(range.to)];
    print({ zh: `${begin} 至 ${end}：${total} 个订单`, en: `${begin} to ${end}: ${total} orders` }[language]);
    const counts = await compareAll(operator, { range, mode, total });
    if (counts.mended > 0)
      print({ zh: `补入账 ${counts.mended} 个订单`, en: `${counts.mended} orders credited now` }[language]);
    if (counts.differing > 0)
      throw new CommandError({
        zh: `${counts.differing} 个订单不一致（共核对 ${counts.done} 个）`,
        en: `${counts.differing} of ${counts.done} orders differ.`,
      });
    print({ zh: `${counts.done} 个订单全部一致`, en: `All ${counts.done} orders match.` }[language]);
  };
}

/** A day, or a moment of it. */
function momentOf(name: string, text: string | undefined, time: string): string | null {
  if (text === undefined) return null;
  const moment = /^\d{4}-\d{2}-\d{2}$/.test(text) ? `${text} ${time}` : text;
  if (dateTime.safeParse(moment).success) return moment;
  throw new UsageError({
    zh: `${name} 应为 YYYY-MM-DD 或 "YYYY-MM-DD HH:mm:ss"，而不是 ${text}`,
    en: `${name} must be YYYY-MM-DD or "YYYY-MM-DD HH:mm:ss", not ${text}`,
  });
}

async function countIn(em: EntityManager, { from, to }: Range): Promise<number> {
  return em.fork().count(RechargeOrder, { createdAt: { $gte: from, $lte: to } });
}

async function compareAll(operator: Operator, work: { range: Range; mode: Mode; total: number }): Promise<Counts> {
  const { app, language, print } = operator;
  const counts: Counts = { done: 0, differing: 0, mended: 0 };
  let lastProgress = Date.now();
  for await (const id of ordersIn(app.get(EntityManager), work.range)) {
    let order = await compare(operator, id, work.mode);
    if (findingsOf(order).length > 0) {
      await sleep(RECHECK_MS);
      const mended = order.mended;
      order = await compare(operator, id, work.mode);
      order.mended ||= mended;
    }
    counts.done++;
    if (order.mended) counts.mended++;
    const findings = findingsOf(order);
    if (findings.length > 0) counts.differing++;
    for (const finding of findings) print(`  ${order.no}: ${finding[language]}`);
    if (Date.now() - lastProgress < PROGRESS_MS) continue;
    lastProgress = Date.now();
    print(progress(counts.done, work.total)[language]);
  }
  return counts;
}

const progress = (done: number, total: number): Text => {
  const percent = Math.min(100, Math.floor((done * 100) / Math.max(1, total)));
  return { zh: `  已核对 ${done} / ${total}（${percent} %）…`, en: `  ${done} of ${total} orders (${percent} %) …` };
};

/** Reads a page at a time, for any number of orders. */
async function* ordersIn(em: EntityManager, { from, to }: Range): AsyncGenerator<number> {
  for (let after = 0; ;) {
    const rows = await em
      .fork()
      .find(
        RechargeOrder,
        { id: { $gt: after }, createdAt: { $gte: from, $lte: to } },
        { fields: ['id'], orderBy: { id: 'asc' }, limit: PAGE },
      );
    for (const { id } of rows) {
      yield (after = id);
      await sleep(PACE_MS);
    }
    if (rows.length < PAGE) return;
  }
}

type Own = { paid: number | null; refund: string | null; refunded: number | null; returned: boolean; expires_at: Date };

async function compare({ app }: Operator, orderId: number, mode: Mode): Promise<ComparedOrder> {
  const reconciled = await app.get(CommandBus).execute(new ReconcileOrder(orderId, mode));
  // Raw SQL: a report over several tables.
  const [own] = await app
    .get(EntityManager)
    .fork()
    .execute<Own[]>(
      `SELECT p.amount AS paid, p.refund_state AS refund, ${REFUNDED} AS refunded, o.expires_at, EXISTS (
         SELECT 1 FROM payment q WHERE q.order_id = o.id AND q.verdict <> 'credit'
           AND (q.refund_state IN ('started', 'done') OR q.refunded_before > 0)) AS returned
       FROM recharge_order o
       LEFT JOIN payment p ON p.id = o.paid_by AND p.order_id = o.id AND p.verdict = 'credit' WHERE o.id = ?`,
      [orderId],
    );
  return {
    ...reconciled,
    paid: own === undefined || own.paid === null ? null : Number(own.paid),
    refunded: Number(own?.refunded ?? 0),
    refunding: own?.refund === 'started',
    returned: own?.returned ?? false,
    expired: own !== undefined && own.expires_at.getTime() + GRACE_MS < Date.now(),
  };
}

/** The expiry job queries the gateway and may need retries. */
const GRACE_MS = 5 * 60_000;

/**
 * An order with its gateway, ledger and payments. `paid` and `refunded` in fen, of the credited payment; `refunding`: one of our refunds is
 * in progress; `returned`: an uncredited payment is being, or was, refunded by us.
 */
export type ComparedOrder = ReconciledOrder & {
  paid: number | null;
  refunded: number;
  refunding: boolean;
  returned: boolean;
  expired: boolean;
};

/** Describes the differences of an order. */
export function findingsOf(order: ComparedOrder): Text[] {
  return [...gatewayFindings(order), ...ownFindings(order)];
}

function gatewayFindings(order: ComparedOrder): Text[] {
  const { payStatus, gatewayState, gatewayAmount, amount, refunded, expired } = order;
  const yuan = (fen: number | null): string => (fen === null ? '–' : yuanOf(fen));
  switch (gatewayState) {
    case 'unknown':
      return [{ zh: '网关没有答复，无法核对', en: 'the gateway did not answer, so this order could not be checked' }];
    case 'paid':
      if (gatewayAmount !== amount)
        return [
          {
            zh: `网关收到 ${yuan(gatewayAmount)} 元，订单为 ${yuan(amount)} 元`,
            en: `the gateway has ${yuan(gatewayAmount)} yuan, the order says ${yuan(amount)}`,
          },
        ];
      if (payStatus === 'P') return unconfirmedRefund(order);
      return [{ zh: '网关已收款，这里没有入账', en: 'paid at the gateway, not credited here' }];
    case 'refunded':
      return unknownRefund(order);
    case 'unpaid':
    case 'closed':
    case 'absent':
      if (payStatus === 'P' && refunded < amount)
        return [{ zh: `这里已支付，网关说 ${gatewayState}`, en: `paid here, the gateway says ${gatewayState}` }];
      if (gatewayState === 'unpaid' && (payStatus === 'T' || payStatus === 'C'))
        return [{ zh: '这里已关闭，网关仍可付款', en: 'closed here, still open at the gateway' }];
      if (payStatus === 'W' && expired)
        return [{ zh: '已过期仍未关闭：worker 是否在运行？', en: 'expired but not closed: is a worker running?' }];
      return [];
  }
}

/** Alipay reports a whole refund, WeChat Pay any refund. */
function unknownRefund({ no, gateway, payStatus, amount, refunded, refunding, returned }: ComparedOrder): Text[] {
  if (payStatus !== 'P' && returned) return [];
  if (payStatus !== 'P')
    return [{ zh: '网关收款后已退款，这里没有入账', en: 'paid and refunded at the gateway, never credited here' }];
  if (refunding || refunded === amount || (gateway !== 'alipay' && refunded > 0)) return [];
  const [done, all] = [
    yuanOf(refunded),
    gateway === 'alipay' ? { zh: '已全额退款', en: 'refunded all of it' } : { zh: '已退款', en: 'refunded money' },
  ];
  const how = `payments record-refund ${no} --reason "…"`;
  return [
    {
      zh: `网关${all.zh}，这里记录的退款为 ${done} 元：核对网关后台后用 ${how} 记录`,
      en: `the gateway ${all.en}, ${done} yuan are recorded here: check the gateway’s console, then ${how}`,
    },
  ];
}

/** A refund recorded here but not at the gateway. LianLian does not report refunds. */
function unconfirmedRefund({ gateway, amount, refunded }: ComparedOrder): Text[] {
  const isHeard = gateway === 'lianlian' || refunded === 0 || (gateway === 'alipay' && refunded < amount);
  if (isHeard) return [];
  const yuan = yuanOf(refunded);
  return [
    { zh: `这里已退 ${yuan} 元，网关说没有`, en: `${yuan} yuan were refunded here, but not according to the gateway` },
  ];
}

function ownFindings({ payStatus, amount, ledgerAmount, paid }: ComparedOrder): Text[] {
  const expected = payStatus === 'P' ? amount : null;
  const yuan = (fen: number | null): string => (fen === null ? '–' : yuanOf(fen));
  const differs = (what: Text, found: number | null): Text[] =>
    found === expected
      ? []
      : [
          {
            zh: `${what.zh}为 ${yuan(found)} 元，应为 ${yuan(expected)}`,
            en: `the ${what.en} is ${yuan(found)} yuan, not ${yuan(expected)}`,
          },
        ];
  return [
    ...differs({ zh: '账本充值', en: 'recharge in the ledger' }, ledgerAmount),
    ...differs({ zh: '已入账付款', en: 'credited payment' }, paid),
  ];
}
