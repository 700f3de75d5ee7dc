import { setTimeout as sleep } from 'node:timers/promises';
import { EntityManager, raw, UniqueConstraintViolationException } from '@mikro-orm/postgresql';
import { Injectable, Logger, type OnApplicationShutdown } from '@nestjs/common';
import { Refusal } from '@yiqiao/domain/errors';
import { RechargeOrder } from '../../orders/recharge-order.entity.js';
import { serializeError } from '../../platform/logger.js';
import { ActionLog, type Actor } from '../action-log.js';
import { type ComparedOrder, findingsOf, type GatewayMode, type Log, OrderComparison } from './compare-order.js';
import type { Range } from './compare-statements.js';
import type { Difference, Totals } from './difference.js';
import { closeMatched, keepDifferences } from './keep-differences.js';
import { Reconciliation } from './reconciliation.entity.js';

const PAGE = 100;
/** Ten queries a second, to leave the gateway capacity for payments. */
const PACE_MS = 100;
/** A difference is checked again after this time, because the order may be changing. */
const RECHECK_MS = 2_000;
const BEAT_MS = 1_000;
const SILENT = `beat_at < clock_timestamp() - interval '1 minute'`;

export type Run = { id: number; range: Range; total: number; actor: Actor };
type Watch = {
  mode: GatewayMode;
  log?: Log;
  /** After each order. */
  onOrder?: (order: ComparedOrder, differences: readonly Difference[]) => void;
};

/**
 * Compares every order of a time with its gateway, its payment and the ledger. A run lives in the process that started it, because it waits
 * for the gateways; one whose process has ended is marked as failed by the next.
 */
@Injectable()
export class OrderRuns implements OnApplicationShutdown {
  readonly #log = new Logger('Reconciliation');
  #stopping = false;

  constructor(
    private readonly em: EntityManager,
    private readonly orders: OrderComparison,
    private readonly actions: ActionLog,
  ) {}

  onApplicationShutdown(): void {
    this.#stopping = true;
  }

  /** One at a time: throws RECONCILIATION_UNDER_WAY. */
  async start(range: Range, actor: Actor): Promise<Run> {
    const { from, to } = range;
    const forked = this.em.fork();
    await forked.execute(
      `UPDATE reconciliation SET state = 'failed', finished_at = clock_timestamp() WHERE state = 'running' AND ${SILENT}`,
    );
    const total = await forked.count(RechargeOrder, { createdAt: { $gte: from, $lte: to } });
    try {
      const id = await forked.transactional(async (em) => {
        const made = await em.insert(Reconciliation, {
          source: 'gateway',
          fromAt: from,
          toAt: to,
          startedBy: actor.actor,
          total,
        });
        await this.actions.record(em, actor, {
          action: 'reconciliation.start',
          target: { kind: 'reconciliation', id: String(made) },
          after: { from, to, orders: total },
        });
        return made;
      });
      return { id, range, total, actor };
    } catch (error) {
      if (error instanceof UniqueConstraintViolationException) throw new Refusal('RECONCILIATION_UNDER_WAY');
      throw error;
    }
  }

  /** In the background; the run says how it ended. */
  begin(run: Run): void {
    this.carryOut(run, { mode: 'look' }).catch((error: unknown) => {
      this.#log.error({ msg: 'a reconciliation failed', run: run.id, error: serializeError(error) });
    });
  }

  async carryOut({ id, range, actor }: Run, watch: Watch): Promise<void> {
    const totals = new Map<string, Totals>();
    const seen = new Set<string>();
    let [done, lastBeat, state] = [0, Date.now(), 'failed' as 'failed' | 'done'];
    const end = (change: object): Promise<number> =>
      this.em.fork().nativeUpdate(Reconciliation, { id }, { done, totals: [...totals.values()], ...change });
    try {
      for await (const orderId of ordersIn(this.em, range)) {
        if (this.#stopping) return;
        const { order, differences } = await this.#compare(orderId, watch);
        addTo(totals, order);
        seen.add(order.no);
        if (differences.length > 0) await keepDifferences(this.em.fork(), id, differences);
        done++;
        watch.onOrder?.(order, differences);
        if (Date.now() - lastBeat < BEAT_MS) continue;
        lastBeat = Date.now();
        await end({ beatAt: raw('clock_timestamp()') });
      }
      const found = { runId: id, source: 'gateway' as const, by: actor.actor, at: new Date() };
      await closeMatched(this.em.fork(), found, ({ orderNo }) => seen.has(orderNo));
      state = 'done';
    } finally {
      await end({ state, finishedAt: raw('clock_timestamp()') });
    }
  }

  async #compare(orderId: number, { mode, log }: Watch): Promise<{ order: ComparedOrder; differences: Difference[] }> {
    const first = await this.orders.compare(orderId, mode, log);
    const differences = findingsOf(first);
    if (differences.length === 0) return { order: first, differences };
    await sleep(RECHECK_MS);
    const order = await this.orders.compare(orderId, mode, log);
    order.mended ||= first.mended;
    return { order, differences: findingsOf(order) };
  }
}

function addTo(totals: Map<string, Totals>, order: ComparedOrder): void {
  const { gateway, gatewayState, gatewayAmount, amount, paid, ledgerAmount } = order;
  const of = totals.get(gateway) ?? {
    gateway,
    count: 0,
    there: 0,
    refundedThere: 0,
    here: 0,
    refundedHere: 0,
    recharged: 0,
  };
  // A gateway that has refunded everything no longer says what it had received.
  const received = gatewayState === 'refunded' ? (paid ?? amount) : (gatewayAmount ?? 0);
  totals.set(gateway, {
    ...of,
    count: of.count + 1,
    there: of.there + received,
    here: of.here + (paid ?? 0),
    recharged: (of.recharged ?? 0) + (ledgerAmount ?? 0),
  });
}

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
