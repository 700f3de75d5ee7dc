import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { CommandBus } from '@nestjs/cqrs';
import { listAccountLogs } from '@yiqiao/contracts/account-log';
import { changeChannel, listMapping } from '@yiqiao/contracts/plans';
import { deleteChildUsers, distributeChars } from '@yiqiao/contracts/sub-accounts';
import { getUser } from '@yiqiao/contracts/user';
import { Ledger } from '../src/ledger/ledger.js';
import { ReleaseStaleHolds } from '../src/ledger/writer/release-stale-holds.js';
import { Plans } from '../src/plans/plans.js';
import { uuid7 } from '../src/platform/uuid7.js';
import { startApi, type TestApi } from './support/api.js';
import { buyPackage, makeMain, makeManySubs, makeSub, setChars, setPrices } from './support/family.js';
import type { TestMember } from './support/test-members.js';

const [OFFLINE, GOOGLE, TENCENT, DEEPL] = [1, 2, 4, 6];

let api: TestApi;
let plans: Plans;

beforeAll(async () => {
  api = await startApi();
  plans = api.app.get(Plans);
  await setPrices(api);
});
afterAll(() => api.stop());

const works = () => Promise.resolve({ available: true, reason: null });
const fails = () => Promise.resolve({ available: false, reason: { zh: '额度用完', en: 'Out of quota' } });

const family = async (chars: number, ...subs: number[]): Promise<{ main: TestMember; subs: TestMember[] }> => {
  const main = await makeMain(api);
  await setChars(api, main.session.userId, chars + subs.reduce((sum, n) => sum + n, 0));
  const made = [];
  for (const n of subs) made.push(await makeSub(api, main, n));
  return { main, subs: made };
};
const chars = async (who: TestMember) => (await who.client.call(getUser, {})).memberAccount.usableCharNum;
const change = (main: TestMember, targetChannelId: number) => main.client.call(changeChannel, { targetChannelId });

const buy = (main: TestMember, groupId: number, quantity = 1) => buyPackage(api, main, groupId, quantity);

describe('the channels to change to', () => {
  it('are the available channels except the current one, with the converted balances', async () => {
    const { main, subs } = await family(1_000, 7, 0);
    expect(await main.client.call(listMapping, {})).toEqual([]);
    plans.announce('google', works);
    plans.announce('deepl', works);
    plans.announce('youdao', fails);
    const { expireDateTime } = (await main.client.call(getUser, {})).memberAccount;
    const [a, b] = subs.map((sub) => sub.session.userId);
    expect(await main.client.call(listMapping, {})).toEqual([
      {
        id: GOOGLE,
        name: '谷歌翻译',
        enName: 'Google',
        price: 20,
        usableCharNum: 500,
        expireDateTime,
        children: [
          { userId: a, usableCharNum: 3 },
          { userId: b, usableCharNum: 0 },
        ],
      },
      expect.objectContaining({ id: DEEPL, price: 40, usableCharNum: 250 }),
    ]);
  });

  it('convert to exactly the previewed balances, with an entry per account', async () => {
    plans.announce('google', works);
    plans.announce('deepl', works);
    const { main, subs } = await family(99_999, 12_345, 1, 0);
    for (const target of [DEEPL, GOOGLE, OFFLINE, GOOGLE]) {
      const preview = (await main.client.call(listMapping, {})).find(({ id }) => id === target);
      const applied = await change(main, target);
      expect(applied).toEqual(preview);
      expect(await main.client.call(getUser, {})).toMatchObject({
        tranChannelId: target,
        memberAccount: { usableCharNum: applied.usableCharNum },
      });
      for (const [i, sub] of subs.entries()) {
        const user = await sub.client.call(getUser, {});
        expect(user).toMatchObject({ tranChannelId: target });
        expect(applied.children[i]).toEqual({
          userId: sub.session.userId,
          usableCharNum: user.memberAccount.usableCharNum,
        });
      }
    }
    for (const who of [main, ...subs]) {
      const { rows, total } = await who.client.call(listAccountLogs, { logType: 'MATRIX' });
      expect(total).toBe(4);
      expect(rows[0]).toMatchObject({ beforeTranChannelId: OFFLINE, lastTranChannelId: GOOGLE });
    }
    // 99,999 → 24,999 → 49,998 → 99,996: never more than before.
    expect(await chars(main)).toBe(49_998);
  });

  it('leave deleted sub-accounts out', async () => {
    plans.announce('google', works);
    const { main, subs } = await family(100, 100, 100);
    const [gone, here] = subs.map((sub) => sub.session.userId);
    await main.client.call(deleteChildUsers, { userId: gone });
    const applied = await change(main, GOOGLE);
    expect(applied).toMatchObject({ usableCharNum: 100, children: [{ userId: here, usableCharNum: 50 }] });
    const { rows } = await api.db.query('SELECT 1 FROM account_log WHERE user_id = $1 AND log_type = 6', [gone]);
    expect(rows).toEqual([]);
  });
});

