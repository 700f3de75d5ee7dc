import { describe, expect, it } from '@jest/globals';
import { DAY_MS } from '@yiqiao/domain/limits';
import { arrivalOf, conversionOf, type Account } from './arrival.js';
import type { Plan } from './plan.js';

const NOW = Date.UTC(2026, 10, 21);
const plan = (over: Partial<Plan> = {}): Plan => ({
  id: 3,
  name: '专业版',
  enName: 'Professional',
  tier: 'professional',
  translationBillingMode: 'char',
  num: 5_000_000,
  salePrice: 19_800,
  createChildUser: true,
  tranChannelId: null,
  voiceNum: 150,
  imageNum: 150,
  ...over,
});
const monthly = (over: Partial<Plan> = {}): Plan => plan({ translationBillingMode: 'time', num: 43_200, ...over });
const account = (over: Partial<Account> = {}): Account => ({
  billingMode: 'char',
  tranChannelId: 1,
  expireAt: NOW + 10 * DAY_MS,
  now: NOW,
  ...over,
});

describe('what a purchase brings', () => {
  it('multiplies characters and gifts, and adds thirty days each to what is left', () => {
    expect(arrivalOf(plan(), 3, account())).toEqual({
      billingMode: 'char',
      num: 15_000_000,
      voiceNum: 450,
      imageNum: 450,
      expiry: { kind: 'until', at: NOW + 100 * DAY_MS },
    });
  });

  it('adds the months of a time package to a time account', () => {
    const { num, expiry } = arrivalOf(monthly(), 2, account({ billingMode: 'time' }));
    expect([num, expiry]).toEqual([86_400, { kind: 'until', at: NOW + 70 * DAY_MS }]);
  });

  it.each([null, NOW - 1, NOW])('counts from the payment when nothing runs (%p)', (expireAt) => {
    const bought = arrivalOf(plan(), 2, account({ expireAt }));
    expect(bought.expiry).toEqual({ kind: 'fromPayment', days: 60 });
  });

  it('counts from the payment when a time account turns to characters', () => {
    expect(arrivalOf(plan(), 1, account({ billingMode: 'time' })).expiry).toEqual({ kind: 'fromPayment', days: 30 });
  });

  it('gives no date where the conversion of the balance decides it', () => {
    expect(arrivalOf(monthly(), 1, account()).expiry).toEqual({ kind: 'converted' });
    const other = monthly({ tranChannelId: 9 });
    expect(arrivalOf(other, 1, account({ billingMode: 'time' })).expiry).toEqual({ kind: 'converted' });
  });

  it('keeps the date of characters that change their channel', () => {
    const bought = arrivalOf(plan({ tranChannelId: 9 }), 1, account());
    expect(bought.expiry).toEqual({ kind: 'until', at: NOW + 40 * DAY_MS });
  });
});

describe('what is converted', () => {
  it('is told by mode and by channel', () => {
    expect(conversionOf(plan(), account())).toEqual({ mode: null, channelId: null });
    expect(conversionOf(plan({ tranChannelId: 1 }), account())).toEqual({ mode: null, channelId: null });
    expect(conversionOf(monthly(), account())).toEqual({ mode: 'toTime', channelId: null });
    expect(conversionOf(plan({ tranChannelId: 9 }), account({ billingMode: 'time' }))).toEqual({
      mode: 'toChar',
      channelId: 9,
    });
  });
});
