/** How remembered translations are charged, counted and deleted (docs/decisions/0020). */
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { CommandBus } from '@nestjs/cqrs';
import { forgetTranslations, getSavings } from '@yiqiao/contracts/savings';
import { deleteChildUsers } from '@yiqiao/contracts/sub-accounts';
import { translateText } from '@yiqiao/contracts/translation';
import { changeTranslationCache, deleteUser } from '@yiqiao/contracts/user';
import { CACHE_ENTRIES_MAX } from '@yiqiao/domain/limits';
import type { VendorCode } from '../src/translation/channels/vendor-settings.js';
import { PruneTranslations } from '../src/translation/memory/translation-cache.js';
import { startApi, type TestApi } from './support/api.js';
import { buyPackage } from './support/family.js';
import type { TestMember } from './support/test-members.js';
import { translateMany, translateOne } from './support/translate.js';
import { entriesOf, linesOf, memoryMembers, usable } from './support/memory-members.js';
import { waitUntil } from './support/wait-until.js';
import { vendorEnvironment, type VendorEnvironment } from './support/vendor-environment.js';

const [OFFLINE, GOOGLE, DEEPL] = [1, 2, 6] as const;
const CODES: VendorCode[] = ['google', 'deepl'];

let vendors: VendorEnvironment;
let api: TestApi;

beforeAll(async () => {
  vendors = await vendorEnvironment(CODES, 'cache-ends');
  api = await startApi(vendors.env);
});
afterEach(() => Promise.all(CODES.map((code) => vendors.mend(code))));
afterAll(async () => {
  await api.stop();
  await vendors.close();
});

const { memberOn, subOf, keptOf } = memoryMembers(() => api);
const asked = async (code: VendorCode) => (await vendors.calls(code)).length;

const french = { source: 'en', target: 'fr' };
const hello = { ...french, text: 'Hello' };
const hair = { source: 'zh-Hans', target: 'zh-Hant', text: '头发很长' };

describe('a request with a key', () => {
  const keyed = ({ client }: TestMember, key: string) => client.with({ 'Idempotency-Key': key });
  /** The server lost the response, as when it dies before storing it, and lets the next attempt work. */
  const loseAnswer = (main: TestMember) =>
    api.db.query(
      `UPDATE idempotency_key SET answered_at = NULL, sealed_answer = NULL, locked_until = now() - interval '1 second'
       WHERE user_id = $1`,
      [main.session.userId],
    );

  it('returns the first response again, with or without the memory', async () => {
    const main = await memberOn(GOOGLE);
    const paid = await translateOne(keyed(main, 'one'), hello);
    const free = await translateOne(keyed(main, 'two'), hello);
    expect([paid.charged, free.charged]).toEqual([5, 0]);
    expect(await translateOne(keyed(main, 'one'), hello)).toEqual(paid);
    expect(await translateOne(keyed(main, 'two'), hello)).toEqual(free);
    expect(await linesOf(main)).toHaveLength(2);
    expect(
      await main.client.with({ 'Idempotency-Key': 'one' }).send(translateText, { ...hello, fresh: true }),
    ).toMatchObject({ status: 409, body: { code: 'IDEMPOTENCY_KEY_REUSED' } });
  });

  it('whose response was lost reports what was charged, once', async () => {
    const main = await memberOn(GOOGLE);
    const paid = await translateOne(keyed(main, 'one'), hello);
    await loseAnswer(main);
    expect(await translateOne(keyed(main, 'one'), hello)).toEqual(paid);
    expect(await usable(main)).toBe(995);
    expect(await linesOf(main)).toHaveLength(1);
  });

  it('that was free stays free', async () => {
    const main = await memberOn(GOOGLE);
    await translateOne(main.client, hello);
    const free = await translateOne(keyed(main, 'one'), hello);
    await loseAnswer(main);
    expect(await translateOne(keyed(main, 'one'), hello)).toEqual(free);
    expect(await usable(main)).toBe(995);
    expect(await linesOf(main)).toHaveLength(2);
  });

  it('is charged once if some texts were remembered and its response was lost', async () => {
    const main = await memberOn(GOOGLE);
    await translateOne(main.client, hello);
    const ask = { ...french, text: ['Hello', 'Goodbye', 'Thank you'] };
    expect(await translateMany(keyed(main, 'one'), ask)).toMatchObject({ charged: 16 });
    await loseAnswer(main);
    // All of it is remembered by now.
    const again = await translateMany(keyed(main, 'one'), ask);
    expect(again.items.map(({ success }) => success)).toEqual([true, true, true]);
    expect(again.charged).toBe(16);
    expect(await usable(main)).toBe(1_000 - 5 - 16);
    expect((await entriesOf(main)).map(({ charChangeNum }) => charChangeNum)).toEqual([-16, -5]);
  });
});

