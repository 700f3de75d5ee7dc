import { EntityManager } from '@mikro-orm/postgresql';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { listAccountLogs } from '@yiqiao/contracts/account-log';
import { previewOrder } from '@yiqiao/contracts/orders';
import { distributeChars } from '@yiqiao/contracts/sub-accounts';
import { translateText } from '@yiqiao/contracts/translation';
import { getUser } from '@yiqiao/contracts/user';
import { Members, type Recharge } from '../src/members/members.js';
import { Plans } from '../src/plans/plans.js';
import { uuid7 } from '../src/platform/uuid7.js';
import { startApi, type TestApi } from './support/api.js';
import { adjust, makeMain, makeSub, setChars } from './support/family.js';
import { giveReason } from './support/operator.js';
import type { TestMember } from './support/test-members.js';

const [STANDARD, GPT, MONTHLY] = [2, 6, 7];
const [OFFLINE, CHATGPT] = [1, 7];
const DAY = 86_400_000;
const MINUTE = 60_000;

let api: TestApi;
let main: TestMember;
let sub: TestMember;

beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.stop());

const family = async (chars: number, subChars: number): Promise<void> => {
  main = await makeMain(api);
  await setChars(api, main.session.userId, chars + subChars);
  sub = await makeSub(api, main);
  await main.client.call(distributeChars, { childUserId: sub.session.userId, changeCharNum: subChars });
};

/** The effect of a paid order, as granted by an operator. */
const buy = async (groupId: number, extra: { quantity?: number; cmdId?: string; userId?: number } = {}) => {
  const em = api.app.get(EntityManager).fork();
  const { quantity = 1, cmdId = uuid7(), userId = main.session.userId } = extra;
  const sold = await api.app.get(Plans).current(em, groupId);
  const recharge: Recharge = {
    userId,
    cmdId,
    orderId: null,
    managerId: await giveReason(api.db, { cmdId, userId }),
    amount: 0,
    purchase: { ...sold, quantity },
  };
  return em.transactional((tx) => api.app.get(Members, { strict: false }).recharge(tx, recharge));
};

const accountOf = async (who: TestMember) => {
  const user = await who.client.call(getUser, {});
  const { expireDateTime, ...account } = user.memberAccount;
  const expires = Date.parse(`${expireDateTime}+08:00`);
  return { ...account, expires, mode: user.memberGroup.translationBillingMode, group: user.memberGroupId, user };
};
const logs = async (who: TestMember, logType?: 'SYS_MATRIX' | 'RECHARGE_ORDER_BY_MEMBER_GROUP') =>
  (await who.client.call(listAccountLogs, logType ? { logType } : {})).rows;

