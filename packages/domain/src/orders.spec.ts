import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { askAgainAfterSeconds, fenOf, judge, yuanOf, type Payable, type Payment } from './orders.js';

const order: Payable = { amount: 19_800, gateway: 'wechat', payStatus: 'W', paidBy: null, memberIsThere: true };
const payment: Payment = { gateway: 'wechat', tradeNo: '4200001', amount: 19_800, currency: 'CNY' };

describe('judge', () => {
  it('credits a waiting order, and one whose money is late', () => {
    for (const payStatus of ['W', 'T', 'C'] as const) expect(judge({ ...order, payStatus }, payment)).toBe('credit');
  });

  it('recognises the transaction that paid it, and treats any other as a second payment', () => {
    const paid: Payable = { ...order, payStatus: 'P', paidBy: payment.tradeNo };
    expect(judge(paid, payment)).toBe('again');
    expect(judge(paid, { ...payment, tradeNo: '4200002' })).toBe('double');
  });

  it('keeps the money of a closed account for a refund', () => {
    expect(judge({ ...order, memberIsThere: false }, payment)).toBe('afterLogOff');
    const paid: Payable = { ...order, payStatus: 'P', paidBy: payment.tradeNo, memberIsThere: false };
    expect(judge(paid, payment)).toBe('again');
  });

  it('accepts only the exact amount, in the right currency, through the gateway of the order', () => {
    for (const wrong of [{ amount: 19_799 }, { amount: 19_801 }, { currency: 'USD' }, { gateway: 'alipay' as const }])
      for (const payStatus of ['W', 'P', 'T', 'C'] as const)
        expect(judge({ ...order, payStatus }, { ...payment, ...wrong })).toBe('wrongAmount');
  });
});

describe('money in yuan', () => {
  it('is written with two decimals and parsed to the fen', () => {
    expect([0, 1, 10, 99, 100, 9_900, 10_000_000_000].map(yuanOf)).toEqual([
      '0.00',
      '0.01',
      '0.10',
      '0.99',
      '1.00',
      '99.00',
      '100000000.00',
    ]);
    fc.assert(fc.property(fc.integer({ min: 0, max: 10_000_000_000 }), (fen) => fenOf(yuanOf(fen)) === fen));
  });

  it('parses only what gateways write', () => {
    expect(['99', '99.5', '99.50', '0.01'].map(fenOf)).toEqual([9_900, 9_950, 9_950, 1]);
    for (const text of ['', '.5', '99.', '99.005', '-1', '1e3', ' 1', '1,000', '٩', 'NaN', '123456789012'])
      expect(fenOf(text)).toBeNull();
  });
});

it('polls a new order often, and any order at least every two minutes', () => {
  const gaps = Array.from({ length: 30 }, (_, asked) => askAgainAfterSeconds(asked));
  for (const [at, gap] of gaps.entries()) {
    expect(gap).toBeGreaterThan(0);
    // Two calls of a gateway that is slow, and the seconds of a queue, must fit in as well.
    expect(gap).toBeLessThanOrEqual(90);
    expect(gap).toBeGreaterThanOrEqual(gaps[at - 1] ?? 0);
  }
});
