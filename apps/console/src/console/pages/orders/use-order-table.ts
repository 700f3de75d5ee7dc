import type { CrudFilter } from '@refinedev/core';
import { PAY_STATUSES, type PayStatus } from '@yiqiao/domain/orders';
import { useEffect, useRef } from 'react';
import { refreshUser } from '../../../shared/auth/user.js';
import { useMessages } from '../../../shared/i18n/messages.js';
import { useLive, useIsLive } from '../../shared/use-live.js';
import { useListTable } from '../../shared/table/use-list-table.js';
import { toast } from '../../../shared/ui/toast.js';
import { paidSince, type Order } from './order.js';

/** How often a list with unpaid orders is polled while the stream is down. */
const POLL_MS = 5_000;
export const PAY_STATUS_CODES = Object.keys(PAY_STATUSES) as PayStatus[];
const NO_ROWS: readonly Order[] = [];

/** Announces when an order on screen has been paid, however it became known, and refreshes the balance. */
function useSayPaid(rows: readonly Order[]): void {
  const t = useMessages('orders');
  const before = useRef(NO_ROWS);
  useEffect(() => {
    const paid = paidSince(before.current, rows);
    before.current = rows;
    if (paid.length === 0) return;
    for (const { no } of paid) toast.success(t('paidNow', { no }));
    refreshUser().catch(() => undefined); // a connected stream reports it as well
  }, [rows, t]);
}

/** The orders as a Refine list, newest first; page and page size are in the URL. The list follows live updates. */
export function useOrderTable() {
  const connected = useIsLive();
  const table = useListTable<Order>({
    resource: 'orders',
    again: (orders) => !connected && orders.some(({ payStatus }) => payStatus === 'W') && POLL_MS,
  });
  const { tableQuery, rows, look } = table;
  // A payment may have arrived between the first read and the stream; after a gap the list refetches by itself.
  useLive('ready', ({ again }) => {
    if (!again) look();
  });

  useSayPaid(tableQuery.isPlaceholderData ? NO_ROWS : rows);
  const status = statusOf(table.filters);
  const setStatus = (next: PayStatus | null): void => {
    table.setFilters(next === null ? [] : [{ field: 'payStatus', operator: 'eq', value: next }], 'replace');
    table.setCurrentPage(1);
  };
  return { ...table, status, setStatus };
}

const statusOf = (filters: readonly CrudFilter[]): PayStatus | null => {
  const found = filters.find((filter) => 'field' in filter && filter.field === 'payStatus')?.value as unknown;
  return PAY_STATUS_CODES.find((code) => code === found) ?? null;
};

export type OrderTable = ReturnType<typeof useOrderTable>;