describe('a recharge', () => {
  it('per character adds to the balance: 30 days each, gifts and group', async () => {
    await family(1_000, 50);
    const before = await accountOf(main);
    await buy(STANDARD, { quantity: 3 });
    const after = await accountOf(main);
    expect(after).toMatchObject({
      usableCharNum: 6_001_000,
      usableVoiceNum: 200,
      usableImageNum: 200,
      rechargeAmountTotal: 0,
      group: STANDARD,
      mode: 'char',
      expires: before.expires + 90 * DAY,
    });
    expect(after.user.createChildUser).toBe(true);
    expect(await logs(main, 'RECHARGE_ORDER_BY_MEMBER_GROUP')).toMatchObject([
      {
        charChangeNum: 6_000_000,
        minChangeNum: 0,
        voiceChangeNum: 180,
        imageChangeNum: 180,
        amount: 0,
        rechargeMemberGroupName: '标准版',
        rechargeTranChannelId: OFFLINE,
        rechargeTranslationBillingMode: 'char',
      },
    ]);
    expect(await logs(main, 'SYS_MATRIX')).toEqual([]);
    expect((await accountOf(sub)).usableCharNum).toBe(50);
    expect((await accountOf(sub)).group).toBe(STANDARD);
  });

  it('converts to time and back at equal value, with the conversion entry first', async () => {
    await family(600_000, 50);
    await buy(MONTHLY);
    // ⌊600,000 · 40 / 2,962⌋ minutes for the characters, and a month.
    const minutes = Math.floor((600_000 * 40) / 2_962);
    const inTime = await accountOf(main);
    expect(inTime).toMatchObject({ usableCharNum: 0, mode: 'time', group: MONTHLY });
    expect(Math.abs(inTime.expires - Date.now() - (minutes + 43_200) * MINUTE)).toBeLessThan(20_000);
    const [recharge, matrix] = await logs(main);
    expect(recharge).toMatchObject({
      logType: 'RECHARGE_ORDER_BY_MEMBER_GROUP',
      minChangeNum: 43_200,
      charChangeNum: 0,
    });
    expect(matrix).toMatchObject({
      logType: 'SYS_MATRIX',
      charChangeNum: -600_000,
      minChangeNum: minutes,
      beforeTranslationBillingMode: 'char',
      lastTranslationBillingMode: 'time',
    });
    // Sub-accounts bill by character, so it is unchanged.
    expect(await logs(sub, 'SYS_MATRIX')).toEqual([]);
    expect(await accountOf(sub)).toMatchObject({ usableCharNum: 50, mode: 'char', expires: inTime.expires });

    await buy(STANDARD, { quantity: 2 });
    const [, back] = await logs(main);
    const left = -(back?.minChangeNum ?? 0);
    expect([minutes + 43_199, minutes + 43_200]).toContain(left);
    const chars = Math.floor((left * 2_962) / 40);
    const after = await accountOf(main);
    expect(after).toMatchObject({ usableCharNum: chars + 4_000_000, mode: 'char', group: STANDARD });
    expect(Math.abs(after.expires - Date.now() - 60 * DAY)).toBeLessThan(20_000);
    expect(chars).toBeLessThanOrEqual(600_000 + (43_200 * 2_962) / 40);
  });

  it('for another channel moves the whole family to it', async () => {
    await family(1_000, 600);
    await buy(GPT);
    expect(await accountOf(main)).toMatchObject({
      usableCharNum: 4_000_416,
      group: GPT,
      user: { tranChannelId: CHATGPT },
    });
    expect(await accountOf(sub)).toMatchObject({ usableCharNum: 250, user: { tranChannelId: CHATGPT } });
    const told = [{ beforeTranChannelId: OFFLINE, lastTranChannelId: CHATGPT }];
    for (const who of [main, sub]) expect(await logs(who, 'SYS_MATRIX')).toMatchObject(told);
    // A package without a channel keeps the member's own; its quota is worth 2,000,000 characters through Google.
    await buy(STANDARD);
    expect(await accountOf(main)).toMatchObject({
      usableCharNum: 4_000_416 + 833_333,
      user: { tranChannelId: CHATGPT },
    });
    expect(await logs(main, 'SYS_MATRIX')).toHaveLength(1);
  });

  it('reactivates an expired account', async () => {
    await family(1_000, 500);
    await adjust(api, main.session.userId, { expireAt: Date.now() - 40 * DAY });
    const text = { source: 'zh-Hans', target: 'zh-Hant', text: '头发' };
    for (const who of [main, sub])
      expect((await who.client.send(translateText, text)).body).toMatchObject({ code: 'PACKAGE_EXPIRED' });
    await buy(STANDARD);
    const after = await accountOf(main);
    expect(after.usableCharNum).toBe(2_001_000);
    expect(Math.abs(after.expires - Date.now() - 30 * DAY)).toBeLessThan(20_000);
    for (const who of [main, sub]) expect((await who.client.call(translateText, text)).charged).toBe(2);
  });

  it('is applied once per command, whatever happened in between', async () => {
    await family(1_000, 60);
    const cmdId = uuid7();
    const first = await buy(GPT, { cmdId });
    await buy(STANDARD);
    const before = await accountOf(main);
    expect(await buy(GPT, { cmdId })).toEqual(first);
    expect(await accountOf(main)).toEqual(before);
    await Promise.all([1, 2, 3].map(() => buy(MONTHLY, { cmdId: first.cmdId })));
    expect(await accountOf(main)).toEqual(before);
  });

  it('is for main accounts only', async () => {
    await family(1_000, 60);
    await expect(buy(STANDARD, { userId: sub.session.userId })).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await expect(buy(STANDARD, { userId: 999_999_999 })).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });
});

describe('the preview of an order', () => {
  const holdingsOf = async () => {
    const [{ user, mode, usableCharNum, usableVoiceNum, usableImageNum }, child] = [
      await accountOf(main),
      await accountOf(sub),
    ];
    const { expireDateTime } = user.memberAccount;
    return {
      translationBillingMode: mode,
      tranChannelId: user.tranChannelId,
      usableCharNum,
      usableVoiceNum,
      usableImageNum,
      expireDateTime,
      childCharNum: child.usableCharNum,
    };
  };
  const preview = (memberGroupId: number, salesNum: number) =>
    main.client.call(previewOrder, { memberGroupId: String(memberGroupId), salesNum: String(salesNum) });

  it('is what the purchase then makes of every balance, in either mode and on either channel', async () => {
    api.app.get(Plans).announce('chatgpt', () => Promise.resolve({ available: true, reason: null }));
    await family(600_000, 600);
    const purchases = [
      [STANDARD, 2],
      [MONTHLY, 1],
      [MONTHLY, 2],
      [GPT, 1],
      [MONTHLY, 1],
      [STANDARD, 1],
    ] as const;
    for (const [group, quantity] of purchases) {
      const { before, after } = await preview(group, quantity);
      expect(before).toEqual(await holdingsOf());
      await buy(group, { quantity });
      const { expireDateTime, ...bought } = await holdingsOf();
      expect(after).toMatchObject(bought);
      // A conversion counts its time from the moment of payment.
      expect(Math.abs(Date.parse(expireDateTime ?? '') - Date.parse(after.expireDateTime ?? ''))).toBeLessThan(20_000);
    }
  });

  it('changes nothing, and refuses what cannot be bought', async () => {
    await family(1_000, 50);
    const { after } = await preview(MONTHLY, 1);
    expect(after).toMatchObject({ usableCharNum: 0, translationBillingMode: 'time' });
    expect(await accountOf(main)).toMatchObject({ usableCharNum: 1_000, mode: 'char' });
    const send = (input: object, who = main) => who.client.send(previewOrder, input);
    expect(await send({ memberGroupId: 1, salesNum: 1 })).toMatchObject({ body: { code: 'PLAN_NOT_ON_SALE' } });
    expect(await send({ memberGroupId: 99, salesNum: 1 })).toMatchObject({ status: 404 });
    expect(await send({ memberGroupId: STANDARD, salesNum: 1000 })).toMatchObject({ status: 422 });
    expect(await send({ memberGroupId: STANDARD, salesNum: 1 }, sub)).toMatchObject({ status: 403 });
  });
});
