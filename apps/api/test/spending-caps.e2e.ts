import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { distributeToMany, getChildUser, saveChildUser } from '@yiqiao/contracts/sub-accounts';
import { translateText } from '@yiqiao/contracts/translation';
import { getUser } from '@yiqiao/contracts/user';
import type { Ask } from '@yiqiao/domain/ledger';
import { Ledger } from '../src/ledger/ledger.js';
import { uuid7 } from '../src/platform/uuid7.js';
import { startApi, type TestApi } from './support/api.js';
import { buyPackage, makeMainWith, makeSub, PROFESSIONAL } from './support/family.js';
import { brokenInvariants } from './support/ledger-invariants.js';
import { freshName, type TestMember } from './support/test-members.js';

let api: TestApi;
let main: TestMember;
let sub: TestMember;
let userId: number;
let ledger: Ledger;

beforeAll(async () => {
  api = await startApi();
  ledger = api.app.get(Ledger, { strict: false });
});
afterAll(() => api.stop());

const NONE = { charNum: 0, voiceNum: 0, imageNum: 0 };
type Limits = Partial<typeof NONE>;

const family = async (held: number): Promise<void> => {
  main = await makeMainWith(api, held + 100);
  sub = await makeSub(api, main, held);
  userId = sub.session.userId;
};
const setCaps = (day: Limits, month: Limits = {}) =>
  main.client.call(saveChildUser, { userId, caps: { day: { ...NONE, ...day }, month: { ...NONE, ...month } } });

const usage = { tranChannelId: 1, ip: '192.0.2.1', clientType: 'web', source: 'zh-Hans', target: 'zh-Hant' } as const;
const command = () => ({ id: uuid7(), userId, familyId: main.session.userId });
const text = (codePoints: number) => ({ kind: 'text', codePoints }) as const;
/** Holds and charges so many characters. */
const use = async (codePoints: number): Promise<void> => {
  const id = command();
  await ledger.hold({ ...id, ask: text(codePoints) });
  await ledger.settle({ ...id, usage });
};
const refusal = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => null,
    (error: unknown) => error,
  );
const used = async () => (await main.client.call(getChildUser, { userId: String(userId) })).caps;

