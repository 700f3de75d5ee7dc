import { setTimeout as sleep } from 'node:timers/promises';
import { EntityManager } from '@mikro-orm/postgresql';
import { CommandBus } from '@nestjs/cqrs';
import { dateTime } from '@yiqiao/contracts/fields';
import { DAY_MS } from '@yiqiao/domain/limits';
import { ReconcileOrder } from '../orders/orders.js';
import { REFUNDED } from '../orders/payments.js';
import { Clock } from '../platform/clock.js';
import { readArguments, requireWords } from './command-line.js';
import type { Operator, Work } from './product.js';
import { reconcileStatements, type Range } from './reconcile-statements.js';
import { findingsOf, type Compared } from './reconcile-findings.js';
import { CommandError, UsageError, type Text } from '../platform/cli-messages.js';

const DAYS = 31;
const PAGE = 100;
/** Between two questions, so that a gateway has time for those who pay: ten a second. */
const PACE_MS = 100;
/** What differs while it happens is looked at once more. */
const AGAIN_MS = 2_000;
const TELL_MS = 2_000;
const SETTLE = '--settle';

type Mode = 'look' | 'settle';
type Counts = { done: number; differing: number; mended: number };

/**
 * `payments reconcile [--from "…"] [--to "…"] [--settle]`: every order of that time beside its gateway, its payment and the ledger. Ends
 * with 1 when anything differs. `--settle` credits what turns out to be paid, as a notification would. `--statement file…`: the files that
 * Alipay and WeChat Pay give out beside our payments instead; `--from` and `--to` then say of which days they are.
 */
export function paymentsReconcile(args: string[]): Work {
  const mode: Mode = args.includes(SETTLE) ? 'settle' : 'look';
  const typed = readArguments(
    args.filter((arg) => arg !== SETTLE),
    { options: ['from', 'to', 'statement'] },
  );
  const statement = typed.options.get('statement');
  if (statement === undefined) requireWords(typed, []);
  const from = momentOf('--from', typed.options.get('from'), '00:00:00');
  const to = momentOf('--to', typed.options.get('to'), '23:59:59');
  if (statement !== undefined) {
    if (mode === 'settle' || (from === null) !== (to === null))
      throw new UsageError({
        zh: '--statement 不能与 --settle 同用；--from 与 --to 要么都写，要么都不写',
        en: '--statement goes without --settle, and with both --from and --to or neither.',
      });
    return (operator) => {
      const clock = operator.app.get(Clock);
      const days = from === null || to === null ? null : { from: clock.fromWire(from), to: clock.endOfWire(to) };
      return reconcileStatements(operator, [statement, ...typed.words], days);
    };
  }
  return async (operator) => {
    const { app, language, say } = operator;
    const clock = app.get(Clock);
    const range = {
      from: from === null ? new Date(clock.now().getTime() - DAYS * DAY_MS) : clock.fromWire(from),
      to: to === null ? clock.now() : clock.endOfWire(to),
    };
    const total = await countIn(app.get(EntityManager), range);
    const [begin, end] = [clock.toWire(range.from), clock.toWire(range.to)];
    say({ zh: `${begin} 至 ${end}：${total} 个订单`, en: `${begin} to ${end}: ${total} orders` }[language]);
    const counts = await walk(operator, { range, mode, total });
    if (counts.mended > 0)
      say({ zh: `补入账 ${counts.mended} 个订单`, en: `Credited now: ${counts.mended} orders` }[language]);
    if (counts.differing > 0)
      throw new CommandError({
        zh: `${counts.differing} 个订单不一致（共核对 ${counts.done} 个）`,
        en: `${counts.differing} of ${counts.done} orders differ.`,
      });
    say({ zh: `${counts.done} 个订单全部一致`, en: `All ${counts.done} orders agree.` }[language]);
  };
}

/** A day, or a moment of it. */
function momentOf(name: string, text: string | undefined, time: string): string | null {
  if (text === undefined) return null;
  const moment = /^\d{4}-\d{2}-\d{2}$/.test(text) ? `${text} ${time}` : text;
  if (dateTime.safeParse(moment).success) return moment;
  throw new UsageError({
    zh: `${name} 应为 YYYY-MM-DD 或 "YYYY-MM-DD HH:mm:ss"，而不是 ${text}`,
    en: `${name} is YYYY-MM-DD or "YYYY-MM-DD HH:mm:ss", not ${text}`,
  });
}

async function countIn(em: EntityManager, { from, to }: Range): Promise<number> {
  const [row] = await em
    .fork()
    .execute<{ n: number }[]>('SELECT count(*) AS n FROM recharge_order WHERE created_at BETWEEN ? AND ?', [from, to]);
  return Number(row?.n ?? 0);
}

async function walk(operator: Operator, work: { range: Range; mode: Mode; total: number }): Promise<Counts> {
  const { app, language, say } = operator;
  const counts: Counts = { done: 0, differing: 0, mended: 0 };
  let told = Date.now();
  for await (const id of ordersIn(app.get(EntityManager), work.range)) {
    let order = await compare(operator, id, work.mode);
    if (findingsOf(order).length > 0) {
      await sleep(AGAIN_MS);
      const mended = order.mended;
      order = await compare(operator, id, work.mode);
      order.mended ||= mended;
    }
    counts.done++;
    if (order.mended) counts.mended++;
    const findings = findingsOf(order);
    if (findings.length > 0) counts.differing++;
    for (const finding of findings) say(`  ${order.no}: ${finding[language]}`);
    if (Date.now() - told < TELL_MS) continue;
    told = Date.now();
    say(progress(counts.done, work.total)[language]);
  }
  return counts;
}

const progress = (done: number, total: number): Text => {
  const percent = Math.min(100, Math.floor((done * 100) / Math.max(1, total)));
  return { zh: `  已核对 ${done} / ${total}（${percent} %）…`, en: `  ${done} of ${total} orders (${percent} %) …` };
};

/** A page at a time, so that any number of orders fits. */
async function* ordersIn(em: EntityManager, { from, to }: Range): AsyncGenerator<number> {
  for (let after = 0; ;) {
    const rows = await em
      .fork()
      .execute<{ id: number }[]>(
        `SELECT id FROM recharge_order WHERE id > ? AND created_at BETWEEN ? AND ? ORDER BY id LIMIT ${PAGE}`,
        [after, from, to],
      );
    for (const { id } of rows) {
      yield (after = Number(id));
      await sleep(PACE_MS);
    }
    if (rows.length < PAGE) return;
  }
}

type Own = { paid: number | null; refund: string | null; refunded: number | null; returned: boolean; expires_at: Date };

async function compare({ app }: Operator, orderId: number, mode: Mode): Promise<Compared> {
  const asked = await app.get(CommandBus).execute(new ReconcileOrder(orderId, mode));
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
    ...asked,
    paid: own === undefined || own.paid === null ? null : Number(own.paid),
    refunded: Number(own?.refunded ?? 0),
    refunding: own?.refund === 'started',
    returned: own?.returned ?? false,
    expired: own !== undefined && own.expires_at.getTime() + GRACE_MS < Date.now(),
  };
}

/** The time-out asks the gateway, and may have to ask again. */
const GRACE_MS = 5 * 60_000;
