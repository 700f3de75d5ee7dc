/** Refunds (docs/decisions/0014): the quota goes before the money, and every real payment ends credited, on the list, or given back. */
import { EntityManager } from '@mikro-orm/postgresql';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { CommandBus } from '@nestjs/cqrs';
import { listAccountLogs } from '@yiqiao/contracts/account-log';
import { listOrders } from '@yiqiao/contracts/orders';
import { changeChannel } from '@yiqiao/contracts/plans';
import { distributeChars } from '@yiqiao/contracts/sub-accounts';
import { translateText } from '@yiqiao/contracts/translation';
import { auditLedger } from '../src/ledger/audit/audit.js';
import { Ledger } from '../src/ledger/ledger.js';
import { uuid7 } from '../src/platform/uuid7.js';
import { CarryOnRefunds } from '../src/orders/carry-on-refunds.js';
import type { TestApi } from './support/api.js';
import { makeMain, makeSub, setChars } from './support/family.js';
import type { Person } from './support/people.js';
import { accountOf, RefundDesk } from './support/refunds.js';
import type { ShopGateway } from './support/shop-gateway.js';
import { eventsOf, MONTHLY, orderOf, PROFESSIONAL, STANDARD } from './support/shop.js';

let desk: RefundDesk;
let gateway: ShopGateway;
let api: TestApi;
let buyer: Person;

beforeAll(async () => {
  desk = await RefundDesk.open();
  ({ gateway, api } = desk);
});
afterAll(() => desk.close());
beforeEach(async () => {
  gateway.mood = 'well';
  buyer = await makeMain(api);
});

const adjustments = async () => (await buyer.client.call(listAccountLogs, { logType: 'SYS_ADJUST' })).rows;
const isWhole = async () => expect((await auditLedger(api.db, {})).difference).toBeNull();

