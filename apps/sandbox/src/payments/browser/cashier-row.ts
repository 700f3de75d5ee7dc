/** An order at the cashier, as JSON. Money in fen, times ISO 8601 in UTC. */
export interface CashierRow {
  readonly orderNo: string;
  readonly gateway: 'alipay' | 'wechat' | 'lianlian';
  readonly wallet: 'alipay' | 'wechat';
  readonly subject: string;
  readonly amount: number;
  readonly refunded: number;
  readonly state: 'waiting' | 'paid' | 'closed';
  readonly createdAt: string;
  readonly expiresAt: string | null;
  readonly paidAt: string | null;
  /** Where the buyer returns after paying. */
  readonly returnUrl: string | null;
  readonly notifications: readonly CashierNotice[];
}

export interface CashierNotice {
  readonly event: 'paid' | 'refunded' | 'closed';
  readonly state: 'pending' | 'delivered' | 'given-up' | 'withheld';
  readonly dueAt: string | null;
  readonly tries: readonly { readonly at: string; readonly status: number | null; readonly answer: string }[];
}
