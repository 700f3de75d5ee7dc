/**
 * Refunds (docs/decisions/0014): the quota is taken before the money is refunded, and every real payment ends credited, listed, or
 * refunded.
 */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { CommandBus } from '@nestjs/cqrs';
import { listAccountLogs } from '@yiqiao/contracts/account-log';
import { listOrders } from '@yiqiao/contracts/orders';
import { changeChannel } from '@yiqiao/contracts/plans';
import { distributeChars } from '@yiqiao/contracts/sub-accounts';
import { translateText } from '@yiqiao/contracts/translation';
import { auditLedger } from '../src/ledger/audit/audit.js';
import { RetryRefunds } from '../src/orders/retry-refunds.js';
import { Plans } from '../src/plans/plans.js';
import type { TestApi } from './support/api.js';
import { adjust, makeMain, makeSub, setChars } from './support/family.js';
import type { TestMember } from './support/test-members.js';
import type { FakeGateway } from './support/fake-gateway.js';
import { accountOf, eventsOf, MONTHLY, OrderFixture, orderOf, PROFESSIONAL, STANDARD } from './support/orders.js';

let fixture: OrderFixture;
let gateway: FakeGateway;
let api: TestApi;
let buyer: TestMember;

beforeAll(async () => {
  fixture = await OrderFixture.open();
  ({ gateway, api } = fixture);
  api.app.get(Plans).announce('chatgpt', () => Promise.resolve({ available: true, reason: null }));
});
afterAll(() => fixture.close());
beforeEach(async () => {
  gateway.mode = 'up';
  buyer = await makeMain(api);
});

const adjustments = async () => (await buyer.client.call(listAccountLogs, { logType: 'SYS_ADJUST' })).rows;
const isWhole = async () => expect((await auditLedger(api.db, {})).difference).toBeNull();

const CHATGPT = 7;

const setExpiry = (expireAt: number): Promise<void> => adjust(api, buyer.session.userId, { expireAt });

