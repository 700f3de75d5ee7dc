/** Refunds (docs/decisions/0014): the quota goes before the money, and every real payment ends credited, on the list, or given back. */
import { EntityManager } from '@mikro-orm/postgresql';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { listAccountLogs } from '@yiqiao/contracts/account-log';
import { cancelOrder, flushOrder, listOrders } from '@yiqiao/contracts/orders';
import { changeChannel } from '@yiqiao/contracts/plans';
import { distributeChars } from '@yiqiao/contracts/sub-accounts';
import { translateText } from '@yiqiao/contracts/translation';
import { deleteUser, getUser } from '@yiqiao/contracts/user';
import { auditLedger } from '../src/ledger/audit/audit.js';
import { Ledger } from '../src/ledger/ledger.js';
import { uuid7 } from '../src/platform/uuid7.js';
import { CarryOnRefunds } from '../src/orders/carry-on-refunds.js';
import { CarryOutRefund, ListExceptions, ReconcileOrder, StartRefund } from '../src/orders/orders.js';
import { startApi, type TestApi } from './support/api.js';
import { makeMain, makeSub, setChars } from './support/family.js';
import type { Person } from './support/people.js';
import { ShopGateway } from './support/shop-gateway.js';
import {
  eventsOf,
  MONTHLY,
  onlyGateway,
  openOrder,
  orderOf,
  paymentFor,
  PROFESSIONAL,
  settle,
  STANDARD,
} from './support/shop.js';

const AMOUNT = 8_800;

let gateway: ShopGateway;
let api: TestApi;
let managerId: number;
let buyer: Person;

beforeAll(async () => {
  gateway = await ShopGateway.open();
  api = await startApi(onlyGateway(gateway.env));
  const { rows } = await api.db.query<{ id: number }>("INSERT INTO manager (name) VALUES ('周敏') RETURNING id");
  managerId = Number(rows[0]?.id);
});
afterAll(async () => {
  await api.stop();
  gateway.close();
});
beforeEach(async () => {
  gateway.mood = 'well';
  buyer = await makeMain(api);
});

type Bought = { id: number; no: string; paymentId: number };

/** An order that is paid and credited; answers its payment too. */
const buy = async (memberGroupId = STANDARD, salesNum = 1): Promise<Bought> => {
  const id = await openOrder(api, buyer, { memberGroupId, salesNum, payChannel: 'ALI_NATIVE' });
  const { no, amount } = await orderOf(api, id);
  gateway.pay(no, amount);
  await buyer.client.call(flushOrder, { id: String(id) });
  return { id, no, paymentId: await lastPaymentOf(id) };
};
const lastPaymentOf = async (orderId: number): Promise<number> => {
  const { rows } = await api.db.query<{ id: number }>(
    'SELECT id FROM payment WHERE order_id = $1 ORDER BY id DESC LIMIT 1',
    [orderId],
  );
  return Number(rows[0]?.id);
};
const start = (paymentId: number) =>
  api.app.get(CommandBus).execute(new StartRefund(paymentId, { managerId, reason: '客户申请' }));
const carryOut = (paymentId: number) => api.app.get(CommandBus).execute(new CarryOutRefund(paymentId));
const account = async () => {
  const { memberAccount, memberGroupId } = await buyer.client.call(getUser, {});
  return { ...memberAccount, memberGroupId };
};
const adjustments = async () => (await buyer.client.call(listAccountLogs, { logType: 'SYS_ADJUST' })).rows;
const exceptions = () => api.app.get(QueryBus).execute(new ListExceptions());
const isWhole = async () => expect((await auditLedger(api.db, {})).difference).toBeNull();

