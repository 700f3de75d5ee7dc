import type { EntityManager } from '@mikro-orm/postgresql';
import type { ClosedHow } from '@yiqiao/domain/reconciliation';
import type { Difference } from './difference.js';
import { PaymentDifference } from './reconciliation.entity.js';

/** Rows per statement. */
export const INSERT_PAGE = 5_000;

const fingerprintOf = (difference: Difference): string => {
  const { source, what, kind, gateway, orderNo, tradeNo, refundNo, expected, found, detail } = difference;
  return JSON.stringify([source, what, kind, gateway, orderNo, tradeNo, refundNo, expected, found, detail]);
};

export const pagesOf = <T>(all: readonly T[], size: number): T[][] =>
  Array.from({ length: Math.ceil(all.length / size) }, (_, i) => all.slice(i * size, (i + 1) * size));

// Raw: an upsert of many rows. A difference that was closed with a reason stays closed; one that came back is open again.
const KEEP = `
WITH kept AS (
  INSERT INTO payment_difference AS d (fingerprint, source, what, kind, gateway, order_no, trade_no, refund_no, expected, found, detail, at,
    first_run, last_run)
  SELECT r.fingerprint, r.source, r.what, r.kind, r.gateway, r."orderNo", r."tradeNo", r."refundNo", r.expected, r.found, r.detail, r.at, ?, ?
  FROM jsonb_to_recordset(?::jsonb) AS r (fingerprint text, source text, what text, kind text, gateway text, "orderNo" text, "tradeNo" text,
    "refundNo" text, expected bigint, found bigint, detail text, at timestamptz)
  ON CONFLICT (fingerprint) DO UPDATE SET last_run = excluded.last_run,
    closed_how = CASE WHEN d.closed_how = 'reason' THEN d.closed_how END,
    closed_by = CASE WHEN d.closed_how = 'reason' THEN d.closed_by END,
    closed_at = CASE WHEN d.closed_how = 'reason' THEN d.closed_at END
  RETURNING id)
INSERT INTO reconciliation_finding (run_id, difference_id) SELECT ?, id FROM kept ON CONFLICT DO NOTHING`;

/** Records what a run has found, in the transaction of `em`. The same difference is one row in however many runs. */
export async function keepDifferences(
  em: EntityManager,
  runId: number,
  differences: readonly Difference[],
): Promise<void> {
  const distinct = new Map(differences.map((each) => [fingerprintOf(each), each]));
  const rows = [...distinct].map(([fingerprint, difference]) => ({ fingerprint, ...difference }));
  for (const page of pagesOf(rows, INSERT_PAGE)) await em.execute(KEEP, [runId, runId, JSON.stringify(page), runId]);
}

/** Closes open differences that a run has looked at again and not found. */
export async function closeMatched(
  em: EntityManager,
  { runId, source, by, at }: { runId: number; source: Difference['source']; by: string; at: Date },
  isCovered: (difference: PaymentDifference) => boolean,
): Promise<void> {
  const open = await em.find(PaymentDifference, { source, closedAt: null, lastRun: { $ne: runId } });
  const ids = open.filter(isCovered).map(({ id }) => id);
  if (ids.length > 0) await markClosed(em, ids, { how: 'matched', by, at });
}

export const markClosed = (
  em: EntityManager,
  ids: readonly number[],
  { how, by, at, reason = null }: { how: ClosedHow; by: string; at: Date; reason?: string | null },
): Promise<number> =>
  em.nativeUpdate(
    PaymentDifference,
    { id: { $in: [...ids] }, closedAt: null },
    { closedHow: how, closedBy: by, closedAt: at, closeReason: reason },
  );
