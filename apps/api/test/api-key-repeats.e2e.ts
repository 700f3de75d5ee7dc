/** What an equal request of a key is answered within a minute: as before and for nothing, but for failures, which are not repeated. */
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { updateApiKey } from '@yiqiao/contracts/api-keys';
import { translate, writeGlossary } from '@yiqiao/contracts/native-api';
import { changeChannel } from '@yiqiao/contracts/plans';
import { TextChannels } from '../src/translation/text-channels.js';
import { startApi, type TestApi } from './support/api.js';
import { makeKey } from './support/api-keys.js';
import { failingVendor } from './support/failing-vendor.js';
import { makeMainWith, setPrices } from './support/family.js';
import { brokenInvariants } from './support/ledger-invariants.js';
import type { TestMember } from './support/test-members.js';

const GOOGLE = 2;
const vendor = failingVendor();

let api: TestApi;
let main: TestMember;

beforeAll(async () => {
  api = await startApi();
  await setPrices(api);
  await api.app.get(TextChannels, { strict: false }).open('google', vendor.channel);
  main = await makeMainWith(api, 10_000);
});
afterEach(() => {
  vendor.mended = false;
  vendor.asked.length = 0;
});
afterAll(() => api.stop());

const pair = { source: 'zh-Hans', target: 'zh-Hant' };
async function chargesOf(id: number): Promise<number[]> {
  const { rows } = await api.db.query<{ charged: number }>(
    'SELECT -char_change::int AS charged FROM account_log WHERE api_key_id = $1 ORDER BY seq',
    [id],
  );
  return rows.map(({ charged }) => charged);
}

describe('an equal request is answered as before, for nothing', () => {
  it('also after a change of the glossary', async () => {
    const { apiKey, client } = await makeKey(main, { scopes: ['text', 'glossary.write'] });
    const text = '头发很长';
    expect(await client.call(translate, { ...pair, text })).toMatchObject({ items: [{ translated: '頭髮很長' }] });
    await client.call(writeGlossary, { ...pair, term: '头发', translation: '秀髮' });
    expect(await client.call(translate, { ...pair, text })).toMatchObject({ items: [{ translated: '頭髮很長' }] });
    expect(await chargesOf(apiKey.id)).toEqual([4]);
    // Another request has the new term at once; so has one under a key of idempotency.
    const fresh = { items: [{ translated: '秀髮很長' }] };
    const keyed = client.with({ 'Idempotency-Key': 'again' });
    expect(await keyed.call(translate, { ...pair, text })).toMatchObject(fresh);
    expect(await chargesOf(apiKey.id)).toEqual([4, 4]);
  });

  it('also after a change of the channel, of the key or of its account', async () => {
    const owner = await makeMainWith(api, 1_000);
    const { apiKey, client } = await makeKey(owner);
    const translated = async () => (await client.call(translate, { ...pair, text: '干杯' })).items[0]?.translated;
    expect(await translated()).toBe('乾杯');
    await owner.client.call(updateApiKey, { id: apiKey.id, name: 'k', scopes: ['text'], tranChannelId: GOOGLE });
    expect(await translated()).toBe('乾杯');
    await owner.client.call(updateApiKey, { id: apiKey.id, name: 'k', scopes: ['text'], tranChannelId: null });
    await owner.client.call(changeChannel, { targetChannelId: GOOGLE });
    expect(await translated()).toBe('乾杯');
    expect(await chargesOf(apiKey.id)).toHaveLength(1);
  });

  it('with a key of idempotency for as long as that lives', async () => {
    const { apiKey, client } = await makeKey(main, { scopes: ['text', 'glossary.write'] });
    const keyed = client.with({ 'Idempotency-Key': 'order-17' });
    const first = await keyed.call(translate, { ...pair, text: '皇后很长' });
    await client.call(writeGlossary, { ...pair, term: '皇后', translation: '王后' });
    expect(await keyed.call(translate, { ...pair, text: '皇后很长' })).toEqual(first);
    expect(await chargesOf(apiKey.id)).toHaveLength(1);
  });
});