describe('a refund', () => {
  it.each([
    ['characters', STANDARD, 2],
    ['a month', MONTHLY, 1],
  ])('of %s takes everything back, then gives the money', async (_, group, salesNum) => {
    const before = await accountOf(buyer);
    const { id, no, paymentId } = await desk.buy(buyer, group, salesNum);
    const started = await desk.start(paymentId);
    expect(started).toMatchObject({ paymentId, orderNo: no, state: 'started' });
    expect(started.refundNo).toMatch(/^RF\d{22}$/);
    expect(gateway.refundsOf(no)).toBe(0);
    expect(await desk.carryOut(paymentId)).toBe('done');
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
    expect((await desk.exceptions()).filter(({ orderNo }) => orderNo === no)).toEqual([]);
    await isWhole();
  });

  it('happens once, however often it is started and carried out', async () => {
    const { no, paymentId } = await desk.buy(buyer);
    const started = await Promise.all([1, 2, 3].map(() => desk.start(paymentId)));
    expect(new Set(started.map(({ refundNo }) => refundNo)).size).toBe(1);
    await Promise.all([1, 2, 3].map(() => desk.carryOut(paymentId)));
    expect(gateway.refundsOf(no)).toBe(1);
    expect(await adjustments()).toHaveLength(1);
    expect((await desk.start(paymentId)).state).toBe('done');
    expect((await accountOf(buyer)).usableCharNum).toBe(5_000);
  });

  it('without an answer stays started and is asked for again', async () => {
    const { no, paymentId } = await desk.buy(buyer);
    await desk.start(paymentId);
    gateway.mood = 'away';
    expect(await desk.carryOut(paymentId)).toBe('started');
    expect(await desk.exceptions()).toContainEqual(expect.objectContaining({ what: 'refundStarted', orderNo: no }));
    expect((await accountOf(buyer)).usableCharNum).toBe(5_000);
    gateway.mood = 'well';
    await api.app.get(CommandBus).execute(new CarryOnRefunds());
    expect(await desk.carryOut(paymentId)).toBe('done');
    expect(gateway.refundsOf(no)).toBe(1);
  });

  it('that the gateway refuses gives the quota back, and may be tried again under the same number', async () => {
    const { id, no, paymentId } = await desk.buy(buyer);
    const bought = await accountOf(buyer);
    const { refundNo } = await desk.start(paymentId);
    gateway.mood = 'stingy';
    expect(await desk.carryOut(paymentId)).toBe('refused');
    expect(await accountOf(buyer)).toEqual(bought);
    expect((await adjustments()).map(({ charChangeNum }) => charChangeNum)).toEqual([2_000_000, -2_000_000]);
    expect((await adjustments())[0]?.explanation).toContain('未能退款');
    expect(await desk.exceptions()).toContainEqual(
      expect.objectContaining({
        ...{ what: 'refundRefused', orderNo: no, why: expect.stringContaining('ACQ.SELLER_BALANCE_NOT_ENOUGH') },
      }),
    );
    expect((await eventsOf(api, id)).slice(-2)).toEqual(['refundStarted', 'refundRefused']);
    gateway.mood = 'well';
    expect((await desk.start(paymentId)).refundNo).toBe(refundNo);
    expect(await desk.carryOut(paymentId)).toBe('done');
    expect((await accountOf(buyer)).usableCharNum).toBe(5_000);
    await isWhole();
  });

  it('of a package that ended time mode leaves what was converted, and the time to use it', async () => {
    await desk.buy(buyer, MONTHLY);
    const monthly = await accountOf(buyer);
    const { no, paymentId } = await desk.buy(buyer);
    const bought = await accountOf(buyer);
    await desk.start(paymentId);
    expect(await desk.carryOut(paymentId)).toBe('done');
    const after = await accountOf(buyer);
    expect(after.usableCharNum).toBe(bought.usableCharNum - 2_000_000);
    expect(after.usableCharNum).toBeGreaterThan(0);
    expect(after.expireDateTime).toBe(bought.expireDateTime);
    expect(after.memberGroupId).toBe(monthly.memberGroupId);
    expect(gateway.refundsOf(no)).toBe(1);
    await isWhole();
  });

  it('of one order after another is possible in any order', async () => {
    const before = await accountOf(buyer);
    const [first, second] = [await desk.buy(buyer, STANDARD), await desk.buy(buyer, PROFESSIONAL)];
    for (const { paymentId } of [first, second]) {
      await desk.start(paymentId);
      expect(await desk.carryOut(paymentId)).toBe('done');
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
    const { paymentId } = await desk.buy(buyer);
    await desk.buy(buyer);
    await desk.start(paymentId);
    expect((await accountOf(buyer)).memberGroupId).toBe(STANDARD);
  });
});

describe('is refused', () => {
  const refused = async (paymentId: number) => {
    const before = await accountOf(buyer);
    await expect(desk.start(paymentId)).rejects.toMatchObject({ code: 'REFUND_NOT_POSSIBLE' });
    expect(await accountOf(buyer)).toEqual(before);
    expect(await desk.exceptions()).not.toContainEqual(expect.objectContaining({ paymentId }));
  };

  it('after a single character was used', async () => {
    const { paymentId } = await desk.buy(buyer);
    await buyer.client.call(translateText, { source: 'zh-Hans', target: 'zh-Hant', text: '头' });
    await refused(paymentId);
  });

  it('after a part went to a sub-account, and possible when it came back', async () => {
    const { paymentId } = await desk.buy(buyer);
    const sub = await makeSub(api, buyer);
    const give = (changeCharNum: number) =>
      buyer.client.call(distributeChars, { childUserId: sub.session.userId, changeCharNum });
    await give(5_001);
    await refused(paymentId);
    await give(-1);
    expect((await desk.start(paymentId)).state).toBe('started');
  });

  it('after the channel was changed', async () => {
    const { paymentId } = await desk.buy(buyer);
    const other = await api.db.query<{ id: number }>(`SELECT id FROM tran_channel WHERE code <> 'offline' LIMIT 1`);
    const changed = await buyer.client.send(changeChannel, { targetChannelId: Number(other.rows[0]?.id) });
    // Without keys no other channel works: then a purchase converts the family.
    if (changed.status !== 200) await desk.buy(buyer, MONTHLY);
    await refused(paymentId);
  });

  it('once an operator took some of it', async () => {
    const { paymentId } = await desk.buy(buyer);
    await setChars(api, buyer.session.userId, 1_999_999);
    await refused(paymentId);
  });

  it('once the time that it bought is over', async () => {
    const { paymentId } = await desk.buy(buyer);
    const movement = { type: 'OTHER', expireAt: Date.now() - 1_000 } as const;
    await api.app
      .get(EntityManager)
      .fork()
      .transactional((em) =>
        api.app.get(Ledger, { strict: false }).post(em, buyer.session.userId, movement, { cmdId: uuid7() }),
      );
    await refused(paymentId);
  });

  it('of a payment that does not exist', async () => {
    await expect(desk.start(999_999_999)).rejects.toMatchObject({ code: 'NOT_FOUND' });
    const { paymentId } = await desk.buy(buyer);
    await expect(desk.carryOut(paymentId)).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });
});
