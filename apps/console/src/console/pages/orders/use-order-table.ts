import { useEffect, useRef } from 'react';
import { refreshUser } from '../../../shared/auth/user.js';
import { useTexts } from '../../../shared/i18n/texts.js';
import { useLive, useIsLive } from '../../../shared/live/use-live.js';
import { useListTable } from '../../../shared/table/use-list-table.js';
import { toast } from '../../../shared/ui/toast.js';
import { paidSince, type Order } from './order.js';

/** How often a list with waiting orders is read again while the server cannot speak by itself. */
const POLL_MS = 5_000;
const NO_ROWS: readonly Order[] = [];

/** Says it when an order on screen turns out to be paid, however it became known, and brings the balance up to date. */
function useSayPaid(rows: readonly Order[]): void {
  const t = useTexts('orders');
  const before = useRef(NO_ROWS);
  useEffect(() => {
    const paid = paidSince(before.current, rows);
    before.current = rows;
    if (paid.length === 0) return;
    for (const { no } of paid) toast.success(t('paidNow', { no }));
    refreshUser().catch(() => undefined); // the stream says it too, where there is one
  }, [rows, t]);
}

/** The orders as a Refine list, newest first; page and page size live in the URL. The list follows what the server says. */
export function useOrderTable() {
  const connected = useIsLive();
  const table = useListTable<Order>({
    resource: 'orders',
    again: (orders) => !connected && orders.some(({ payStatus }) => payStatus === 'W') && POLL_MS,
  });
  const { tableQuery, rows, look } = table;
  // A payment may have come between the first reading and the stream; after a gap the list looks by itself.
  useLive('ready', ({ again }) => {
    if (!again) look();
  });

  useSayPaid(tableQuery.isPlaceholderData ? NO_ROWS : rows);
  return table;
}

export type OrderTable = ReturnType<typeof useOrderTable>;