describe('simultaneous requests', () => {
  it('of the same text are each answered, charged or free, and stored once', async () => {
    const main = await memberOn(GOOGLE);
    const subs = [await subOf(main), await subOf(main)];
    const answers = await Promise.all(
      [main, main, main, ...subs, ...subs].map(({ client }) =>
        translateMany(client, { ...french, text: ['Hello', 'Bye', 'Hello'] }),
      ),
    );
    for (const { items } of answers) expect(items.map(({ success }) => success)).toEqual([true, true, true]);
    expect(await keptOf(main)).toHaveLength(2);
    const paid = answers.reduce((sum, { charged }) => sum + charged, 0);
    const left = await Promise.all([main, ...subs].map(usable));
    expect(left.reduce((sum, chars) => sum + chars, 0)).toBe(1_000 - paid);
  });
});

describe('a remembered text', () => {
  it('expires after 30 days, and is then deleted', async () => {
    const main = await memberOn(OFFLINE);
    await translateOne(main.client, hair);
    await translateOne(main.client, { ...hair, text: '皇后' });
    const age = 'UPDATE cached_translation SET created_at = now() - $2::interval WHERE family_id = $1';
    await api.db.query(age, [main.session.userId, '29 days 23 hours']);
    expect(await translateOne(main.client, hair)).toMatchObject({ cached: true });
    await api.db.query(age, [main.session.userId, '30 days 1 second']);
    expect(await main.client.call(getSavings, {})).toMatchObject({ kept: 0 });
    expect(await translateOne(main.client, hair)).toMatchObject({ charged: 4 });
    expect(await keptOf(main)).toHaveLength(2);
    await api.app.get(CommandBus).execute(new PruneTranslations());
    expect(await keptOf(main)).toHaveLength(1);
    expect(await translateOne(main.client, hair)).toMatchObject({ cached: true });
  });

  it('is deleted when a family has too many, the oldest first', async () => {
    const main = await memberOn(OFFLINE);
    await api.db.query(
      `INSERT INTO cached_translation (family_id, key, user_id, sealed, created_at)
       SELECT $1, sha256(n::text::bytea), $1, '-', now() - interval '1 day' * (1 + n / 10000.0) FROM generate_series(1, $2::int) n`,
      [main.session.userId, CACHE_ENTRIES_MAX + 50],
    );
    await translateOne(main.client, hair);
    expect(await keptOf(main)).toHaveLength(CACHE_ENTRIES_MAX);
    expect(await translateOne(main.client, hair)).toMatchObject({ cached: true });
  });

  it('is deleted on request: the whole family’s by its main account, its own by a sub-account', async () => {
    const main = await memberOn(OFFLINE);
    const sub = await subOf(main);
    const other = await memberOn(OFFLINE);
    await translateOne(other.client, hair);
    await translateMany(main.client, { ...hair, text: ['头发', '皇后'] });
    await translateMany(sub.client, { ...hair, text: ['后面'] });
    expect(await sub.client.call(forgetTranslations, {})).toEqual({ count: 1 });
    expect(await keptOf(main)).toHaveLength(2);
    await translateMany(sub.client, { ...hair, text: ['后面'] });
    expect(await main.client.call(forgetTranslations, {})).toEqual({ count: 3 });
    expect(await main.client.call(forgetTranslations, {})).toEqual({ count: 0 });
    expect(await keptOf(main)).toEqual([]);
    expect(await keptOf(other)).toHaveLength(1);
    expect(await translateOne(main.client, { ...hair, text: '头发' })).toMatchObject({ charged: 2 });
  });

  it('is deleted with the sub-account that had it translated, and with the family', async () => {
    const main = await memberOn(OFFLINE);
    const sub = await subOf(main);
    const stays = await memberOn(OFFLINE);
    for (const [who, text] of [
      [main, '头发'],
      [sub, '皇后'],
      [stays, '头发'],
    ] as const)
      await translateOne(who.client, { ...hair, text });
    await main.client.call(deleteChildUsers, { userId: sub.session.userId });
    expect(await keptOf(main)).toMatchObject([{ user_id: main.session.userId }]);
    await main.client.call(deleteUser, { userPassword: main.password });
    expect(await keptOf(main)).toEqual([]);
    expect(await keptOf(stays)).toHaveLength(1);
  });

  it('is not stored by requests in flight when the family ended or turned the memory off', async () => {
    const [ends, off] = [await memberOn(GOOGLE), await memberOn(GOOGLE)];
    await vendors.fail('google', { kind: 'delay', ms: 1_500 });
    const before = await asked('google');
    const underWay = [ends, off].map(({ client }) => client.send(translateText, { ...french, text: 'On my way' }));
    await waitUntil(
      () => asked('google'),
      (count) => count === before + 2,
    );
    // Before the other, whose password takes a while to check: what is stored by then stays.
    await off.client.call(changeTranslationCache, { translationCache: 0 });
    await ends.client.call(deleteUser, { userPassword: ends.password });
    await Promise.all(underWay);
    expect(await keptOf(ends)).toEqual([]);
    expect(await keptOf(off)).toEqual([]);
  });
});