describe('a list that failed in part', () => {
  const list = { ...pair, channelId: GOOGLE, text: ['头发', '失误', '干杯', '失败了'] };
  const successOf = ({ items }: { items: { success: boolean }[] }) => items.map(({ success }) => success);

  it('is asked again for what failed alone, and charged for each text once', async () => {
    const { apiKey, client } = await makeKey(main);
    const first = await client.call(translate, list);
    expect(successOf(first)).toEqual([true, false, true, false]);
    // Failures are not repeated: the channel is asked again.
    expect(successOf(await client.call(translate, list))).toEqual([true, false, true, false]);
    expect(vendor.asked).toEqual([list.text, ['失误', '失败了']]);
    expect(await chargesOf(apiKey.id)).toEqual([8]);
    vendor.mended = true;
    const all = await client.call(translate, list);
    expect(all.items).toMatchObject([
      first.items[0] ?? {},
      { success: true, translated: '译好误', charged: 4 },
      first.items[2] ?? {},
      { success: true, translated: '译好败了', charged: 6 },
    ]);
    expect(all.charged).toBe(18);
    expect(await chargesOf(apiKey.id)).toEqual([8, 10]);
    // Now there is an answer for every text, for a minute from now on.
    const answeredAt = async (): Promise<number[]> => {
      const { rows } = await api.db.query<{ at: Date }>(
        'SELECT answered_at AS at FROM idempotency_key WHERE route = $1 ORDER BY created_at',
        [`/translation/text#${apiKey.id}`],
      );
      return rows.map(({ at }) => at.getTime());
    };
    const [whole = 0, completed = 0] = await answeredAt();
    expect(whole).toBeGreaterThanOrEqual(completed);
    vendor.mended = false;
    expect(await client.call(translate, list)).toEqual(all);
    expect(vendor.asked).toHaveLength(3);
    expect(await chargesOf(apiKey.id)).toEqual([8, 10]);
    expect(await brokenInvariants(api.db, main.session.userId)).toEqual({});
  });

  it('by twenty callers at once, too', async () => {
    const { apiKey, client } = await makeKey(main);
    await client.call(translate, list);
    vendor.mended = true;
    const answers = await Promise.all(Array.from({ length: 20 }, () => client.call(translate, list)));
    for (const answer of answers) expect(successOf(answer)).toEqual([true, true, true, true]);
    expect(await chargesOf(apiKey.id)).toEqual([8, 10]);
    expect(vendor.asked).toHaveLength(2);
  });

  it('keeps its failures when the rest cannot be paid', async () => {
    const owner = await makeMainWith(api, 10);
    const { apiKey, client } = await makeKey(owner);
    const first = await client.call(translate, list).catch((error: unknown) => error);
    expect(first).toBeInstanceOf(Error);
    const short = { ...list, text: ['头发', '失'] };
    const once = await client.call(translate, short);
    await makeKey(owner).then(({ client: other }) => other.call(translate, { ...list, text: ['干'] }));
    await makeKey(owner).then(({ client: other }) => other.call(translate, { ...list, text: ['长'] }));
    await makeKey(owner).then(({ client: other }) => other.call(translate, { ...list, text: ['杯'] }));
    vendor.mended = true;
    // Nothing is left for the text that failed.
    expect(await client.call(translate, short)).toEqual(once);
    expect(await chargesOf(apiKey.id)).toEqual([4]);
  });

  it('with a key of idempotency is repeated as it was', async () => {
    const { apiKey, client } = await makeKey(main);
    const keyed = client.with({ 'Idempotency-Key': 'in-part' });
    const first = await keyed.call(translate, list);
    vendor.mended = true;
    expect(await keyed.call(translate, list)).toEqual(first);
    expect(await chargesOf(apiKey.id)).toEqual([8]);
  });
});
