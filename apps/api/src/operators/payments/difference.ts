import type { DifferenceKind } from '@yiqiao/domain/reconciliation';
import type { Gateway } from '@yiqiao/domain/orders';

/**
 * A difference between a gateway and us, in fen. `expected`: here, `found`: there; null on the side that has nothing. `detail`: the order
 * or the state that it is about.
 */
export type Difference = {
  source: 'statement' | 'gateway';
  what: DifferenceKind;
  kind: 'payment' | 'refund';
  gateway: Gateway;
  orderNo: string;
  tradeNo: string;
  refundNo: string;
  expected: number | null;
  found: number | null;
  detail: string;
  /** When the payment or the refund was made. */
  at: Date | null;
};

/** Both sides of one gateway. `there`: what the gateway has received; `recharged`: in the ledger, where a run reads it. */
export type Totals = {
  gateway: Gateway;
  /** Orders, or lines of the statement. */
  count: number;
  there: number;
  refundedThere: number;
  here: number;
  refundedHere: number;
  recharged: number | null;
};
