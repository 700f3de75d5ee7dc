/**
 * No path through buying, changing channel and billing mode, sharing, taking back, using and refunding, while prices change and time
 * passes, ends with more than was paid and given, at the prices of each moment (decisions §4, docs/decisions/0033, 0043). Money that goes
 * back counts like the part of the order that it was paid for.
 */
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { Family, type Order, type Plan, seededPrices } from '../test/money-family.js';
import { CHANNEL_CODES, CHANNELS } from './channels.js';
import { FIRST_PLANS } from './first-plans.js';
import { MINUTE_MS } from './limits.js';
import { TRIAL_GROUP_ID } from './plans.js';

const SEEDED: readonly Plan[] = FIRST_PLANS.filter(({ id }) => id !== TRIAL_GROUP_ID).map(
  ({ mode, num, minutePrice, channel, reference, price }) => ({
    salePrice: price,
    billingMode: mode,
    num,
    minutePrice,
    tranChannelId: channel,
    reference,
  }),
);
const CHANNEL_IDS = CHANNEL_CODES.map((code) => CHANNELS[code].id);
const channel = fc.constantFrom(...CHANNEL_IDS);
const someplan: fc.Arbitrary<Plan> = fc.record({
  salePrice: fc.integer({ min: 1, max: 100_000 }),
  billingMode: fc.constantFrom('char' as const, 'time' as const),
  num: fc.integer({ min: 1, max: 5_000_000 }),
  minutePrice: fc.integer({ min: 1, max: 20_000 }),
  tranChannelId: fc.option(channel),
  reference: channel,
});
const plan = fc.oneof(fc.constantFrom(...SEEDED), someplan);
const quantity = fc.oneof(fc.constant(1), fc.integer({ min: 1, max: 999 }));

type Step = (family: Family, orders: Order[]) => void;
const steps: readonly fc.Arbitrary<Step>[] = [
  fc.tuple(plan, quantity).map(
    ([p, q]) =>
      (family) =>
        family.pay(family.order(p, q)),
  ),
  // An order keeps its prices until it is paid, whatever happens meanwhile.
  fc.tuple(plan, quantity).map(
    ([p, q]) =>
      (family, orders) =>
        void orders.push(family.order(p, q)),
  ),
  fc.nat(3).map((at) => (family, orders) => orders.splice(at, 1).forEach((order) => family.pay(order))),
  channel.map((to) => (family) => family.change(to)),
  channel.map((to) => (family) => family.change(to)),
  fc.tuple(fc.nat(1), fc.double({ min: -1, max: 1, noNaN: true })).map(
    ([sub, share]) =>
      (family) =>
        family.share(sub, share),
  ),
  fc.tuple(channel, fc.integer({ min: 1, max: 200 })).map(
    ([of, price]) =>
      (family) =>
        family.setPrice(of, price),
  ),
  fc.oneof(fc.nat(3 * MINUTE_MS), fc.nat(40 * 1440 * MINUTE_MS)).map((ms) => (family) => family.pass(ms)),
  fc.nat(100_000).map((chars) => (family) => family.give(chars)),
  fc.tuple(fc.option(fc.nat(1)), fc.double({ min: 0, max: 1, noNaN: true })).map(
    ([sub, share]) =>
      (family) =>
        family.use(sub, share),
  ),
  ...[null, fc.double({ min: 0, max: 1, noNaN: true })].map((money) =>
    fc.tuple(fc.nat(9), money ?? fc.constant(null), fc.boolean()).map(
      ([order, share, pending]) =>
        (family: Family) =>
          family.refund(order, { money: share, pending: pending && share === null }),
    ),
  ),
  fc.nat(9).map((order) => (family) => family.refuse(order)),
  fc.nat(9).map((order) => (family) => family.answer(order)),
];