describe('a channel change', () => {
  it('is refused for the current, an unknown or an unavailable channel, and for a sub-account', async () => {
    plans.announce('youdao', fails);
    const { main, subs } = await family(100, 10);
    const ask = (targetChannelId: unknown, who = main) =>
      who.client.with({ 'Accept-Language': 'en-US' }).send(changeChannel, { targetChannelId });
    expect(await ask(OFFLINE)).toMatchObject({ status: 422, body: { code: 'SAME_CHANNEL' } });
    expect(await ask(99)).toMatchObject({ status: 404, body: { code: 'NOT_FOUND' } });
    expect(await ask(5)).toMatchObject({
      status: 422,
      body: { code: 'CHANNEL_UNAVAILABLE', data: { channelId: 5, reason: 'Out of quota' } },
    });
    expect(await ask(TENCENT)).toMatchObject({ status: 422, body: { code: 'CHANNEL_UNAVAILABLE' } });
    expect(await ask('2')).toMatchObject({ status: 422, body: { errors: [{ path: 'targetChannelId' }] } });
    expect(await ask(GOOGLE, subs[0])).toMatchObject({ status: 403, body: { code: 'MAIN_ACCOUNT_ONLY' } });
    expect(await chars(main)).toBe(100);
  });

  it('happens once for two concurrent requests', async () => {
    plans.announce('google', works);
    plans.announce('deepl', works);
    const { main, subs } = await family(1_000, 100);
    const replies = await Promise.all(
      [GOOGLE, GOOGLE, GOOGLE].map((targetChannelId) => main.client.send(changeChannel, { targetChannelId })),
    );
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 422, 422]);
    expect(await chars(main)).toBe(500);
    const [to] = await Promise.all([change(main, DEEPL), subs[0] && distributeSome(main, subs[0])]);
    expect(to.id).toBe(DEEPL);
    const total = (await chars(main)) + (await chars(subs[0] as TestMember));
    // 550 in all, halved: rounding down loses at most one on each side.
    expect(total).toBeGreaterThanOrEqual(274);
    expect(total).toBeLessThanOrEqual(280);
  });

  const distributeSome = (main: TestMember, sub: TestMember) =>
    main.client.call(distributeChars, { childUserId: sub.session.userId, changeCharNum: 11 });

  it('converts reserved characters too, rounded up', async () => {
    plans.announce('google', works);
    const { main, subs } = await family(100, 51);
    const ledger = api.app.get(Ledger, { strict: false });
    const [child] = subs as [TestMember];
    const familyId = main.session.userId;
    const usage = { tranChannelId: OFFLINE, ip: '192.0.2.1', clientType: 'web', source: 'zh', target: 'en' } as const;
    const hold = { id: uuid7(), userId: child.session.userId, familyId };
    await ledger.hold({ ...hold, ask: { kind: 'text', codePoints: 7 } });
    const preview = (await main.client.call(listMapping, {})).find(({ id }) => id === GOOGLE);
    const applied = await change(main, GOOGLE);
    expect(applied).toEqual(preview);
    // 51 → 25, of which ⌈7/2⌉ = 4 are reserved.
    expect(applied.children).toEqual([{ userId: child.session.userId, usableCharNum: 21 }]);
    expect(await ledger.settle({ ...hold, usage })).toMatchObject({ charged: 4 });
    expect(await chars(child)).toBe(21);
  });

  it('converts characters released just before; a late result costs the same as before the change', async () => {
    plans.announce('google', works);
    const { main, subs } = await family(100, 51);
    const ledger = api.app.get(Ledger, { strict: false });
    const [child] = subs as [TestMember];
    const familyId = main.session.userId;
    const usage = { tranChannelId: OFFLINE, ip: '192.0.2.1', clientType: 'web', source: 'zh', target: 'en' } as const;
    const late = [main, child].map(({ session: { userId } }) => ({ id: uuid7(), userId, familyId }));
    for (const hold of late) await ledger.hold({ ...hold, ask: { kind: 'text', codePoints: 7 } });
    const ids = `{${late.map(({ id }) => id).join(',')}}`;
    await api.db.query(`UPDATE ledger_hold SET expires_at = now() - interval '1 second' WHERE id = ANY ($1)`, [ids]);
    expect(await api.app.get(CommandBus).execute(new ReleaseStaleHolds())).toBe(2);
    const preview = (await main.client.call(listMapping, {})).find(({ id }) => id === GOOGLE);
    expect(await change(main, GOOGLE)).toEqual(preview);
    expect([await chars(main), await chars(child)]).toEqual([50, 25]);
    for (const hold of late) expect(await ledger.settle({ ...hold, usage })).toMatchObject({ charged: 4 });
    expect([await chars(main), await chars(child)]).toEqual([46, 21]);
  });

  it('takes seconds with ten thousand sub-accounts', async () => {
    plans.announce('google', works);
    const { main } = await family(1_000);
    await makeManySubs(api, main, 10_000);
    const started = performance.now();
    const preview = (await main.client.call(listMapping, {})).find(({ id }) => id === GOOGLE);
    const previewed = performance.now();
    const applied = await change(main, GOOGLE);
    const [first, second] = [previewed - started, performance.now() - previewed].map((ms) => ms / 1000);
    expect(applied).toEqual(preview);
    expect(applied.children).toHaveLength(10_000);
    if (process.env['SHOW_TIMES'])
      process.stdout.write(`10,001 accounts: preview ${first?.toFixed(2)} s, change ${second?.toFixed(2)} s\n`);
    // Two seconds on a quiet machine.
    expect(second).toBeLessThan(60);
  }, 180_000);

  it('has a limit per hour', async () => {
    const slow = await startApi({ LIMIT_CHANNEL_CHANGES_PER_HOUR: '2' });
    try {
      slow.app.get(Plans).announce('google', works);
      const main = await makeMain(slow);
      const statuses = [];
      for (const targetChannelId of [GOOGLE, OFFLINE, GOOGLE])
        statuses.push((await main.client.send(changeChannel, { targetChannelId })).status);
      expect(statuses).toEqual([200, 200, 429]);
    } finally {
      await slow.stop();
    }
  });
});

