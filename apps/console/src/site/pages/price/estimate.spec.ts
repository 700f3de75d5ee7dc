import { describe, expect, it } from '@jest/globals';
import { FIRST_PLANS } from '@yiqiao/domain/first-plans';
import { cheapest, monthlyChars } from './estimate.js';
import type { Plan } from './plan.js';

const PLANS: readonly Plan[] = FIRST_PLANS.filter(({ onSale }) => onSale).map((plan) => ({
  id: plan.id,
  name: plan.name,
  enName: plan.enName,
  tier: plan.tier,
  translationBillingMode: plan.mode,
  num: plan.num,
  salePrice: plan.price,
  createChildUser: plan.createChildUser,
  tranChannelId: plan.channel,
  referenceChannelId: plan.reference,
  voiceNum: plan.voice,
  imageNum: plan.image,
}));
const PRICES = [
  { id: 2, price: 40 },
  { id: 6, price: 80 },
  { id: 7, price: 96 },
];

/** `[plan id, quantity, credit, cost]` of the cheapest package. */
function found(messages: number, price: number, team = true) {
  const best = cheapest(PLANS, PRICES, { messages, length: 40, price, team });
  return best && [best.plan.id, best.quantity, best.credit, best.cost];
}

describe('the cheapest package for a month', () => {
  it('counts 30 days', () => expect(monthlyChars({ messages: 200, length: 40 })).toBe(240_000));

  it.each([
    [200, 2, 1, 2_000_000, 8_800],
    [1_666, 2, 1, 2_000_000, 8_800],
    [1_667, 2, 2, 4_000_000, 17_600], // 2,000,400 characters: two small ones cost less than the next size
    [4_000, 3, 1, 5_000_000, 19_800],
    [10_000, 4, 1, 12_000_000, 39_800],
  ])('%d messages of 40 characters at 40: plan %d × %d', (messages, ...wanted) =>
    expect(found(messages, 40)).toEqual(wanted),
  );

  it('suggests a monthly package when one person alone pays less', () => {
    expect(found(200, 40, false)).toEqual([2, 1, 2_000_000, 8_800]);
    expect(found(4_000, 40, false)).toEqual([7, 1, 43_200, 12_800]);
    // on a channel of twice the price the month takes two
    expect(found(10_000, 80, false)).toEqual([7, 2, 43_200, 25_600]);
  });

  it('credits less where characters cost more', () => {
    expect(found(200, 80)).toEqual([2, 1, 1_000_000, 8_800]);
    expect(found(200, 96)).toEqual([2, 1, 833_333, 8_800]);
  });

  it('offers a package that sets its channel for that channel only', () => {
    const gpt = PLANS.filter(({ tranChannelId }) => tranChannelId !== null);
    expect(cheapest(gpt, PRICES, { messages: 10, length: 40, price: 40, team: true })).toBeNull();
    expect(cheapest(gpt, PRICES, { messages: 10, length: 40, price: 96, team: true })?.plan.id).toBe(6);
  });

  it('finds none beyond the largest order', () => {
    expect(found(100_000_000, 40)).toBeNull();
  });
});
