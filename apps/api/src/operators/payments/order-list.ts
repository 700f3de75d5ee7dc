import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import type { Answer, Input } from '@yiqiao/contracts/endpoint';
import type { downloadPaymentOrders, listPaymentOrders } from '@yiqiao/contracts/operator/payments';
import { uniqueKey } from '@yiqiao/domain/members';
import { PAY_CHANNELS, type OrderChannel, type PayStatus } from '@yiqiao/domain/orders';
import { Clock } from '../../platform/clock.js';
import { Standby } from '../../platform/standby.js';

type Filter = Input<typeof downloadPaymentOrders>;
export type OrderRow = Answer<typeof listPaymentOrders>['rows'][number];

type Stored = {
  id: number;
  no: string;
  userId: number;
  memberName: string | null;
  payChannel: OrderChannel;
  payStatus: PayStatus;
  planName: string;
  planEnName: string;
  salesNum: number;
  amount: number;
  paidAmount: number | null;
  refundedAmount: number;
  attention: boolean;
  createdAt: Date;
  paidAt: Date | null;
};

const REFUNDED = `p.refunded_before + CASE WHEN p.refund_state = 'done' THEN p.refund_amount ELSE 0 END`;
const ATTENTION = `EXISTS (SELECT FROM payment q WHERE q.order_id = o.id AND (q.verdict <> 'credit' OR q.refund_state IS NOT NULL)
  AND (q.refund_state IS DISTINCT FROM 'done' OR (q.verdict <> 'credit' AND q.refunded_before + q.refund_amount < q.amount)))`;
const FROM = `FROM recharge_order o LEFT JOIN member m ON m.id = o.user_id
  LEFT JOIN payment p ON p.id = o.paid_by AND p.order_id = o.id AND p.verdict = 'credit'`;
const COLUMNS = `o.id, o.no, o.user_id AS "userId", m.nickname AS "memberName", o.pay_channel AS "payChannel", o.pay_status AS "payStatus",
  o.group_name AS "planName", o.group_en_name AS "planEnName", o.sales_num AS "salesNum", o.amount, p.amount AS "paidAmount",
  coalesce((SELECT sum(${REFUNDED.replaceAll('p.', 'r.')}) FROM payment r WHERE r.order_id = o.id), 0) AS "refundedAmount",
  ${ATTENTION} AS attention, o.created_at AS "createdAt", o.paid_at AS "paidAt"`;

const STEP = 200;

/** Orders of every member. Raw: reports over several tables. */
@Injectable()
export class OrderList {
  constructor(
    private readonly em: EntityManager,
    private readonly standby: Standby,
    private readonly clock: Clock,
  ) {}

  list(page: Input<typeof listPaymentOrders>): Promise<Answer<typeof listPaymentOrders>> {
    return this.standby.read((em) => this.#page(em, page));
  }

  async #page(
    em: EntityManager,
    { pageNum, pageSize, ...filter }: Input<typeof listPaymentOrders>,
  ): Promise<Answer<typeof listPaymentOrders>> {
    const { where, values } = this.#where(filter);
    const [sums] = await em.execute<Record<'total' | 'amount' | 'paid' | 'refunded', number>[]>(
      `SELECT count(*) AS total, coalesce(sum(o.amount), 0) AS amount, coalesce(sum(p.amount), 0) AS paid,
         coalesce(sum((SELECT sum(${REFUNDED.replaceAll('p.', 'r.')}) FROM payment r WHERE r.order_id = o.id)), 0) AS refunded
       ${FROM} ${where}`,
      values,
    );
    const rows = await em.execute<Stored[]>(`SELECT ${COLUMNS} ${FROM} ${where} ORDER BY o.id DESC LIMIT ? OFFSET ?`, [
      ...values,
      pageSize,
      (pageNum - 1) * pageSize,
    ]);
    const totals = { amount: Number(sums?.amount), paid: Number(sums?.paid), refunded: Number(sums?.refunded) };
    return { rows: rows.map((row) => this.#row(row)), total: Number(sums?.total), totals };
  }

  async one(no: string): Promise<OrderRow | null> {
    const [row] = await this.em.fork().execute<Stored[]>(`SELECT ${COLUMNS} ${FROM} WHERE o.no = ?`, [no]);
    return row ? this.#row(row) : null;
  }

  /** Newest first, in steps. */
  async *pages(filter: Filter): AsyncGenerator<OrderRow[]> {
    const { where, values } = this.#where(filter);
    const source = await this.standby.source();
    for (let before = Number.MAX_SAFE_INTEGER; ;) {
      const older = `${where === '' ? 'WHERE' : `${where} AND`} o.id < ? ORDER BY o.id DESC LIMIT ${STEP}`;
      const rows = await source.read((em) =>
        em.execute<Stored[]>(`SELECT ${COLUMNS} ${FROM} ${older}`, [...values, before]),
      );
      const last = rows.at(-1);
      if (!last) return;
      yield rows.map((row) => this.#row(row));
      before = Number(last.id);
    }
  }

  #where({ query, payStatus, gateway, only, from, to }: Filter): { where: string; values: unknown[] } {
    const between = this.clock.between(from, to);
    const channels = Object.entries(PAY_CHANNELS).filter(([, channel]) => channel.gateway === gateway);
    const conditions: [string, ...unknown[]][] = [
      ...(payStatus === undefined ? [] : [['o.pay_status = ?', payStatus] as [string, string]]),
      ...(gateway === undefined
        ? []
        : [['o.pay_channel = ANY (?::text[])', `{${channels.map(([name]) => name).join(',')}}`] as [string, string]]),
      ...(only === 'attention' ? [[ATTENTION] as [string]] : []),
      ...(only === 'refunded'
        ? [[`EXISTS (SELECT FROM payment p WHERE p.order_id = o.id AND ${REFUNDED} > 0)`] as [string]]
        : []),
      ...(between.from ? [['o.created_at >= ?', between.from] as [string, Date]] : []),
      ...(between.to ? [['o.created_at <= ?', between.to] as [string, Date]] : []),
      ...(query ? [found(query)] : []),
    ];
    return {
      where: conditions.length === 0 ? '' : `WHERE ${conditions.map(([sql]) => sql).join(' AND ')}`,
      values: conditions.flatMap(([, ...values]) => values),
    };
  }

  #row({ createdAt, paidAt, ...row }: Stored): OrderRow {
    return {
      ...row,
      id: Number(row.id),
      userId: Number(row.userId),
      amount: Number(row.amount),
      paidAmount: Number(row.paidAmount ?? 0),
      refundedAmount: Number(row.refundedAmount),
      gateway: PAY_CHANNELS[row.payChannel].gateway,
      createDateTime: this.clock.toWire(createdAt),
      payDateTime: paidAt && this.clock.toWire(paidAt),
    };
  }
}

/** By a whole number or name, or the beginning of an order's number. */
const found = (query: string): [string, ...unknown[]] => {
  const id = /^#?(\d{1,15})$/.exec(query)?.[1] ?? null;
  return [
    `(o.no LIKE ? OR o.id IN (SELECT order_id FROM payment WHERE trade_no = ?) OR o.user_id = ?::bigint OR m.nickname = ?
      OR o.user_id IN (SELECT user_id FROM identity WHERE kind = 'username' AND unique_key = ?))`,
    `${query.toUpperCase().replaceAll(/[%_\\]/g, String.raw`\$&`)}%`,
    query,
    id,
    query,
    uniqueKey(query),
  ];
};