describe('the savings', () => {
  it('are counted by day and member, as what the texts would have cost', async () => {
    const main = await memberOn(GOOGLE);
    const sub = await subOf(main);
    const nothing = await main.client.call(getSavings, {});
    expect(nothing).toMatchObject({ texts: 0, charNum: 0, kept: 0 });
    expect(nothing.days).toHaveLength(30);
    await translateOne(main.client, { ...hello, channelId: DEEPL });
    await translateOne(main.client, { ...hello, channelId: DEEPL });
    await translateMany(main.client, { ...french, text: ['Hello', 'Goodbye'] });
    await translateMany(sub.client, { ...french, text: ['Hello', 'Goodbye', 'Thank you'] });
    const saved = await main.client.call(getSavings, { days: '2' });
    // Twice the price of the first one's own channel.
    expect(saved).toMatchObject({ texts: 3, charNum: 10 + 12, kept: 4 });
    expect(saved.days).toEqual([
      { date: expect.any(String), texts: 0, charNum: 0 },
      { date: expect.any(String), texts: 3, charNum: 22 },
    ]);
    expect(await sub.client.call(getSavings, { days: '1' })).toMatchObject({ texts: 2, charNum: 12, kept: 4 });
    expect(await (await memberOn(OFFLINE)).client.call(getSavings, {})).toMatchObject({ texts: 0, kept: 0 });
    await main.client.call(forgetTranslations, {});
    expect(await main.client.call(getSavings, {})).toMatchObject({ texts: 3, charNum: 22, kept: 0 });
    for (const days of [0, 91]) expect(await main.client.send(getSavings, { days })).toMatchObject({ status: 422 });
  });

  it('are zero in time mode, where texts are free', async () => {
    const main = await memberOn(GOOGLE);
    await buyPackage(api, main, 7);
    expect(await translateOne(main.client, hello)).toMatchObject({ charged: 0 });
    expect(await translateOne(main.client, hello)).toMatchObject({ charged: 0, cached: true });
    expect(await main.client.call(getSavings, {})).toMatchObject({ texts: 1, charNum: 0 });
  });
});
