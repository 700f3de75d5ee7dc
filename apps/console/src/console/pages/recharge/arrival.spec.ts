import { describe, expect, it } from '@jest/globals';
import { arrivalOf, conversionOf, type Account } from './arrival.js';
import type { Plan } from './plan.js';

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
  referenceChannelId: 2,
  voiceNum: 150,
  imageNum: 150,
  ...over,
});
const monthly = (over: Partial<Plan> = {}): Plan => plan({ translationBillingMode: 'time', num: 43_200, ...over });
const account = (over: Partial<Account> = {}): Account => ({
  billingMode: 'char',
  tranChannelId: 1,
  ...over,
});

/** Micro-yuan per character: Google's price on channel 1, too; DeepL and ChatGPT are dearer. */
const PRICES = new Map([
  [1, 40],
  [2, 40],
  [6, 80],
  [7, 96],
]);
const bought = (wanted: Plan, quantity: number, of: Account) =>
  arrivalOf({ plan: wanted, quantity, account: of }, PRICES);

describe('what a purchase brings', () => {
  it('multiplies the characters', () => {
    expect(bought(plan(), 3, account())).toEqual({
      billingMode: 'char',
      num: 15_000_000,
      channelId: 1,
    });
  });

  it('converts to fewer characters on a more expensive channel, rounded down once per order', () => {
    expect(bought(plan(), 1, account({ tranChannelId: 6 }))).toMatchObject({ num: 2_500_000, channelId: 6 });
    expect(bought(plan(), 1, account({ tranChannelId: 7 }))).toMatchObject({ num: 2_083_333, channelId: 7 });
    expect(bought(plan(), 3, account({ tranChannelId: 7 }))).toMatchObject({ num: 6_250_000, channelId: 7 });
  });

  it('is credited on the package’s channel if it has one', () => {
    const gpt = plan({ num: 4_000_000, tranChannelId: 7, referenceChannelId: 7 });
    expect(bought(gpt, 1, account())).toMatchObject({ num: 4_000_000, channelId: 7 });
  });

  it('adds the months of a time package to a time account', () => {
    const months = bought(monthly(), 2, account({ billingMode: 'time' }));
    expect(months).toMatchObject({ num: 86_400 });
  });

  it('adds fewer days on a dearer channel', () => {
    const months = bought(monthly(), 1, account({ billingMode: 'time', tranChannelId: 7 }));
    expect(months).toMatchObject({ num: 18_000 });
  });

  it('is not guessed before the prices are known', () => {
    expect(arrivalOf({ plan: plan(), quantity: 1, account: account() }, new Map([[2, 40]]))).toBeNull();
  });
});

describe('what is converted', () => {
  it('depends on mode and channel', () => {
    expect(conversionOf(plan(), account())).toEqual({ mode: null, channelId: null });
    expect(conversionOf(plan({ tranChannelId: 1 }), account())).toEqual({ mode: null, channelId: null });
    expect(conversionOf(monthly(), account())).toEqual({ mode: 'toTime', channelId: null });
    expect(conversionOf(plan({ tranChannelId: 9 }), account({ billingMode: 'time' }))).toEqual({
      mode: 'toChar',
      channelId: 9,
    });
  });
});
