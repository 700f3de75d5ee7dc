import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import type { Answer, Input } from '@yiqiao/contracts/endpoint';
import type {
  downloadDifferences,
  getReconciliation,
  listDifferences,
  listReconciliations,
} from '@yiqiao/contracts/operator/reconciliations';
import { Refusal } from '@yiqiao/domain/errors';
import { Clock } from '../../platform/clock.js';
import { Standby } from '../../platform/standby.js';
import { Reconciliation } from './reconciliation.entity.js';

type Filter = Input<typeof downloadDifferences>;
type Run = Answer<typeof getReconciliation>;
export type DifferenceRow = Answer<typeof listDifferences>['rows'][number];

type Stored = Omit<DifferenceRow, 'at' | 'closedAt'> & { at: Date | null; closedAt: Date | null };

const STEP = 200;
const COLUMNS = `d.id, d.source, d.what, d.kind, d.gateway, d.order_no AS "orderNo", o.id IS NOT NULL AS "hasOrder", o.user_id AS "userId",
  m.nickname AS "memberName", o.pay_status AS "payStatus", d.trade_no AS "tradeNo", d.refund_no AS "refundNo", d.expected AS here,
  d.found AS there, d.detail, d.at, d.first_run AS "firstRun", d.last_run AS "lastRun", d.closed_how AS "closedHow", d.closed_by AS "closedBy",
  d.closed_at AS "closedAt", d.close_reason AS "closeReason"`;
const FROM = `FROM payment_difference d LEFT JOIN recharge_order o ON o.no = d.order_no LEFT JOIN member m ON m.id = o.user_id`;

/** Runs and their differences. Raw where several tables are read. */
@Injectable()
export class ReconciliationLists {
  constructor(
    private readonly em: EntityManager,
    private readonly standby: Standby,
    private readonly clock: Clock,
  ) {}

  async differences({
    pageNum,
    pageSize,
    ...filter
  }: Input<typeof listDifferences>): Promise<Answer<typeof listDifferences>> {
    const { where, values } = whereOf(filter);
    return this.standby.read(async (em) => {
      const [count] = await em.execute<{ total: number }[]>(`SELECT count(*) AS total ${FROM} ${where}`, values);
      const rows = await this.#read(em, where, [...values, pageSize, (pageNum - 1) * pageSize]);
      return { rows, total: Number(count?.total) };
    });
  }

  async *pages(filter: Filter): AsyncGenerator<DifferenceRow[]> {
    const { where, values } = whereOf(filter);
    const source = await this.standby.source();
    for (let offset = 0; ; offset += STEP) {
      const rows = await source.read((em) => this.#read(em, where, [...values, STEP, offset]));
      if (rows.length > 0) yield rows;
      if (rows.length < STEP) return;
    }
  }

  /** Throws NOT_FOUND. */
  async difference(id: number): Promise<DifferenceRow> {
    const [row] = await this.#read(this.em.fork(), 'WHERE d.id = ?', [id, 1, 0]);
    if (!row) throw new Refusal('NOT_FOUND');
    return row;
  }

  async runs({
    pageNum,
    pageSize,
    source,
  }: Input<typeof listReconciliations>): Promise<Answer<typeof listReconciliations>> {
    const em = this.em.fork();
    const [runs, total] = await em.findAndCount(Reconciliation, source === undefined ? {} : { source }, {
      orderBy: { id: 'desc' },
      limit: pageSize,
      offset: (pageNum - 1) * pageSize,
    });
    const [last] = await em.find(
      Reconciliation,
      { source: 'statement', state: 'done' },
      { orderBy: { toAt: 'desc' }, limit: 1 },
    );
    return {
      rows: await this.#withCounts(em, runs),
      total,
      statementsUntil: last ? this.clock.toWire(last.toAt) : null,
    };
  }

  /** Throws NOT_FOUND. */
  async run(id: number): Promise<Run> {
    const em = this.em.fork();
    const found = await em.findOne(Reconciliation, { id });
    const [run] = found ? await this.#withCounts(em, [found]) : [];
    if (!run) throw new Refusal('NOT_FOUND');
    return run;
  }

  async #withCounts(em: EntityManager, runs: readonly Reconciliation[]): Promise<Run[]> {
    const counts = await em.execute<Record<'id' | 'all' | 'open' | 'orders', number>[]>(
      `SELECT f.run_id AS id, count(*) AS all, count(*) FILTER (WHERE d.closed_at IS NULL) AS open,
         count(DISTINCT d.order_no) AS orders
       FROM reconciliation_finding f JOIN payment_difference d ON d.id = f.difference_id
       WHERE f.run_id = ANY (?::bigint[]) GROUP BY f.run_id`,
      [`{${runs.map(({ id }) => id).join(',')}}`],
    );
    const byRun = new Map(counts.map((each) => [Number(each.id), each]));
    return runs.map((run) => {
      const { id, source, state, startedBy, startedAt, finishedAt, total, done, files, totals } = run;
      const end = finishedAt ?? this.clock.now();
      return {
        id,
        source,
        state,
        from: this.clock.toWire(run.fromAt),
        to: this.clock.toWire(run.toAt),
        startedBy,
        startedAt: this.clock.toWire(startedAt),
        finishedAt: finishedAt && this.clock.toWire(finishedAt),
        seconds: Math.max(0, (end.getTime() - startedAt.getTime()) / 1000),
        total,
        done,
        differences: Number(byRun.get(id)?.all ?? 0),
        open: Number(byRun.get(id)?.open ?? 0),
        differentOrders: Number(byRun.get(id)?.orders ?? 0),
        files,
        totals,
      };
    });
  }

  async #read(em: EntityManager, where: string, values: unknown[]): Promise<DifferenceRow[]> {
    const rows = await em.execute<Stored[]>(
      `SELECT ${COLUMNS} ${FROM} ${where} ORDER BY d.closed_at IS NOT NULL, d.last_run DESC, d.id DESC LIMIT ? OFFSET ?`,
      values,
    );
    const number = (n: number | null): number | null => (n === null ? null : Number(n));
    return rows.map((row) => ({
      ...row,
      id: Number(row.id),
      userId: number(row.userId),
      here: number(row.here),
      there: number(row.there),
      firstRun: Number(row.firstRun),
      lastRun: Number(row.lastRun),
      at: row.at && this.clock.toWire(row.at),
      closedAt: row.closedAt && this.clock.toWire(row.closedAt),
    }));
  }
}

function whereOf({ state, runId, what, gateway, number }: Filter): { where: string; values: unknown[] } {
  const conditions: (readonly [string, ...unknown[]])[] = [];
  if (state !== undefined) conditions.push([`d.closed_at IS ${state === 'open' ? '' : 'NOT '}NULL`]);
  if (runId !== undefined)
    conditions.push(['d.id IN (SELECT difference_id FROM reconciliation_finding WHERE run_id = ?)', runId]);
  if (what !== undefined) conditions.push(['d.what = ?', what]);
  if (gateway !== undefined) conditions.push(['d.gateway = ?', gateway]);
  if (number !== undefined) conditions.push(['? IN (d.order_no, d.trade_no, d.refund_no)', number]);
  return {
    where: conditions.length === 0 ? '' : `WHERE ${conditions.map(([sql]) => sql).join(' AND ')}`,
    values: conditions.flatMap(([, ...values]) => values),
  };
}
