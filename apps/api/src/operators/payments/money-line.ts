import { EntityManager } from '@mikro-orm/postgresql';
import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import type { Answer } from '@yiqiao/contracts/endpoint';
import type { getMoneyLine } from '@yiqiao/contracts/operator/payments';
import { ENTRY_TYPES } from '@yiqiao/domain/ledger';
import { Clock } from '../../platform/clock.js';

type Line = Answer<typeof getMoneyLine>;

/** The money of the trial balance at a moment (operators §7); null: now. */
export class GetMoneyLine extends Query<Line> {
  constructor(readonly at: Date | null) {
    super();
  }
}

const { RECHARGE_ORDER_BY_MEMBER_GROUP: RECHARGE, SYS_ADJUST } = ENTRY_TYPES;

// A refund takes its share of the recharge back when it is started, so one under way counts here as well. Second payments were never
// credited: they are in a statement, but neither here nor in the ledger.
const SIDES = `
WITH moment AS (SELECT ?::timestamptz AS at),
paid AS (
  SELECT sum(p.amount) AS amount FROM payment p JOIN recharge_order o ON o.paid_by = p.id, moment
  WHERE p.verdict = 'credit' AND EXISTS (SELECT FROM account_log e
    WHERE e.order_id = o.id AND e.log_type = ${RECHARGE.code} AND e.created_at <= moment.at)),
refunded AS (
  SELECT sum(r.amount) AS amount FROM (
    SELECT refund_amount AS amount, refund_cmd AS cmd_id, verdict FROM payment WHERE refund_state IN ('started', 'done')
    UNION ALL SELECT f.amount, f.cmd_id, p.verdict FROM earlier_refund f JOIN payment p ON p.id = f.payment_id) AS r
  LEFT JOIN manager_action a ON a.cmd_id = r.cmd_id, moment WHERE r.verdict = 'credit' AND coalesce(a.done_at, moment.at) <= moment.at),
recharged AS (
  SELECT sum(amount) AS amount FROM account_log, moment
  WHERE order_id IS NOT NULL AND log_type IN (${RECHARGE.code}, ${SYS_ADJUST.code}) AND created_at <= moment.at),
stated AS (
  SELECT sum(l.amount) FILTER (WHERE l.kind = 'payment') AS paid, sum(l.amount) FILTER (WHERE l.kind = 'refund') AS refunded,
    sum(p.amount) FILTER (WHERE l.kind = 'payment') AS paid_here,
    sum(coalesce(r.amount, f.amount)) FILTER (WHERE l.kind = 'refund') AS refunded_here
  FROM statement_line l CROSS JOIN moment LEFT JOIN payment p ON p.gateway = l.gateway AND p.trade_no = l.trade_no
  LEFT JOIN LATERAL (SELECT p.refund_amount AS amount WHERE p.refund_state = 'done' AND p.refund_no = l.refund_no) r ON true
  LEFT JOIN earlier_refund f ON f.payment_id = p.id AND f.no = l.refund_no
  WHERE l.at <= moment.at)
SELECT paid.amount AS paid, refunded.amount AS refunded, recharged.amount AS recharged, stated.paid AS stated_paid,
  stated.refunded AS stated_refunded, stated.paid_here, stated.refunded_here, (
    SELECT max(to_at) FROM reconciliation WHERE source = 'statement' AND state = 'done') AS until
FROM paid, refunded, recharged, stated`;

@QueryHandler(GetMoneyLine)
export class GetMoneyLineHandler implements IQueryHandler<GetMoneyLine> {
  constructor(
    private readonly em: EntityManager,
    private readonly clock: Clock,
  ) {}

  async execute({ at }: GetMoneyLine): Promise<Line> {
    const [row] = await this.em
      .fork()
      .execute<(Record<string, number | null> & { until: Date | null })[]>(SIDES, [at ?? this.clock.now()]);
    const fen = (name: string): number => Number(row?.[name] ?? 0);
    const [paid, refunded, recharged] = [fen('paid'), fen('refunded'), fen('recharged')];
    return {
      paid,
      refunded,
      recharged,
      difference: paid - refunded - recharged,
      statement: {
        paid: fen('stated_paid'),
        refunded: fen('stated_refunded'),
        paidHere: fen('paid_here'),
        refundedHere: fen('refunded_here'),
        until: row?.until ? this.clock.toWire(row.until) : null,
      },
    };
  }
}
