/** A batch that fails in part: what was delivered is charged, the rest is released, and the ledger agrees (decisions §4). */
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { CommandBus } from '@nestjs/cqrs';
import { listAccountLogs } from '@yiqiao/contracts/account-log';
import { changeChannel } from '@yiqiao/contracts/plans';
import { listTranslationLogs, translateText } from '@yiqiao/contracts/translation';
import { getUser } from '@yiqiao/contracts/user';
import fc from 'fast-check';
import { ReleaseStaleHolds } from '../src/ledger/writer/release-stale-holds.js';
import { ChannelFailure, type TextChannel, type TextOutcome } from '../src/translation/channels/channel.js';
import { TextChannels } from '../src/translation/text-channels.js';
import { startApi, type TestApi } from './support/api.js';
import { makeMainWith, setPrices } from './support/family.js';
import type { TestMember } from './support/test-members.js';
import { translateMany, translateOne } from './support/translate.js';

const [OFFLINE, GOOGLE, CHATGPT] = [1, 2, 7] as const;
const languages = new Set(['zh-Hans', 'zh-Hant', 'ja']);

/** The text contains the vendor's reaction to it. */
const outcomeFor = (text: string): TextOutcome => {
  if (text.includes('失')) return new ChannelFailure('bad-answer', 'blank');
  if (text.includes('慢')) return new ChannelFailure('timeout', 'too slow');
  if (text.includes('无')) return new ChannelFailure('unsupported', 'not this pair');
  return { translated: `译${text}`, quality: 'translation', warning: null, detected: null };
};
/** Without faults it delivers everything. */
let mended = false;
let meanwhile: (() => Promise<unknown>) | null = null;
const vendor: TextChannel = {
  availability: () => Promise.resolve({ available: true, reason: null }),
  supports: () => Promise.resolve('translation'),
  languages: () => Promise.resolve({ sources: languages, targets: languages, auto: false }),
  translate: async ({ texts }) => {
    await meanwhile?.();
    return texts.map((text) => outcomeFor(mended ? text.replaceAll(/[失慢无]/g, '好') : text));
  },
  close: () => Promise.resolve(),
};

let api: TestApi;
beforeAll(async () => {
  api = await startApi({ LIMIT_TRANSLATION_PER_SECOND: '10000', LIMIT_CHANNEL_CHANGES_PER_HOUR: '10000' });
  await setPrices(api);
  const channels = api.app.get(TextChannels, { strict: false });
  for (const code of ['offline', 'google', 'chatgpt'] as const) await channels.open(code, vendor);
});
afterAll(() => api.stop());

const memberWith = (chars: number) => makeMainWith(api, chars);
const accountOf = async ({ client }: TestMember) => (await client.call(getUser, {})).memberAccount;
const entriesOf = async ({ client }: TestMember) =>
  (await client.call(listAccountLogs, { logType: 'TRANSLATION_CONSUME' })).rows;
const linesOf = async ({ client }: TestMember) => (await client.call(listTranslationLogs, {})).rows;

const pair = { source: 'zh-Hans', target: 'zh-Hant' };

it('charges what was delivered, names what was not, and logs a line for each', async () => {
  const main = await memberWith(1_000);
  const text = ['头发', '失败了', '很长很长', '慢', '无此方向'];
  const { items, charged } = await translateMany(main.client, { ...pair, text, channelId: GOOGLE });
  expect(items).toMatchObject([
    { success: true, translated: '译头发', charged: 4, code: null },
    {
      success: false,
      translated: null,
      charged: 0,
      code: 'NOT_TRANSLATED',
      msg: expect.stringMatching(/没有给出有效译文/),
    },
    { success: true, translated: '译很长很长', charged: 8, code: null },
    { success: false, charged: 0, code: 'UPSTREAM_TIMEOUT', msg: expect.stringMatching(/超时，本次未扣费。请稍后/) },
    { success: false, charged: 0, code: 'PAIR_NOT_SUPPORTED' },
  ]);
  expect(charged).toBe(12);
  expect(await accountOf(main)).toMatchObject({ usableCharNum: 988, usedCharTotal: 6 });
  expect(await entriesOf(main)).toMatchObject([{ charChangeNum: -12, consumeTranChannelId: GOOGLE }]);
  const lines = await linesOf(main);
  expect(lines.map(({ status, charged: n, wordCount }) => [status, n, wordCount]).sort()).toEqual([
    ['failed', 0, 8],
    ['ok', 12, 6],
  ]);
});