describe('a refund', () => {
  it.each([
    ['characters', STANDARD, 2],
    ['a month', MONTHLY, 1],
  ])('of %s takes everything back, then gives the money', async (_, group, salesNum) => {
    const before = await account();
    const { id, no, paymentId } = await buy(group, salesNum);
    const started = await start(paymentId);
    expect(started).toMatchObject({ paymentId, orderNo: no, state: 'started' });
    expect(started.refundNo).toMatch(/^RF\d{22}$/);
    expect(gateway.refundsOf(no)).toBe(0);
    expect(await carryOut(paymentId)).toBe('done');
    expect(gateway.refundsOf(no)).toBe(1);
    const after = await account();
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
    expect((await exceptions()).filter(({ orderNo }) => orderNo === no)).toEqual([]);
    await isWhole();
  });

  it('happens once, however often it is started and carried out', async () => {
    const { no, paymentId } = await buy();
    const started = await Promise.all([1, 2, 3].map(() => start(paymentId)));
    expect(new Set(started.map(({ refundNo }) => refundNo)).size).toBe(1);
    await Promise.all([1, 2, 3].map(() => carryOut(paymentId)));
    expect(gateway.refundsOf(no)).toBe(1);
    expect(await adjustments()).toHaveLength(1);
    expect((await start(paymentId)).state).toBe('done');
    expect((await account()).usableCharNum).toBe(5_000);
  });

  it('without an answer stays started and is asked for again', async () => {
    const { no, paymentId } = await buy();
    await start(paymentId);
    gateway.mood = 'away';
    expect(await carryOut(paymentId)).toBe('started');
    expect(await exceptions()).toContainEqual(expect.objectContaining({ what: 'refundStarted', orderNo: no }));
    expect((await account()).usableCharNum).toBe(5_000);
    gateway.mood = 'well';
    await api.app.get(CommandBus).execute(new CarryOnRefunds());
    expect(await carryOut(paymentId)).toBe('done');
    expect(gateway.refundsOf(no)).toBe(1);
  });

  it('that the gateway refuses gives the quota back, and may be tried again under the same number', async () => {
    const { id, no, paymentId } = await buy();
    const bought = await account();
    const { refundNo } = await start(paymentId);
    gateway.mood = 'stingy';
    expect(await carryOut(paymentId)).toBe('refused');
    expect(await account()).toEqual(bought);
    expect((await adjustments()).map(({ charChangeNum }) => charChangeNum)).toEqual([2_000_000, -2_000_000]);
    expect((await adjustments())[0]?.explanation).toContain('未能退款');
    expect(await exceptions()).toContainEqual(
      expect.objectContaining({
        ...{ what: 'refundRefused', orderNo: no, why: expect.stringContaining('ACQ.SELLER_BALANCE_NOT_ENOUGH') },
      }),
    );
    expect((await eventsOf(api, id)).slice(-2)).toEqual(['refundStarted', 'refundRefused']);
    gateway.mood = 'well';
    expect((await start(paymentId)).refundNo).toBe(refundNo);
    expect(await carryOut(paymentId)).toBe('done');
    expect((await account()).usableCharNum).toBe(5_000);
    await isWhole();
  });

  it('of a package that ended time mode leaves what was converted, and the time to use it', async () => {
    await buy(MONTHLY);
    const monthly = await account();
    const { no, paymentId } = await buy();
    const bought = await account();
    await start(paymentId);
    expect(await carryOut(paymentId)).toBe('done');
    const after = await account();
    expect(after.usableCharNum).toBe(bought.usableCharNum - 2_000_000);
    expect(after.usableCharNum).toBeGreaterThan(0);
    expect(after.expireDateTime).toBe(bought.expireDateTime);
    expect(after.memberGroupId).toBe(monthly.memberGroupId);
    expect(gateway.refundsOf(no)).toBe(1);
    await isWhole();
  });

  it('of one order after another is possible in any order', async () => {
    const before = await account();
    const [first, second] = [await buy(STANDARD), await buy(PROFESSIONAL)];
    for (const { paymentId } of [first, second]) {
      await start(paymentId);
      expect(await carryOut(paymentId)).toBe('done');
    }
    const { usableCharNum, expireDateTime, memberGroupId } = await account();
    expect({ usableCharNum, expireDateTime, memberGroupId }).toEqual({
      usableCharNum: before.usableCharNum,
      expireDateTime: before.expireDateTime,
      memberGroupId: before.memberGroupId,
    });
    await isWhole();
  });

  it('keeps a plan that was bought again since', async () => {
    const { paymentId } = await buy();
    await buy();
    await start(paymentId);
    expect((await account()).memberGroupId).toBe(STANDARD);
  });
});

describe('is refused', () => {
  const refused = async (paymentId: number) => {
    const before = await account();
    await expect(start(paymentId)).rejects.toMatchObject({ code: 'REFUND_NOT_POSSIBLE' });
    expect(await account()).toEqual(before);
    expect(await exceptions()).not.toContainEqual(expect.objectContaining({ paymentId }));
  };

  it('after a single character was used', async () => {
    const { paymentId } = await buy();
    await buyer.client.call(translateText, { source: 'zh-Hans', target: 'zh-Hant', text: '头' });
    await refused(paymentId);
  });

  it('after a part went to a sub-account, and possible when it came back', async () => {
    const { paymentId } = await buy();
    const sub = await makeSub(api, buyer);
    const give = (changeCharNum: number) =>
      buyer.client.call(distributeChars, { childUserId: sub.session.userId, changeCharNum });
    await give(5_001);
    await refused(paymentId);
    await give(-1);
    expect((await start(paymentId)).state).toBe('started');
  });

  it('after the channel was changed', async () => {
    const { paymentId } = await buy();
    const other = await api.db.query<{ id: number }>(`SELECT id FROM tran_channel WHERE code <> 'offline' LIMIT 1`);
    const changed = await buyer.client.send(changeChannel, { targetChannelId: Number(other.rows[0]?.id) });
    // Without keys no other channel works: then a purchase converts the family.
    if (changed.status !== 200) await buy(MONTHLY);
    await refused(paymentId);
  });

  it('once an operator took some of it', async () => {
    const { paymentId } = await buy();
    await setChars(api, buyer.session.userId, 1_999_999);
    await refused(paymentId);
  });

  it('once the time that it bought is over', async () => {
    const { paymentId } = await buy();
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
    await expect(start(999_999_999)).rejects.toMatchObject({ code: 'NOT_FOUND' });
    const { paymentId } = await buy();
    await expect(carryOut(paymentId)).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });
});