describe('no path', () => {
  it('of buying, changing, sharing, using, waiting and refunding ends with more than was paid and given', () => {
    fc.assert(
      fc.property(fc.array(fc.oneof(...steps), { maxLength: 25 }), channel, (path, start) => {
        const family = new Family(seededPrices(), start);
        const orders: Order[] = [];
        family.give(5_000);
        for (const step of path) {
          // No two entries of an account are of the same moment.
          family.pass(1);
          step(family, orders);
          family.expectNoGain();
        }
      }),
      { numRuns: 1_000 },
    );
  });

  it('through three packages of the first price list and any channels gains value', () => {
    for (const first of SEEDED)
      for (const second of SEEDED)
        for (const third of SEEDED) {
          const family = new Family(seededPrices(), CHANNELS.offline.id);
          for (const [at, bought] of [first, second, third].entries()) {
            family.pay(family.order(bought, 1));
            family.change([CHANNELS.chatgpt.id, CHANNELS.offline.id, CHANNELS.deepl.id][at] ?? CHANNELS.google.id);
            family.expectNoGain();
          }
        }
  });

  it('through packages of the first price list keeps more than the remaining value after a refund, accepted or refused', () => {
    for (const first of SEEDED)
      for (const second of SEEDED)
        for (const third of SEEDED.filter((_, at) => at % 5 === 0))
          for (const [refunded, isRefused] of [0, 1].flatMap((at) => [true, false].map((is) => [at, is] as const))) {
            const family = new Family(seededPrices(), CHANNELS.offline.id);
            const step = (doing: () => void): void => {
              doing();
              family.expectNoGain();
              family.pass(1);
            };
            step(() => family.pay(family.order(first, 1)));
            step(() => family.pay(family.order(second, 1)));
            step(() => family.refund(refunded, { money: null, pending: isRefused }));
            step(() => family.change(CHANNELS.chatgpt.id));
            step(() => family.refuse(refunded));
            step(() => family.pay(family.order(third, 1)));
            step(() => family.refund(1 - refunded, { money: null, pending: false }));
          }
  });

  // Few minutes tell little of what a channel's price made of those that come back, and none tell nothing.
  it.each([
    [10, 15],
    [10, 29],
    [29, 10],
  ])('through a channel change between a refund and its refusal raises the value of minutes (%i to %i)', (from, to) => {
    for (const given of [0, 2_000, 4_000, 6_000, 14_000]) {
      const { offline, google } = CHANNELS;
      const family = new Family(new Map([...seededPrices(), [offline.id, from], [google.id, to]]), offline.id);
      const month = { salePrice: 2_000, num: 1_000, minutePrice: 20_000, tranChannelId: null, reference: offline.id };
      const path = [
        () => family.give(given),
        () => family.pay(family.order({ ...month, billingMode: 'time' }, 1)),
        () => family.refund(0, { money: null, pending: true }),
        () => family.change(google.id),
        () => family.refuse(0),
      ];
      for (const step of path) {
        family.pass(1);
        step();
        family.expectNoGain();
      }
    }
  });

  it('to a package depends on the order of buying and changing', () => {
    fc.assert(
      fc.property(plan, quantity, channel, channel, (bought, n, from, to) => {
        const free = { ...bought, tranChannelId: null };
        const [buysFirst, changesFirst] = [new Family(seededPrices(), from), new Family(seededPrices(), from)];
        buysFirst.pay(buysFirst.order(free, n));
        buysFirst.change(to);
        changesFirst.change(to);
        changesFirst.pay(changesFirst.order(free, n));
        const [a, b] = [buysFirst, changesFirst].map((family) =>
          free.billingMode === 'char' ? family.main.charNum : family.left,
        );
        // Each conversion rounds down, by at most one unit of its channel.
        const unit = 1 + Math.ceil(buysFirst.price(from) / buysFirst.price(to));
        expect(Math.abs((a ?? 0) - (b ?? 0))).toBeLessThanOrEqual(unit);
      }),
    );
  });
});

describe('the first price list', () => {
  const perMillion = FIRST_PLANS.filter(({ mode, onSale }) => mode === 'char' && onSale).map(
    ({ price, num, reference }) => (price * 10_000) / (num * (seededPrices().get(reference) ?? 0)),
  );

  it('has no month worth more than it costs, and none that is a cheaper way to characters', () => {
    for (const { mode, price, num, minutePrice } of FIRST_PLANS) {
      if (mode === 'char') continue;
      expect(num * minutePrice).toBeLessThanOrEqual(price * 10_000);
      // What a yuan of the price list costs: the most favourable package per character against the month.
      expect((price * 10_000) / (num * minutePrice)).toBeGreaterThan(Math.min(...perMillion));
    }
  });
});