describe('a refund', () => {
  it.each([
    ['characters', STANDARD, 2],
    ['a month', MONTHLY, 1],
  ])('of %s takes the quota back, then refunds the money', async (_, group, salesNum) => {
    const before = await accountOf(buyer);
    const { id, no, paymentId } = await fixture.buy(buyer, group, salesNum);
    const started = await fixture.startRefund(paymentId);
    expect(started).toMatchObject({ paymentId, orderNo: no, state: 'started' });
    expect(started.refundNo).toMatch(/^RF\d{22}$/);
    expect(gateway.refundsOf(no)).toBe(0);
    expect(await fixture.executeRefund(paymentId)).toBe('done');
    expect(gateway.refundsOf(no)).toBe(1);
    const after = await accountOf(buyer);
    expect(after.memberGroupId).toBe(1);
    expect(after.rechargeAmountTotal).toBe(0);
    expect(after.usableVoiceNum).toBe(before.usableVoiceNum);
    if (group === STANDARD) expect(after).toEqual(before);
    const [row] = await adjustments();
    expect(row).toMatchObject({ rechargeOrderByMemberGroupNo: no, managerName: '周敏', reason: '客户申请' });
    expect(row?.amount).toBe(-(await orderOf(api, id)).amount);
    expect(row?.explanation).toContain(`订单 ${no} 退款`);
    expect((await buyer.client.call(listOrders, {})).rows).toMatchObject([{ id, payStatus: 'P', refunded: true }]);
    expect((await eventsOf(api, id)).slice(-2)).toEqual(['refundStarted', 'refunded']);
    expect((await fixture.exceptions()).filter(({ orderNo }) => orderNo === no)).toEqual([]);
    await isWhole();
  });

  it('happens once, however often it is started and executed', async () => {
    const { no, paymentId } = await fixture.buy(buyer);
    const started = await Promise.all([1, 2, 3].map(() => fixture.startRefund(paymentId)));
    expect(new Set(started.map(({ refundNo }) => refundNo)).size).toBe(1);
    await Promise.all([1, 2, 3].map(() => fixture.executeRefund(paymentId)));
    expect(gateway.refundsOf(no)).toBe(1);
    expect(await adjustments()).toHaveLength(1);
    expect((await fixture.startRefund(paymentId)).state).toBe('done');
    expect((await accountOf(buyer)).usableCharNum).toBe(5_000);
  });

  it('stays pending without a response and is retried', async () => {
    const { no, paymentId } = await fixture.buy(buyer);
    await fixture.startRefund(paymentId);
    gateway.mode = 'down';
    expect(await fixture.executeRefund(paymentId)).toBe('started');
    expect(await fixture.exceptions()).toContainEqual(expect.objectContaining({ what: 'refundStarted', orderNo: no }));
    expect((await accountOf(buyer)).usableCharNum).toBe(5_000);
    gateway.mode = 'up';
    await api.app.get(CommandBus).execute(new RetryRefunds());
    expect(await fixture.executeRefund(paymentId)).toBe('done');
    expect(gateway.refundsOf(no)).toBe(1);
  });

  it('that the gateway refuses restores the quota, and may be retried under the same number', async () => {
    const { id, no, paymentId } = await fixture.buy(buyer);
    const bought = await accountOf(buyer);
    const { refundNo } = await fixture.startRefund(paymentId);
    gateway.mode = 'no-refunds';
    expect(await fixture.executeRefund(paymentId)).toBe('refused');
    expect(await accountOf(buyer)).toEqual(bought);
    expect((await adjustments()).map(({ charChangeNum }) => charChangeNum)).toEqual([2_000_000, -2_000_000]);
    expect((await adjustments())[0]?.explanation).toContain('未能退款');
    expect(await fixture.exceptions()).toContainEqual(
      expect.objectContaining({
        what: 'refundRefused',
        orderNo: no,
        why: expect.stringContaining('ACQ.SELLER_BALANCE_NOT_ENOUGH'),
      }),
    );
    expect((await eventsOf(api, id)).slice(-2)).toEqual(['refundStarted', 'refundRefused']);
    gateway.mode = 'up';
    expect((await fixture.startRefund(paymentId)).refundNo).toBe(refundNo);
    expect(await fixture.executeRefund(paymentId)).toBe('done');
    expect((await accountOf(buyer)).usableCharNum).toBe(5_000);
    await isWhole();
  });

  it('of a package that ended time mode keeps the converted balance and its validity', async () => {
    await fixture.buy(buyer, MONTHLY);
    const monthly = await accountOf(buyer);
    const { no, paymentId } = await fixture.buy(buyer);
    const bought = await accountOf(buyer);
    await fixture.startRefund(paymentId);
    expect(await fixture.executeRefund(paymentId)).toBe('done');
    const after = await accountOf(buyer);
    expect(after.usableCharNum).toBe(bought.usableCharNum - 2_000_000);
    expect(after.usableCharNum).toBeGreaterThan(0);
    expect(after.expireDateTime).toBe(bought.expireDateTime);
    expect(after.memberGroupId).toBe(monthly.memberGroupId);
    expect(gateway.refundsOf(no)).toBe(1);
    await isWhole();
  });

  it('of several orders works in any sequence', async () => {
    const before = await accountOf(buyer);
    const [first, second] = [await fixture.buy(buyer, STANDARD), await fixture.buy(buyer, PROFESSIONAL)];
    for (const { paymentId } of [first, second]) {
      await fixture.startRefund(paymentId);
      expect(await fixture.executeRefund(paymentId)).toBe('done');
    }
    const { usableCharNum, expireDateTime, memberGroupId } = await accountOf(buyer);
    expect({ usableCharNum, expireDateTime, memberGroupId }).toEqual({
      usableCharNum: before.usableCharNum,
      expireDateTime: before.expireDateTime,
      memberGroupId: before.memberGroupId,
    });
    await isWhole();
  });

  it('keeps a plan that was bought again since', async () => {
    const { paymentId } = await fixture.buy(buyer);
    await fixture.buy(buyer);
    await fixture.startRefund(paymentId);
    expect((await accountOf(buyer)).memberGroupId).toBe(STANDARD);
  });
});

