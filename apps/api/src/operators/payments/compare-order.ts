import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { ReconcileOrder, type ReconciledOrder } from '../../orders/orders.js';
import { REFUNDED } from '../../orders/payments.js';
import type { LoggedChange } from '../../platform/manager-actions.js';
import type { Difference } from './difference.js';

/** `close` ends an order at its gateway that is closed here. */
export type GatewayMode = 'look' | 'settle' | 'close';
/** Writes into the action log, in the transaction of the change. */
export type Log = (em: EntityManager, change: LoggedChange) => Promise<unknown>;

type Own = {
  paid: number | null;
  trade: string | null;
  refund: string | null;
  refunded: number | null;
  returned: boolean;
  expires_at: Date;
};

/** The expiry job queries the gateway and may need retries. */
const GRACE_MS = 5 * 60_000;

/**
 * An order with its gateway, ledger and payments. `paid` and `refunded` in fen, of the credited payment; `refunding`: one of our refunds is
 * in progress; `returned`: an uncredited payment is being, or was, refunded by us.
 */
export type ComparedOrder = ReconciledOrder & {
  paid: number | null;
  tradeNo: string | null;
  refunded: number;
  refunding: boolean;
  returned: boolean;
  expired: boolean;
};

/** Compares one order with its gateway and the ledger, and settles what the gateway confirms. */
@Injectable()
export class OrderComparison {
  constructor(
    private readonly em: EntityManager,
    private readonly commands: CommandBus,
  ) {}

  async compare(orderId: number, mode: GatewayMode, log?: Log): Promise<ComparedOrder> {
    const reconciled = await this.commands.execute(new ReconcileOrder(orderId, mode, log));
    // Raw SQL: a report over several tables.
    const [own] = await this.em.fork().execute<Own[]>(
      `SELECT p.amount AS paid, p.trade_no AS trade, p.refund_state AS refund, ${REFUNDED} AS refunded, o.expires_at, EXISTS (
         SELECT 1 FROM payment q WHERE q.order_id = o.id AND q.verdict <> 'credit'
           AND (q.refund_state IN ('started', 'done') OR q.refunded_before > 0)) AS returned
       FROM recharge_order o
       LEFT JOIN payment p ON p.id = o.paid_by AND p.order_id = o.id AND p.verdict = 'credit' WHERE o.id = ?`,
      [orderId],
    );
    return {
      ...reconciled,
      paid: own === undefined || own.paid === null ? null : Number(own.paid),
      tradeNo: own?.trade ?? null,
      refunded: Number(own?.refunded ?? 0),
      refunding: own?.refund === 'started',
      returned: own?.returned ?? false,
      expired: own !== undefined && own.expires_at.getTime() + GRACE_MS < Date.now(),
    };
  }
}

/** The differences of an order. */
export function findingsOf(order: ComparedOrder): Difference[] {
  return [...gatewayFindings(order), ...ownFindings(order)];
}

type Found = Pick<Difference, 'what'> & Partial<Pick<Difference, 'kind' | 'expected' | 'found' | 'detail'>>;

const differenceOf = (order: ComparedOrder, { what, ...found }: Found): Difference => ({
  source: 'gateway',
  what,
  kind: 'payment',
  gateway: order.gateway,
  orderNo: order.no,
  tradeNo: order.tradeNo ?? '',
  refundNo: '',
  expected: null,
  found: null,
  detail: '',
  at: null,
  ...found,
});

function gatewayFindings(order: ComparedOrder): Difference[] {
  const { payStatus, gatewayState, gatewayAmount, amount, refunded, expired } = order;
  const found = (one: Found): Difference[] => [differenceOf(order, one)];
  switch (gatewayState) {
    case 'unknown':
      return found({ what: 'unanswered', detail: payStatus });
    case 'paid':
      if (gatewayAmount !== amount) return found({ what: 'amount', expected: amount, found: gatewayAmount });
      if (payStatus === 'P') return unconfirmedRefund(order);
      return found({ what: 'missingHere', found: gatewayAmount, detail: payStatus });
    case 'refunded':
      return unknownRefund(order);
    case 'unpaid':
    case 'closed':
    case 'absent':
      if (payStatus === 'P' && refunded < amount)
        return found({ what: 'missingThere', expected: amount, detail: gatewayState });
      if (gatewayState === 'unpaid' && (payStatus === 'T' || payStatus === 'C'))
        return found({ what: 'stillOpen', detail: payStatus });
      if (payStatus === 'W' && expired) return found({ what: 'notClosed', detail: payStatus });
      return [];
  }
}

/** Alipay reports a whole refund, WeChat Pay any refund. */
function unknownRefund(order: ComparedOrder): Difference[] {
  const { gateway, payStatus, amount, refunded, refunding, returned } = order;
  if (payStatus !== 'P' && returned) return [];
  if (payStatus !== 'P') return [differenceOf(order, { what: 'refund', kind: 'refund', detail: 'notCredited' })];
  if (refunding || refunded === amount || (gateway !== 'alipay' && refunded > 0)) return [];
  return [differenceOf(order, { what: 'refund', kind: 'refund', expected: refunded, detail: 'unrecorded' })];
}

/** A refund recorded here but not at the gateway. LianLian does not report refunds. */
function unconfirmedRefund(order: ComparedOrder): Difference[] {
  const { gateway, amount, refunded } = order;
  const isHeard = gateway === 'lianlian' || refunded === 0 || (gateway === 'alipay' && refunded < amount);
  if (isHeard) return [];
  return [differenceOf(order, { what: 'refund', kind: 'refund', expected: refunded, detail: 'unconfirmed' })];
}

function ownFindings(order: ComparedOrder): Difference[] {
  const { payStatus, amount, ledgerAmount, paid } = order;
  const due = payStatus === 'P' ? amount : null;
  const differs = (what: 'ledger' | 'credited', expected: number | null): Difference[] =>
    expected === due ? [] : [differenceOf(order, { what, expected, found: due })];
  return [...differs('ledger', ledgerAmount), ...differs('credited', paid)];
}
