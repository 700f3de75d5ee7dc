/** Purchases cannot be exploited (docs/decisions/0033): the known exploits, and random paths through the real service. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { listAccountLogs } from '@yiqiao/contracts/account-log';
import { listOrders } from '@yiqiao/contracts/orders';
import { changeChannel, listMapping } from '@yiqiao/contracts/plans';
import { deleteChildUsers, distributeChars } from '@yiqiao/contracts/sub-accounts';
import { getUser } from '@yiqiao/contracts/user';
import { CHANNEL_CODES } from '@yiqiao/domain/channels';
import { FIRST_PLANS } from '@yiqiao/domain/first-plans';
import fc from 'fast-check';
import { Plans } from '../src/plans/plans.js';
import { startApi, type TestApi } from './support/api.js';
import { buyPackage, makeMain, makeSub } from './support/family.js';
import type { TestMember } from './support/test-members.js';
import { MONTHLY, openOrder, paymentFor, settle, STANDARD } from './support/orders.js';

const [OFFLINE, GOOGLE, DEEPL, CHATGPT] = [1, 2, 6, 7];
const MINUTE_MS = 60_000;

let api: TestApi;

beforeAll(async () => {
  api = await startApi({ LIMIT_CHANNEL_CHANGES_PER_HOUR: '100000', LIMIT_DISTRIBUTION_PER_SECOND: '100000' });
  for (const code of CHANNEL_CODES)
    api.app.get(Plans).announce(code, () => Promise.resolve({ available: true, reason: null }));
});
afterAll(() => api.stop());

const account = async (main: TestMember) => {
  const { memberAccount, memberGroup } = await main.client.call(getUser, {});
  const left = (Date.parse(`${memberAccount.expireDateTime}+08:00`) - Date.now()) / MINUTE_MS;
  return { chars: memberAccount.usableCharNum, mode: memberGroup.translationBillingMode, minutes: left };
};
const change = (main: TestMember, targetChannelId: number) => main.client.call(changeChannel, { targetChannelId });
const pay = async (main: TestMember, memberGroupId: number, salesNum = 1): Promise<number> => {
  const id = await openOrder(api, main, { memberGroupId, salesNum });
  expect(await settle(api, await paymentFor(api, id))).toBe('credit');
  return id;
};
const setPrice = (id: number, price: number) =>
  api.db.query('UPDATE tran_channel SET price = $2 WHERE id = $1', [id, price]);

describe('the effect of a package', () => {
  it('does not grow by buying on the dearest channel', async () => {
    const main = await makeMain(api);
    await change(main, CHATGPT);
    const id = await pay(main, STANDARD);
    const [row] = (await main.client.call(listOrders, {})).rows;
    // 5,000 · 40 / 96 and 2,000,000 · 40 / 96: the receipt shows what was credited.
    expect(row).toMatchObject({ id, num: 2_000_000, referenceChannelId: GOOGLE, creditedNum: 833_333 });
    expect((await account(main)).chars).toBe(2_083 + 833_333);
    const [entry] = (await main.client.call(listAccountLogs, { logType: 'RECHARGE_ORDER_BY_MEMBER_GROUP' })).rows;
    expect(entry?.explanation).toMatch(
      /^充值「标准版」（2,000,000 字符，按谷歌翻译的价格），订单 \S+，等值换算到 ChatGPT：增加 833,333 字符/,
    );
    const preview = (await main.client.call(listMapping, {})).find((channel) => channel.id === OFFLINE);
    expect(await change(main, OFFLINE)).toEqual(preview);
    const { chars } = await account(main);
    expect(chars).toBeLessThanOrEqual(2_005_000);
    expect(chars).toBeGreaterThan(2_004_900);
  });

  it('stays one month, not half a year, when the month is bought on the dearest channel', async () => {
    const main = await makeMain(api);
    await change(main, CHATGPT);
    await pay(main, MONTHLY);
    // With the trial's 5,000 characters, which are 28 minutes there.
    expect((await account(main)).minutes).toBeLessThanOrEqual(18_000 + 28);
    await change(main, OFFLINE);
    const { minutes, mode } = await account(main);
    expect(mode).toBe('time');
    // And those 28 minutes have become 67.
    expect(minutes).toBeLessThanOrEqual(43_200 + 67);
    expect(minutes).toBeGreaterThan(43_100);
  });

  it('is worth no more than a month cost when characters are bought after it', async () => {
    const main = await makeMain(api);
    await pay(main, MONTHLY);
    await pay(main, STANDARD);
    // ¥128 buys at most 3,200,000 characters at 40 micro-yuan; the exploit gave 12,800,000.
    const { chars } = await account(main);
    expect(chars).toBeLessThanOrEqual(2_000_000 + 3_200_000 + 5_000);
    expect(chars).toBeGreaterThan(5_190_000);
  });

  it('keeps its value while an order waits and prices change', async () => {
    const main = await makeMain(api);
    const id = await openOrder(api, main, { memberGroupId: STANDARD });
    await setPrice(GOOGLE, 20);
    await setPrice(OFFLINE, 50);
    try {
      expect(await settle(api, await paymentFor(api, id))).toBe('credit');
      // At the order's reference price, and the price of the own channel when it is paid.
      expect((await account(main)).chars).toBe(5_000 + (2_000_000 * 40) / 50);
    } finally {
      await setPrice(GOOGLE, 40);
      await setPrice(OFFLINE, 40);
    }
  });
});

it('never exceeds what was paid and given, on any path through the service', async () => {
  const sold = FIRST_PLANS.filter(({ onSale }) => onSale);
  const channel = fc.constantFrom(OFFLINE, GOOGLE, DEEPL, CHATGPT);
  const step = fc.oneof(
    fc.record({
      do: fc.constant('buy' as const),
      plan: fc.constantFrom(...sold),
      quantity: fc.integer({ min: 1, max: 3 }),
    }),
    fc.record({ do: fc.constant('change' as const), channel }),
    fc.record({ do: fc.constant('price' as const), channel, price: fc.integer({ min: 10, max: 120 }) }),
    fc.record({ do: fc.constant('share' as const), tenths: fc.integer({ min: 1, max: 9 }) }),
    fc.record({ do: fc.constant('recover' as const) }),
  );
  const walk = async (path: readonly (typeof step extends fc.Arbitrary<infer S> ? S : never)[]): Promise<void> => {
    const prices = new Map(FIRST_PLANS.length > 0 ? [OFFLINE, GOOGLE, DEEPL, CHATGPT].map((id) => [id, 40]) : []);
    prices.set(DEEPL, 80).set(CHATGPT, 96);
    for (const [id, price] of prices) await setPrice(id, price);
    const price = (id: number): number => prices.get(id) ?? 0;
    const main = await makeMain(api);
    let [own, worth] = [OFFLINE, 5_000 * 40];
    let sub: TestMember | null = null;
    const family = async (): Promise<number> =>
      (await account(main)).chars + (sub ? (await sub.client.call(getUser, {})).memberAccount.usableCharNum : 0);
    for (const doing of path) {
      if (doing.do === 'buy') {
        const { plan, quantity } = doing;
        await buyPackage(api, main, plan.id, quantity);
        own = plan.channel ?? own;
        worth += plan.num * quantity * (plan.mode === 'char' ? price(plan.reference) : plan.minutePrice);
      } else if (doing.do === 'change' && doing.channel !== own) {
        await change(main, doing.channel);
        own = doing.channel;
      } else if (doing.do === 'price') {
        if (doing.channel === own) worth += (await family()) * (doing.price - price(own));
        prices.set(doing.channel, doing.price);
        await setPrice(doing.channel, doing.price);
      } else if (doing.do === 'share') {
        sub ??= (await account(main)).mode === 'char' ? await makeSub(api, main, 0).catch(() => null) : null;
        const changeCharNum = Math.floor(((await account(main)).chars * doing.tenths) / 10);
        if (sub && changeCharNum > 0)
          await main.client.call(distributeChars, { childUserId: sub.session.userId, changeCharNum });
      } else if (doing.do === 'recover' && sub) {
        await main.client.call(deleteChildUsers, { userId: sub.session.userId });
        sub = null;
      }
      expect((await family()) * price(own)).toBeLessThanOrEqual(worth);
    }
    // In the end everything is converted to characters.
    await buyPackage(api, main, STANDARD);
    expect((await family()) * price(own)).toBeLessThanOrEqual(worth + 2_000_000 * price(GOOGLE));
  };
  await fc.assert(fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 12 }), walk), { numRuns: 8 });
});