describe('a partial refund', () => {
  /** The unused part of the order after `used` characters: older ones are used first, and a trial has 5,000. */
  const use = (used: number) => setChars(api, buyer.session.userId, 2_005_000 - 5_000 - used);
  const money = (unused: number): number => Math.floor((8_800 * unused) / 2_000_000);

  it('refunds the unused share of everything, and notifies the member', async () => {
    const before = await accountOf(buyer);
    const { id, no, paymentId } = await fixture.buy(buyer);
    const bought = await accountOf(buyer);
    await use(500_000);
    const started = await fixture.startRefund(paymentId);
    expect(started).toMatchObject({ amount: money(1_500_000), paid: 8_800, state: 'started' });
    expect(await fixture.executeRefund(paymentId)).toBe('done');
    expect(gateway.backFor(no)).toBe(6_600);
    const after = await accountOf(buyer);
    expect(after).toMatchObject({
      usableCharNum: 0,
      rechargeAmountTotal: 2_200,
      memberGroupId: 1,
      usableVoiceNum: bought.usableVoiceNum - Math.floor((bought.usableVoiceNum - before.usableVoiceNum) * 0.75),
    });
    const days = (Date.parse(`${bought.expireDateTime}Z`) - Date.parse(`${after.expireDateTime}Z`)) / 86_400_000;
    expect(days).toBe(22.5);
    expect((await buyer.client.call(listOrders, {})).rows).toMatchObject([
      { id, refunded: false, refundedAmount: 6_600, amount: 8_800 },
    ]);
    await expect(fixture.startRefund(paymentId)).rejects.toMatchObject({ code: 'REFUND_NOT_POSSIBLE' });
    await isWhole();
  });

  it('uses older quota first and leaves the order intact', async () => {
    const { no, paymentId } = await fixture.buy(buyer);
    await buyer.client.call(translateText, { source: 'zh-Hans', target: 'zh-Hant', text: '头' });
    await fixture.startRefund(paymentId);
    await fixture.executeRefund(paymentId);
    expect(gateway.backFor(no)).toBe(8_800);
    expect((await accountOf(buyer)).usableCharNum).toBe(4_999);
    await isWhole();
  });

  it('counts sub-accounts’ balances as used until they are taken back; another refund then covers the rest', async () => {
    const { no, paymentId } = await fixture.buy(buyer);
    const sub = await makeSub(api, buyer);
    const give = (changeCharNum: number) =>
      buyer.client.call(distributeChars, { childUserId: sub.session.userId, changeCharNum });
    await give(1_005_000);
    const first = await fixture.startRefund(paymentId);
    expect(first.amount).toBe(4_400);
    expect(await fixture.executeRefund(paymentId)).toBe('done');
    await expect(fixture.startRefund(paymentId)).rejects.toMatchObject({ code: 'REFUND_NOT_POSSIBLE' });
    await give(-1_000_000);
    const second = await fixture.startRefund(paymentId);
    expect(second.amount).toBe(4_400);
    expect(second.refundNo).not.toBe(first.refundNo);
    expect(await fixture.executeRefund(paymentId)).toBe('done');
    expect([gateway.refundsOf(no), gateway.backFor(no)]).toEqual([2, 8_800]);
    expect((await buyer.client.call(listOrders, {})).rows).toMatchObject([{ refunded: true, refundedAmount: 8_800 }]);
    expect((await accountOf(buyer)).rechargeAmountTotal).toBe(0);
    expect((await fixture.startRefund(paymentId)).state).toBe('done');
    await isWhole();
  });

  it('of several orders counts the usage against the oldest', async () => {
    const [first, second] = [await fixture.buy(buyer, STANDARD), await fixture.buy(buyer, STANDARD)];
    await setChars(api, buyer.session.userId, 3_000_000);
    expect((await fixture.startRefund(second.paymentId)).amount).toBe(8_800);
    expect((await fixture.startRefund(first.paymentId)).amount).toBe(4_400);
    for (const { paymentId } of [first, second]) expect(await fixture.executeRefund(paymentId)).toBe('done');
    expect((await accountOf(buyer)).usableCharNum).toBe(0);
    await isWhole();
  });

  it('that the gateway refuses restores all quota, and a later one of another amount has another number', async () => {
    const { no, paymentId } = await fixture.buy(buyer);
    await use(500_000);
    const bought = await accountOf(buyer);
    const first = await fixture.startRefund(paymentId);
    gateway.mode = 'no-refunds';
    expect(await fixture.executeRefund(paymentId)).toBe('refused');
    expect(await accountOf(buyer)).toEqual(bought);
    await isWhole();
    await use(1_000_000);
    gateway.mode = 'up';
    const second = await fixture.startRefund(paymentId);
    expect(second).toMatchObject({ amount: 4_400, state: 'started' });
    expect(second.refundNo).not.toBe(first.refundNo);
    expect(await fixture.executeRefund(paymentId)).toBe('done');
    expect(gateway.backFor(no)).toBe(4_400);
    await isWhole();
  });

  it('after conversions has the value of the order, however low the balance was in between', async () => {
    const { no, paymentId } = await fixture.buy(buyer);
    const sub = await makeSub(api, buyer);
    const give = (changeCharNum: number) =>
      buyer.client.call(distributeChars, { childUserId: sub.session.userId, changeCharNum });
    await give(2_004_996);
    await buyer.client.call(changeChannel, { targetChannelId: CHATGPT });
    // Four characters became one; counted as one each, the order would have been worth 500,000.
    await give(-835_415);
    expect((await accountOf(buyer)).usableCharNum).toBe(835_416);
    expect((await fixture.startRefund(paymentId)).amount).toBeGreaterThanOrEqual(8_799);
    expect(await fixture.executeRefund(paymentId)).toBe('done');
    expect(gateway.backFor(no)).toBeGreaterThanOrEqual(8_799);
    // The trial's 5,000 at 40 are 2,083 at 96.
    expect((await accountOf(buyer)).usableCharNum).toBeLessThanOrEqual(2_085);
    await isWhole();
  });

  it('that the gateway refuses after a channel change is restored at equal value', async () => {
    const { paymentId } = await fixture.buy(buyer);
    await fixture.startRefund(paymentId);
    await buyer.client.call(changeChannel, { targetChannelId: CHATGPT });
    gateway.mode = 'no-refunds';
    expect(await fixture.executeRefund(paymentId)).toBe('refused');
    expect((await accountOf(buyer)).usableCharNum).toBe(2_083 + 833_333);
    await isWhole();
  });

  it('of characters converted to minutes deducts their cost, so that the rest gains no value', async () => {
    const { paymentId } = await fixture.buy(buyer);
    await fixture.buy(buyer, MONTHLY);
    expect((await fixture.startRefund(paymentId)).amount).toBeGreaterThanOrEqual(8_799);
    expect(await fixture.executeRefund(paymentId)).toBe('done');
    await isWhole();
    await fixture.buy(buyer);
    // A month is ¥128, which is 3,200,000 at 40 micro-yuan.
    expect((await accountOf(buyer)).usableCharNum).toBeLessThanOrEqual(5_000 + 3_200_000 + 2_000_000);
    await isWhole();
  });

  it('of minutes converted to characters is the price paid for them', async () => {
    const { paymentId } = await fixture.buy(buyer, MONTHLY);
    await fixture.buy(buyer);
    const { amount } = await fixture.startRefund(paymentId);
    expect(amount).toBeGreaterThanOrEqual(12_790);
    expect(await fixture.executeRefund(paymentId)).toBe('done');
    expect((await accountOf(buyer)).usableCharNum).toBeLessThanOrEqual(2_000_000 + 5_000 + 200);
    await isWhole();
  });

  it('keeps the plan ended by the first part, even if the gateway refuses the second', async () => {
    const { paymentId } = await fixture.buy(buyer);
    const sub = await makeSub(api, buyer);
    const give = (changeCharNum: number) =>
      buyer.client.call(distributeChars, { childUserId: sub.session.userId, changeCharNum });
    await give(1_005_000);
    await fixture.startRefund(paymentId);
    expect(await fixture.executeRefund(paymentId)).toBe('done');
    const { memberGroupId } = await accountOf(buyer);
    await give(-1_000_000);
    await fixture.startRefund(paymentId);
    gateway.mode = 'no-refunds';
    expect(await fixture.executeRefund(paymentId)).toBe('refused');
    expect((await accountOf(buyer)).memberGroupId).toBe(memberGroupId);
    await isWhole();
  });

  it('of a month covers the remaining minutes', async () => {
    const { no, paymentId } = await fixture.buy(buyer, MONTHLY);
    const { expireDateTime } = await accountOf(buyer);
    await setExpiry(Date.now() + 10 * 86_400_000);
    const { amount, paid } = await fixture.startRefund(paymentId);
    expect(Math.abs(amount - Math.floor((paid * 10) / 30))).toBeLessThanOrEqual(1);
    expect(await fixture.executeRefund(paymentId)).toBe('done');
    expect(gateway.backFor(no)).toBe(amount);
    const left = Date.parse(`${(await accountOf(buyer)).expireDateTime}Z`);
    expect(left).toBeLessThan(Date.parse(`${expireDateTime}Z`) - 29 * 86_400_000);
    await isWhole();
  });

  it('is reported by the audit if money and quota do not match', async () => {
    const { id, paymentId } = await fixture.buy(buyer);
    await use(500_000);
    await fixture.startRefund(paymentId);
    await fixture.executeRefund(paymentId);
    const set = (amount: number) =>
      api.db.query('UPDATE payment SET refund_amount = $2 WHERE order_id = $1', [id, amount]);
    await set(6_601);
    expect((await auditLedger(api.db, {})).difference).toMatchObject({ expected: -6_601, found: -6_600 });
    await set(6_600);
    await isWhole();
  });
});

describe('a refund is refused', () => {
  const refused = async (paymentId: number) => {
    const before = await accountOf(buyer);
    await expect(fixture.startRefund(paymentId)).rejects.toMatchObject({ code: 'REFUND_NOT_POSSIBLE' });
    expect(await accountOf(buyer)).toEqual(before);
    expect(await fixture.exceptions()).not.toContainEqual(expect.objectContaining({ paymentId }));
  };

  it('when everything was used', async () => {
    const { paymentId } = await fixture.buy(buyer);
    await setChars(api, buyer.session.userId, 0);
    await refused(paymentId);
  });

  it('when the rest is worth less than one fen', async () => {
    const { paymentId } = await fixture.buy(buyer);
    await setChars(api, buyer.session.userId, 227);
    await refused(paymentId);
  });

  it('when the purchased time is over', async () => {
    const { paymentId } = await fixture.buy(buyer);
    await setExpiry(Date.now() - 1_000);
    await refused(paymentId);
  });

  it('for a payment that does not exist', async () => {
    await expect(fixture.startRefund(999_999_999)).rejects.toMatchObject({ code: 'NOT_FOUND' });
    const { paymentId } = await fixture.buy(buyer);
    await expect(fixture.executeRefund(paymentId)).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });
});