describe('money that was never credited', () => {
  it('of a second payment goes back without touching quota', async () => {
    const { id, no } = await buy();
    expect(await settle(api, await paymentFor(api, id))).toBe('double');
    const paymentId = await lastPaymentOf(id);
    expect(await exceptions()).toContainEqual(expect.objectContaining({ what: 'double', paymentId, amount: AMOUNT }));
    const before = await account();
    await start(paymentId);
    expect(await carryOut(paymentId)).toBe('done');
    expect(await account()).toEqual(before);
    expect(gateway.refundsOf(no)).toBe(1);
    expect((await exceptions()).filter(({ orderNo }) => orderNo === no)).toEqual([]);
    expect((await buyer.client.call(listOrders, {})).rows).toMatchObject([{ payStatus: 'P', refunded: false }]);
  });

  it('after log-off goes back', async () => {
    const id = await openOrder(api, buyer, { payChannel: 'ALI_NATIVE' });
    const { no } = await orderOf(api, id);
    gateway.pay(no, AMOUNT);
    await buyer.client.call(deleteUser, { userPassword: buyer.password });
    expect(await settle(api, await paymentFor(api, id, { tradeNo: gateway.tradeNoOf(no) }))).toBe('afterLogOff');
    const paymentId = await lastPaymentOf(id);
    await start(paymentId);
    expect(await carryOut(paymentId)).toBe('done');
  });

  it('of a wrong amount goes back, and the order can still be cancelled', async () => {
    const id = await openOrder(api, buyer, { payChannel: 'ALI_NATIVE' });
    const { no } = await orderOf(api, id);
    gateway.pay(no, 1);
    await buyer.client.call(flushOrder, { id: String(id) });
    const paymentId = await lastPaymentOf(id);
    gateway.mood = 'away';
    await expect(start(paymentId)).rejects.toMatchObject({ code: 'GATEWAY_UNKNOWN' });
    gateway.mood = 'well';
    expect((await start(paymentId)).amount).toBe(1);
    expect(await carryOut(paymentId)).toBe('done');
    expect(await buyer.client.call(cancelOrder, { id })).toMatchObject({ payStatus: 'C' });
  });
});

it('what came in as a wrong amount by mistake goes back as what it was', async () => {
  const id = await openOrder(api, buyer, { payChannel: 'ALI_NATIVE' });
  const { no } = await orderOf(api, id);
  gateway.pay(no, AMOUNT);
  await settle(api, await paymentFor(api, id, { tradeNo: gateway.tradeNoOf(no), amount: 1 }));
  const paymentId = await lastPaymentOf(id);
  // Asked, the gateway says what it was; crediting it and taking it back at once is what a refund of it is.
  expect((await start(paymentId)).amount).toBe(AMOUNT);
  expect((await eventsOf(api, id)).slice(-4)).toEqual(['wrongAmount', 'queried', 'credited', 'refundStarted']);
  expect(await carryOut(paymentId)).toBe('done');
});

describe('reconciling', () => {
  const reconcile = (id: number, mode: 'look' | 'settle') =>
    api.app.get(CommandBus).execute(new ReconcileOrder(id, mode));

  it('looks without changing, and settles when it is told to', async () => {
    const id = await openOrder(api, buyer, { payChannel: 'ALI_NATIVE' });
    const { no } = await orderOf(api, id);
    expect(await reconcile(id, 'look')).toMatchObject({ gatewayState: 'absent', ledgerAmount: null, mended: false });
    gateway.pay(no, AMOUNT);
    const seen = { orderId: id, no, amount: AMOUNT, gatewayState: 'paid', gatewayAmount: AMOUNT };
    expect(await reconcile(id, 'look')).toEqual({ ...seen, payStatus: 'W', ledgerAmount: null, mended: false });
    expect(await reconcile(id, 'settle')).toEqual({ ...seen, payStatus: 'P', ledgerAmount: AMOUNT, mended: true });
    expect(await reconcile(id, 'settle')).toEqual({ ...seen, payStatus: 'P', ledgerAmount: AMOUNT, mended: false });
    gateway.mood = 'away';
    expect(await reconcile(id, 'look')).toMatchObject({ gatewayState: 'unknown', gatewayAmount: null });
    await expect(reconcile(999_999_999, 'look')).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });
});
