import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import type { Answer, Input } from '@yiqiao/contracts/endpoint';
import type {
  downloadRefunds,
  getPaymentSummary,
  listExceptions,
  listRefunds,
} from '@yiqiao/contracts/operator/payments';
import { gateways } from '@yiqiao/contracts/operator/payments';
import { ListExceptions } from '../../orders/orders.js';
import { Clock } from '../../platform/clock.js';
import { Config } from '../../platform/config.js';
import { Standby } from '../../platform/standby.js';
import { OperatorRequest } from '../operator.entity.js';
import { PaymentDifference } from './reconciliation.entity.js';

type Exceptions = Answer<typeof listExceptions>;
export type ExceptionRow = Exceptions['rows'][number];
type RefundFilter = Input<typeof downloadRefunds>;
export type RefundRow = Answer<typeof listRefunds>['rows'][number];

/** Kinds that may end with a refund. */
const REFUNDABLE: readonly string[] = ['double', 'wrongAmount', 'refundRefused', 'afterLogOff', 'tooLarge'];

const REFUNDS = `FROM (
  SELECT refund_no AS no, id AS payment_id, refund_amount AS amount, refund_state AS state, refund_source AS source,
    refund_manager_id AS manager_id, refund_reason AS reason, refund_answer AS answer, refunded_at
  FROM payment WHERE refund_state IS NOT NULL
  UNION ALL SELECT no, payment_id, amount, 'done', source, manager_id, reason, NULL, refunded_at FROM earlier_refund) AS r
  JOIN payment p ON p.id = r.payment_id JOIN recharge_order o ON o.id = p.order_id
  LEFT JOIN member m ON m.id = o.user_id LEFT JOIN manager a ON a.id = r.manager_id
  LEFT JOIN manager_action t ON t.cmd_id = p.refund_cmd AND r.refunded_at IS NULL`;
const AT = 'coalesce(r.refunded_at, t.done_at)';

const STEP = 200;

/** Exceptions, refunds, and the figures beside them. Raw: reports over several tables. */
@Injectable()
export class PaymentLists {
  readonly #zone: string;

  constructor(
    private readonly em: EntityManager,
    private readonly standby: Standby,
    private readonly queries: QueryBus,
    private readonly clock: Clock,
    { env }: Config,
  ) {
    this.#zone = env.APP_TIMEZONE;
  }

  async exceptions(): Promise<Exceptions> {
    const found = await this.queries.execute(new ListExceptions());
    const open = await this.em.fork().find(OperatorRequest, { kind: 'payment.refund', state: 'open' });
    const requests = new Map(open.map(({ targetId, id }) => [targetId, id]));
    const now = this.clock.now().getTime();
    const rows = found.map(({ at, gateway, member, refundState: _, ...each }) => ({
      ...each,
      gateway: gateways.find((name) => name === gateway) ?? null,
      memberName: member,
      at: this.clock.toWire(at),
      waitedSeconds: Math.max(0, Math.floor((now - at.getTime()) / 1000)),
      requestId: requests.get(String(each.paymentId)) ?? null,
    }));
    const due = rows.filter(({ what }) => REFUNDABLE.includes(what));
    return { rows, total: rows.length, amount: due.reduce((sum, { amount }) => sum + (amount ?? 0), 0) };
  }

  async refunds({ pageNum, pageSize, ...filter }: Input<typeof listRefunds>): Promise<Answer<typeof listRefunds>> {
    const { where, values } = this.#where(filter);
    return this.standby.read(async (em) => {
      const [sums] = await em.execute<{ total: number; amount: number }[]>(
        `SELECT count(*) AS total, coalesce(sum(r.amount) FILTER (WHERE r.state = 'done'), 0) AS amount ${REFUNDS} ${where}`,
        values,
      );
      const rows = await this.#readRefunds(em, where, [...values, pageSize, (pageNum - 1) * pageSize]);
      return { rows, total: Number(sums?.total), amount: Number(sums?.amount) };
    });
  }