describe('caps of a sub-account', () => {
  it('are exact: what is charged and what is held count, and a release gives back', async () => {
    await family(1_000);
    await setCaps({ charNum: 100 });
    await use(40);
    const open = command();
    await ledger.hold({ ...open, ask: text(50) });
    expect(await refusal(ledger.hold({ ...command(), ask: text(11) }))).toMatchObject({
      code: 'CAP_REACHED',
      details: { data: { period: 'day', quantity: 'charNum', cap: 100, left: 10 } },
    });
    await use(10);
    await ledger.release({ ...open, usage: null });
    await use(50);
    expect(await refusal(use(1))).toMatchObject({ code: 'CAP_REACHED', details: { data: { left: 0 } } });
    expect(await used()).toMatchObject({ usedToday: { charNum: 100 }, usedThisMonth: { charNum: 100 } });
    expect(await brokenInvariants(api.db, main.session.userId)).toEqual({});
  });

  it('are exact when many translate at once, on every connection', async () => {
    await family(10_000);
    await setCaps({ charNum: 500 }, { charNum: 700 });
    const attempts = await Promise.allSettled(
      Array.from({ length: 200 }, async (_, i) => {
        const id = command();
        await ledger.hold({ ...id, ask: text(1 + (i % 9)) });
        if (i % 3 === 0) await ledger.release({ ...id, usage: null });
        else await ledger.settle({ ...id, usage });
        return i % 3 === 0 ? 0 : 1 + (i % 9);
      }),
    );
    const charged = attempts.reduce((sum, a) => sum + (a.status === 'fulfilled' ? a.value : 0), 0);
    expect(charged).toBeLessThanOrEqual(500);
    for (const attempt of attempts)
      if (attempt.status === 'rejected') expect(attempt.reason).toMatchObject({ code: 'CAP_REACHED' });
    expect(await used()).toMatchObject({ usedToday: { charNum: charged }, usedThisMonth: { charNum: charged } });
    const { rows } = await api.db.query(
      'SELECT sum(charged)::int AS sum FROM translation_log WHERE user_id = $1 AND status = 1',
      [userId],
    );
    expect(rows).toEqual([{ sum: charged }]);
  });

  it('admit as many of a hundred holds at once as fit, and give back what is released', async () => {
    await family(10_000);
    await setCaps({ charNum: 500 }, { charNum: 900 });
    const holdAll = async () => {
      const ids = Array.from({ length: 100 }, command);
      const held = await Promise.allSettled(ids.map((id) => ledger.hold({ ...id, ask: text(7) })));
      for (const one of held)
        if (one.status === 'rejected')
          expect(one.reason).toMatchObject({ code: 'CAP_REACHED', details: { data: { left: 3 } } });
      return ids.filter((_, i) => held[i]?.status === 'fulfilled');
    };
    const first = await holdAll();
    expect(first).toHaveLength(71);
    const heldNum = async () => {
      const read = 'SELECT held_char_num::int AS n FROM member_account WHERE user_id = $1';
      return (await api.db.query<{ n: number }>(read, [userId])).rows;
    };
    expect(await heldNum()).toEqual([{ n: 497 }]);
    await Promise.all(first.map((id) => ledger.release({ ...id, usage: null })));
    const second = await holdAll();
    expect(second).toHaveLength(71);
    await Promise.all(second.map((id) => ledger.settle({ ...id, usage })));
    expect(await heldNum()).toEqual([{ n: 0 }]);
    expect(await used()).toMatchObject({ usedToday: { charNum: 497 }, usedThisMonth: { charNum: 497 } });
    await use(3);
    expect(await refusal(use(1))).toMatchObject({ details: { data: { period: 'day', left: 0 } } });
  });

  it('renew with the day and with the month', async () => {
    await family(1_000);
    await setCaps({ charNum: 50 }, { charNum: 80 });
    await use(50);
    expect(await refusal(use(1))).toMatchObject({ details: { data: { period: 'day', cap: 50 } } });
    // Yesterday, of the same month.
    await api.db.query('UPDATE spending_cap SET day = day - 1 WHERE user_id = $1', [userId]);
    await use(30);
    expect(await refusal(use(1))).toMatchObject({
      details: { data: { period: 'month', cap: 80, left: 0, renewsAt: expect.stringMatching(/-01 00:00:00$/) } },
    });
    await api.db.query(
      `UPDATE spending_cap SET day = day - 40, month = (month - interval '1 month')::date WHERE user_id = $1`,
      [userId],
    );
    await use(50);
    expect(await used()).toMatchObject({ usedToday: { charNum: 50 }, usedThisMonth: { charNum: 50 } });
    // Counts again what was moved above: the audit at the end of this suite compares it.
    await setCaps({ charNum: 50 }, { charNum: 80 });
  });

  it('count what was used before they were set, and can be changed and lifted', async () => {
    await family(1_000);
    await use(60);
    expect(await used()).toBeNull();
    await setCaps({ charNum: 70 });
    expect(await used()).toMatchObject({ day: { charNum: 70 }, usedToday: { charNum: 60 } });
    expect(await refusal(use(11))).toMatchObject({ code: 'CAP_REACHED', details: { data: { left: 10 } } });
    await setCaps({ charNum: 50 });
    expect(await refusal(use(1))).toMatchObject({ details: { data: { left: 0 } } });
    // Other fields of the form leave them alone.
    await main.client.call(saveChildUser, { userId, nickname: 'capped' });
    expect(await refusal(use(1))).toMatchObject({ code: 'CAP_REACHED' });
    await main.client.call(saveChildUser, {
      userId,
      caps: { day: { charNum: null }, month: {} },
    });
    await use(100);
    expect(await used()).toBeNull();
  });

  it('hold for voice and images, too, and for nobody else of the family', async () => {
    await family(1_000);
    await setCaps({ imageNum: 1 }, { voiceNum: 2 });
    const hold = (ask: Ask) => refusal(ledger.hold({ ...command(), ask }));
    // None were given: what is missing is named before the cap.
    expect(await hold({ kind: 'image' })).toMatchObject({ code: 'QUOTA_NOT_ENOUGH' });
    await main.client.call(distributeToMany, { childrenIds: [userId], mode: 'give', voiceNum: 5, imageNum: 5 });
    expect(await hold({ kind: 'image' })).toBeNull();
    expect(await hold({ kind: 'image' })).toMatchObject({
      code: 'CAP_REACHED',
      details: { data: { period: 'day', quantity: 'imageNum', left: 0 } },
    });
    expect(await hold({ kind: 'voice', minutes: 3 })).toMatchObject({
      details: { data: { period: 'month', quantity: 'voiceNum', cap: 2, left: 2 } },
    });
    expect(await hold({ kind: 'voice', minutes: 2 })).toBeNull();
    await use(500);
    const other = await makeSub(api, main, 50);
    const id = { id: uuid7(), userId: other.session.userId, familyId: main.session.userId };
    await ledger.hold({ ...id, ask: text(50) });
  });

  it('come before auto-distribution: a refused translation moves nothing', async () => {
    await family(0);
    await api.db.query('UPDATE member SET auto_distribution = true WHERE id = $1', [userId]);
    await setCaps({ charNum: 5 });
    expect(await refusal(use(6))).toMatchObject({ code: 'CAP_REACHED', details: { data: { left: 5 } } });
    expect((await main.client.call(getChildUser, { userId: String(userId) })).memberAccount.usableCharNum).toBe(0);
    await use(5);
    expect(await refusal(use(1))).toMatchObject({ code: 'CAP_REACHED' });
  });

  it('are told over HTTP, in both languages, and seen by the sub-account', async () => {
    await family(100);
    await setCaps({ charNum: 3 });
    const form = { source: 'zh-Hans', target: 'zh-Hant', text: '后台' };
    await sub.client.call(translateText, form);
    const zh = await sub.client.send(translateText, { ...form, text: '发展' });
    expect(zh).toMatchObject({ status: 422, body: { code: 'CAP_REACHED', data: { left: 1 } } });
    expect(zh.body).toMatchObject({
      msg: expect.stringMatching(/^超出主账号设定的每日字符上限 3：还可用 1，\d{4}-.* 00:00:00 恢复$/),
    });
    const en = await sub.client.with({ 'Accept-Language': 'en' }).send(translateText, { ...form, text: '发展' });
    expect(en.body).toMatchObject({
      msg: expect.stringMatching(/^This exceeds the daily cap of 3 characters .* 1 left/),
    });
    expect((await sub.client.call(getUser, {})).caps).toMatchObject({ day: { charNum: 3 }, usedToday: { charNum: 2 } });
    expect((await main.client.call(getUser, {})).caps).toBeNull();
  });

  it('can be given with the account, and refuse what is no amount', async () => {
    await family(0);
    await buyPackage(api, main, PROFESSIONAL);
    const caps = { day: { ...NONE, charNum: 9 }, month: NONE };
    const born = await main.client.call(saveChildUser, { account: freshName(), password: 'child-secret', caps });
    expect(born.caps).toMatchObject({ day: { charNum: 9 }, usedToday: NONE });
    for (const charNum of [-1, 1.5, '3', 1e13])
      expect(await main.client.send(saveChildUser, { userId, caps: { ...caps, day: { charNum } } })).toMatchObject({
        status: 422,
        body: { errors: [{ path: 'caps.day.charNum' }] },
      });
  });
});