describe('in time mode', () => {
  const MONTHLY = 7;
  const STANDARD = 2;
  const minutes = async (main: TestMember) => {
    const { rows } = await api.db.query<{ left: number }>(
      `SELECT floor(extract(epoch FROM expire_at - now()) / 60)::int AS left FROM member_account WHERE user_id = $1`,
      [main.session.userId],
    );
    return rows[0]?.left ?? 0;
  };

  it('converts the minutes and the remaining characters', async () => {
    plans.announce('deepl', works);
    const { main, subs } = await family(0, 1_000);
    await buy(main, MONTHLY);
    const [child] = subs as [TestMember];
    await main.client.call(distributeChars, { childUserId: child.session.userId, changeCharNum: -400 });
    // A month is one where a character costs twice as much: through Google.
    expect(await minutes(main)).toBe(2 * 43_200 - 1);
    const preview = (await main.client.call(listMapping, {})).find(({ id }) => id === DEEPL);
    const applied = await change(main, DEEPL);
    expect(applied).toEqual(preview);
    expect(applied).toMatchObject({ usableCharNum: 100, children: [{ usableCharNum: 150 }] });
    expect(Math.abs((await minutes(main)) - 21_599)).toBeLessThanOrEqual(1);
    expect((await main.client.call(getUser, {})).memberGroup.translationBillingMode).toBe('time');
    expect((await child.client.call(getUser, {})).memberGroup.translationBillingMode).toBe('char');
  });

  it('values minutes of several packages at their total price', async () => {
    await api.db.query('UPDATE member_group SET minute_price = 100 WHERE id = 7');
    await api.db.query('UPDATE member_group SET minute_price = 10000 WHERE id = 8');
    const { main } = await family(0);
    await buy(main, MONTHLY, 100);
    await buy(main, 8, 1);
    const left = await minutes(main);
    await buy(main, STANDARD);
    const got = (await chars(main)) - 4_000_000;
    // A hundred cheap months and a dear one: each minute has their average price.
    const cost = 100 * 43_200 * 100 + 43_200 * 10_000;
    expect(left).toBeGreaterThan(2 * 101 * 43_200 - 3);
    expect(got).toBeLessThanOrEqual(cost / 10);
    expect(got).toBeGreaterThan((cost / 10) * 0.999_999);
  });

  it('values minutes less if a cheaper channel made more of them', async () => {
    plans.announce('deepl', works);
    await api.db.query('UPDATE member_group SET minute_price = 4000 WHERE id = 7');
    const { main } = await family(0);
    await change(main, DEEPL);
    await buy(main, MONTHLY);
    const paid = 43_200 * 4_000;
    await change(main, OFFLINE);
    expect(Math.abs((await minutes(main)) - 2 * 43_200)).toBeLessThanOrEqual(4);
    await buy(main, STANDARD);
    const value = ((await chars(main)) - 4_000_000) * 10;
    expect(value).toBeLessThanOrEqual(paid);
    expect(value).toBeGreaterThan(paid * 0.999);
  });
});