  async *refundPages(filter: RefundFilter): AsyncGenerator<RefundRow[]> {
    const { where, values } = this.#where(filter);
    const source = await this.standby.source();
    for (let offset = 0; ; offset += STEP) {
      const rows = await source.read((em) => this.#readRefunds(em, where, [...values, STEP, offset]));
      if (rows.length > 0) yield rows;
      if (rows.length < STEP) return;
    }
  }

  async #readRefunds(em: EntityManager, where: string, values: unknown[]): Promise<RefundRow[]> {
    type Stored = Omit<RefundRow, 'at'> & { at: Date | null };
    const rows = await em.execute<Stored[]>(
      `SELECT r.no, o.no AS "orderNo", o.user_id AS "userId", m.nickname AS "memberName", p.gateway, p.id AS "paymentId",
         p.trade_no AS "tradeNo", r.amount, r.state, r.source, a.name AS by, r.reason, r.answer, ${AT} AS at
       ${REFUNDS} ${where} ORDER BY ${AT} DESC NULLS FIRST, r.no DESC LIMIT ? OFFSET ?`,
      values,
    );
    return rows.map((row) => ({
      ...row,
      userId: Number(row.userId),
      paymentId: Number(row.paymentId),
      amount: Number(row.amount),
      at: row.at && this.clock.toWire(row.at),
    }));
  }

  #where({ state, gateway, from, to }: RefundFilter): { where: string; values: unknown[] } {
    const between = this.clock.between(from, to);
    const conditions = (
      [
        ['r.state = ?', state],
        ['p.gateway = ?', gateway],
        [`${AT} >= ?`, between.from],
        [`${AT} <= ?`, between.to],
      ] as const
    ).filter(([, value]) => value !== undefined);
    return {
      where: conditions.length === 0 ? '' : `WHERE ${conditions.map(([sql]) => sql).join(' AND ')}`,
      values: conditions.map(([, value]) => value),
    };
  }

  async summary(): Promise<Answer<typeof getPaymentSummary>> {
    const em = this.em.fork();
    const day = [this.clock.day(this.clock.now()), this.#zone];
    type Takings = { gateway: 'wechat' | 'alipay' | 'lianlian'; orders: number; amount: number };
    const takings = await em.execute<Takings[]>(
      `SELECT p.gateway, count(*) AS orders, sum(p.amount) AS amount FROM payment p JOIN recharge_order o ON o.paid_by = p.id
       WHERE o.paid_at >= (?::date)::timestamp AT TIME ZONE ? AND p.verdict = 'credit' GROUP BY p.gateway ORDER BY amount DESC`,
      day,
    );
    const [refunds] = await em.execute<{ refunds: number; refunded: number; started: number }[]>(
      `SELECT count(*) FILTER (WHERE r.state = 'done' AND r.refunded_at >= d.begin) AS refunds,
         coalesce(sum(r.amount) FILTER (WHERE r.state = 'done' AND r.refunded_at >= d.begin), 0) AS refunded,
         count(*) FILTER (WHERE r.state = 'started') AS started
       FROM (SELECT (?::date)::timestamp AT TIME ZONE ? AS begin) AS d, (
         SELECT refund_amount AS amount, refund_state AS state, refunded_at FROM payment WHERE refund_state IS NOT NULL
         UNION ALL SELECT amount, 'done', refunded_at FROM earlier_refund) AS r`,
      day,
    );
    const [messages] = await em.execute<Record<'handled' | 'forged' | 'strangers' | 'waiting', number>[]>(
      `SELECT coalesce(sum(times) FILTER (WHERE outcome NOT IN ('forged', 'stranger')), 0) AS handled,
         coalesce(sum(times) FILTER (WHERE outcome = 'forged'), 0) AS forged,
         coalesce(sum(times) FILTER (WHERE outcome = 'stranger'), 0) AS strangers, count(*) FILTER (WHERE outcome IS NULL) AS waiting
       FROM pay_notification WHERE last_at > now() - interval '1 day'`,
    );
    return {
      exceptions: (await this.queries.execute(new ListExceptions())).length,
      openRefunds:
        Number(refunds?.started) + (await em.count(OperatorRequest, { kind: 'payment.refund', state: 'open' })),
      openDifferences: await em.count(PaymentDifference, { closedAt: null }),
      today: {
        gateways: takings.map(({ gateway, orders, amount }) => ({
          gateway,
          orders: Number(orders),
          amount: Number(amount),
        })),
        refunds: Number(refunds?.refunds),
        refunded: Number(refunds?.refunded),
      },
      messages: {
        handled: Number(messages?.handled),
        forged: Number(messages?.forged),
        strangers: Number(messages?.strangers),
        waiting: Number(messages?.waiting),
      },
    };
  }
}
