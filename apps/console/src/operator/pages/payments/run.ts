import type { Response } from '@yiqiao/contracts/endpoint';
import type { listReconciliations } from '@yiqiao/contracts/operator/reconciliations';
import { yuan } from '../../../shared/amounts.js';

export type Run = Response<typeof listReconciliations>['rows'][number];

/** What a gateway holds beyond what is credited here, less refunds, in fen. */
export const unbalanced = ({
  there,
  refundedThere,
  here,
  refundedHere,
}: Pick<Run['totals'][number], 'there' | 'refundedThere' | 'here' | 'refundedHere'>): number =>
  there - refundedThere - (here - refundedHere);

/** Of all gateways. */
export const unbalancedOf = ({ totals }: Run): number => totals.reduce((sum, each) => sum + unbalanced(each), 0);

/** `+¥198.00`: the gateway has more. */
export const signedMoney = (fen: number): string => `${fen < 0 ? '−' : '+'}¥${yuan(Math.abs(fen))}`;
