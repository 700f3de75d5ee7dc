import type { CashierNotice, CashierRow } from './browser/cashier-row.js';
import type { Cashier } from './cashier.js';
import { refunded, type Notification, type Trade } from './trade.js';

const text = (time: number) => new Date(time).toISOString();
const textOrNull = (time: number | null) => (time === null ? null : text(time));

/** What the cashier shows of a trade. */
export function cashierRow(trade: Trade, cashier: Cashier): CashierRow {
  const { orderNo, gateway, wallet, subject, amount, state } = trade;
  return {
    orderNo,
    gateway,
    wallet,
    subject,
    amount,
    refunded: refunded(trade),
    state,
    createdAt: text(trade.createdAt),
    expiresAt: textOrNull(trade.expiresAt),
    paidAt: textOrNull(trade.paidAt),
    returnUrl: state === 'paid' ? cashier.returnAddress(trade) : null,
    notifications: trade.notifications.map(noticeRow),
  };
}

function noticeRow({ event, state, dueAt, tries }: Notification): CashierNotice {
  return {
    event,
    state,
    dueAt: textOrNull(dueAt),
    tries: tries.map(({ at, status, answer }) => ({ at: text(at), status, answer })),
  };
}
