import { describe, expect, it } from '@jest/globals';
import { clockText, paidSince, secondsLeft, type Order } from './order.js';

const order = (id: number, payStatus: Order['payStatus']): Order => ({
  id,
  no: `YQ2026112014320800000${id}`,
  payChannel: 'WC_NATIVE',
  payStatus,
  memberGroupName: '专业版',
  memberGroupEnName: 'Professional',
  tranChannelId: null,
  translationBillingMode: 'char',
  num: 1_000_000,
  referenceChannelId: 2,
  creditedNum: null,
  salesNum: 1,
  amount: 9900,
  createDateTime: '2026-11-20 14:32:08',
  payDateTime: null,
  expireDateTime: '2026-11-20 14:47:08',
  refunded: false,
  refundedAmount: 0,
});

describe('the time that is left to pay', () => {
  const left = (now: string): number => secondsLeft(order(1, 'W'), now);

  it('runs from the quarter of an hour to nothing, and stays there', () => {
    expect(left('2026-11-20 14:32:08')).toBe(900);
    expect(left('2026-11-20 14:47:07')).toBe(1);
    expect(left('2026-11-20 14:47:08')).toBe(0);
    expect(left('2026-11-21 00:00:00')).toBe(0);
  });

  it('formats like a clock', () => {
    expect([900, 605, 60, 59, 0].map(clockText)).toEqual(['15:00', '10:05', '1:00', '0:59', '0:00']);
  });
});

describe('what was paid since the last look', () => {
  it('is an order that was unpaid and is now paid', () => {
    const before = [order(1, 'W'), order(2, 'W'), order(3, 'W'), order(4, 'P')];
    const now = [order(5, 'P'), order(1, 'P'), order(2, 'C'), order(3, 'W'), order(4, 'P')];
    expect(paidSince(before, now).map(({ id }) => id)).toEqual([1]);
  });

  it('is nothing on another page', () => {
    expect(paidSince([order(1, 'W')], [order(11, 'P')])).toEqual([]);
    expect(paidSince([], [order(1, 'P')])).toEqual([]);
  });
});
