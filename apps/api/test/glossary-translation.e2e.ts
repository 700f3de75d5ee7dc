import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { listTerms, saveTerm } from '@yiqiao/contracts/glossary';
import { CHANNELS } from '@yiqiao/domain/channels';
import { startApi, type TestApi } from './support/api.js';
import { makeMain, makeSub, setChars } from './support/family.js';
import type { TestMember } from './support/test-members.js';
import { translateMany, translateOne } from './support/translate.js';
import { waitUntil } from './support/wait-until.js';
import { type VendorEnvironment, vendorEnvironment } from './support/vendor-environment.js';
import { startWorker } from './support/worker.js';

let vendors: VendorEnvironment;
let api: TestApi;
let main: TestMember;
let sub: TestMember;

const PAIR = { source: 'en', target: 'zh-Hans' };
const TEXT = 'please send the parcel with the zorblax 5 today';

beforeAll(async () => {
  vendors = await vendorEnvironment(['google', 'deepl', 'chatgpt'], 'glossary');
  api = await startApi(vendors.env);
  main = await makeMain(api);
  await setChars(api, main.session.userId, 100_000);
  sub = await makeSub(api, main, 1_000);
  await main.client.call(saveTerm, { ...PAIR, term: 'zorblax', translation: '佐布机' });
  await main.client.call(saveTerm, { source: 'zh-Hans', target: 'zh-Hant', term: '软件', translation: '軟件包' });
  await main.client.call(saveTerm, { source: 'zh-Hans', target: 'en', term: '译桥', translation: 'Yiqiao' });
});
afterAll(async () => {
  await api.stop();
  await vendors.close();
});

const ask = (channel: keyof typeof CHANNELS, text = TEXT) =>
  translateOne(main.client, { ...PAIR, text, channelId: CHANNELS[channel].id, failover: false });
const lastSent = async (channel: 'google' | 'deepl' | 'chatgpt') => (await vendors.calls(channel))[0]?.sent[0];

describe('terms of a family in its translations', () => {
  it('are placed by masks and cost nothing extra', async () => {
    const stranger = await makeMain(api);
    await setChars(api, stranger.session.userId, 1_000);
    const asked = { ...PAIR, text: TEXT, channelId: CHANNELS.google.id };
    const other = await translateOne(stranger.client, asked);
    expect(other.translated).not.toContain('佐布机');
    const mine = await ask('google');
    expect(mine.translated).toContain('佐布机');
    expect(mine.translated).toContain('5');
    expect(mine).toMatchObject({ warning: null, charged: other.charged });
    expect(await lastSent('google')).toBe('please send the parcel with the {0} {1} today');
  });

  it('apply to sub-accounts, offline and in batches, next to other protected pieces', async () => {
    const pair = { source: 'zh-Hans', target: 'zh-Hant' };
    expect((await translateOne(sub.client, { ...pair, text: '这个软件是5号' })).translated).toBe('這個軟件包是5號');
    const { items } = await translateMany(sub.client, { ...pair, text: ['软件', '头发', '好软件。{0}'] });
    expect(items.map(({ translated }) => translated)).toEqual(['軟件包', '頭髮', '好軟件包。{0}']);
    const gloss = await translateOne(sub.client, { source: 'zh-Hans', target: 'en', text: '我喜欢译桥' });
    expect(gloss).toMatchObject({ quality: 'gloss', charged: 0 });
    expect(gloss.translated).toContain('Yiqiao');
  });

  it('apply from the next request on when they change', async () => {
    const row = await main.client.call(saveTerm, { ...PAIR, term: 'frumious', translation: '甲' });
    expect((await ask('google', 'a frumious day')).translated).toContain('甲');
    await main.client.call(saveTerm, { ...PAIR, id: row.id, term: 'frumious', translation: '乙' });
    expect((await ask('google', 'a frumious day')).translated).toContain('乙');
  });

  it('apply to sub-accounts from the next request on, too', async () => {
    const pair = { source: 'zh-Hans', target: 'zh-Hant' };
    const ofSub = async () => (await translateOne(sub.client, { ...pair, text: '我的网站' })).translated;
    const row = await main.client.call(saveTerm, { ...pair, term: '网站', translation: '網址甲' });
    expect(await ofSub()).toBe('我的網址甲');
    await main.client.call(saveTerm, { ...pair, id: row.id, term: '网站', translation: '網址乙' });
    expect(await ofSub()).toBe('我的網址乙');
  });

  it('are put in a language model’s prompt, and masked if it ignores them', async () => {
    expect((await ask('chatgpt')).translated).toContain('佐布机');
    expect(await lastSent('chatgpt')).toContain('zorblax');
    await vendors.fail('chatgpt', { kind: 'lose', times: 1 });
    const again = await ask('chatgpt', `${TEXT} again`);
    expect(again).toMatchObject({ warning: null });
    expect(again.translated).toContain('佐布机');
    expect(await lastSent('chatgpt')).toContain('{0}');
  });

  it('are reported missing if nothing helps', async () => {
    await vendors.fail('google', { kind: 'lose' });
    const { warning } = await ask('google', `${TEXT} in vain`);
    expect(warning).toContain('佐布机');
    await vendors.mend('google');
  });

  it('become a DeepL glossary, which is removed when it is replaced', async () => {
    const worker = await startWorker(api.env);
    try {
      // Masks are used until DeepL has the glossary.
      expect((await ask('deepl')).translated).toContain('佐布机');
      const asksItself = async (term: string) => {
        const { translated } = await ask('deepl', `${TEXT} ${String(Math.random()).slice(2)}`);
        expect(translated).toContain(term);
        return (await lastSent('deepl'))?.includes('zorblax');
      };
      await waitUntil(() => asksItself('佐布机'), Boolean);
      const { rows } = await main.client.call(listTerms, {
        keyword: 'zorblax',
      });
      await main.client.call(saveTerm, { ...PAIR, id: rows[0]?.id, term: 'zorblax', translation: '佐机' });
      await waitUntil(() => asksItself('佐机'), Boolean);
      await waitUntil(
        async () => (await vendors.glossaries('deepl')).map(({ name }) => name.split(':').slice(2, 4).join()),
        (pairs) => pairs.filter((pair) => pair === 'en,zh-Hans').length === 1,
      );
    } finally {
      await worker.stop();
    }
  });

  it('are masked when the glossary is missing at DeepL', async () => {
    for (const { glossary_id: id } of await vendors.glossaries('deepl')) await vendors.dropGlossary('deepl', id);
    expect((await ask('deepl', `${TEXT} once more`)).translated).toContain('佐机');
  });
});