it('agrees with independent sums for any batch on any channel', async () => {
  const main = await memberWith(1_000_000);
  const text = fc.array(fc.constantFrom('头', '发', '很长', '𠮷', '失', '慢', '。'), { minLength: 1, maxLength: 12 });
  const batch = fc.record({
    text: fc.array(
      text.map((parts) => parts.join('')),
      { minLength: 1, maxLength: 12 },
    ),
    channelId: fc.constantFrom(OFFLINE, GOOGLE, CHATGPT),
  });
  let [usable, used] = [1_000_000, 0];
  await fc.assert(
    fc.asyncProperty(batch, async ({ text, channelId }) => {
      const price = channelId === OFFLINE ? 1 : channelId === GOOGLE ? 2 : 6;
      const came = text.map((each) => (/[失慢]/.test(each) ? 0 : [...each].length));
      const { items, charged } = await translateMany(main.client, { ...pair, text, channelId });
      expect(items.map((item) => item.charged)).toEqual(came.map((n) => n * price));
      expect(items.map(({ success }) => success)).toEqual(came.map((n) => n > 0));
      expect(charged).toBe(came.reduce((sum, n) => sum + n * price, 0));
      usable -= charged;
      used += came.reduce((sum, n) => sum + n, 0);
      expect(await accountOf(main)).toMatchObject({ usableCharNum: usable, usedCharTotal: used });
    }),
    { numRuns: 40, seed: 20_261_121 },
  );
});

it('is converted with everything else when the channel changes meanwhile, and still adds up', async () => {
  const main = await memberWith(6_000);
  meanwhile = () => {
    meanwhile = null;
    return main.client.call(changeChannel, { targetChannelId: CHATGPT });
  };
  const text = ['头发'.repeat(15), '失败', '很长'.repeat(30)];
  const { items, charged } = await translateMany(main.client, { ...pair, text });
  // 90 of the 92 held characters: of the 16 that they became, 15.65, rounded up.
  expect(charged).toBe(16);
  expect(items.map((item) => item.charged)).toEqual([5, 0, 11]);
  expect(await entriesOf(main)).toMatchObject([{ charChangeNum: -16, lastTranChannelId: CHATGPT }]);
  expect((await accountOf(main)).usableCharNum).toBe(1_000 - 16);
});

it('returns the vendor’s error for a single text, even when the channel changed meanwhile', async () => {
  const main = await memberWith(6_000);
  meanwhile = () => {
    meanwhile = null;
    return main.client.call(changeChannel, { targetChannelId: CHATGPT });
  };
  expect(await main.client.send(translateText, { ...pair, text: '无此方向' })).toMatchObject({
    status: 422,
    body: { code: 'PAIR_NOT_SUPPORTED' },
  });
  expect(await linesOf(main)).toMatchObject([{ status: 'failed', tranChannelId: OFFLINE }]);
  expect((await accountOf(main)).usableCharNum).toBe(1_000);
});

/** As if the process had died after the settlement, before storing its response. */
const forgetAnswers = ({ session }: TestMember) =>
  api.db.query(
    `UPDATE idempotency_key SET answered_at = NULL, sealed_answer = NULL, locked_until = now() - interval '1 second'
     WHERE user_id = $1`,
    [session.userId],
  );

it('is charged once when a crash comes between settlement and response', async () => {
  const main = await memberWith(1_000);
  const keyed = main.client.with({ 'Idempotency-Key': 'crashed' });
  const ask = { ...pair, text: ['头发', '失败了', '很长'] };
  expect(await translateMany(keyed, ask)).toMatchObject({ charged: 4 });
  await forgetAnswers(main);
  mended = true;
  const again = await translateMany(keyed, ask);
  mended = false;
  expect(again.items.map(({ success }) => success)).toEqual([true, true, true]);
  // The charge stands; the failed part is not charged after all.
  expect(again.charged).toBe(4);
  expect(again.items.reduce((sum, item) => sum + item.charged, 0)).toBe(4);
  expect((await accountOf(main)).usableCharNum).toBe(996);
});

it('returns no less than was charged before a crash: the key may be retried', async () => {
  const main = await memberWith(1_000);
  const keyed = main.client.with({ 'Idempotency-Key': 'crashed' });
  const ask = { ...pair, text: ['头发', '失败了'] };
  mended = true;
  expect(await translateMany(keyed, ask)).toMatchObject({ charged: 5 });
  await forgetAnswers(main);
  mended = false;
  expect(await keyed.send(translateText, ask)).toMatchObject({ status: 503, body: { code: 'SERVICE_BUSY' } });
  mended = true;
  expect(await translateMany(keyed, ask)).toMatchObject({ charged: 5 });
  mended = false;
  expect(await accountOf(main)).toMatchObject({ usableCharNum: 995, usedCharTotal: 5 });
});

it('is charged again after the sweep, only for what was delivered', async () => {
  const main = await memberWith(100);
  meanwhile = async () => {
    meanwhile = null;
    const { rows } = await api.db.query<{ id: string }>('SELECT id FROM ledger_hold WHERE user_id = $1', [
      main.session.userId,
    ]);
    expect(rows).toHaveLength(1);
    await api.db.query("UPDATE ledger_hold SET expires_at = now() - interval '1 second' WHERE user_id = $1", [
      main.session.userId,
    ]);
    await api.app.get(CommandBus).execute(new ReleaseStaleHolds());
    expect((await accountOf(main)).usableCharNum).toBe(100);
    // Another request of the account spends it meanwhile: the rest pays for a part.
    await translateOne(main.client, { ...pair, text: '头'.repeat(60) });
  };
  const text = ['失'.repeat(50), '头'.repeat(40)];
  expect(await translateMany(main.client, { ...pair, text })).toMatchObject({ charged: 40 });
  expect(await accountOf(main)).toMatchObject({ usableCharNum: 0, usedCharTotal: 100 });
});
