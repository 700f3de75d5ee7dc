/** When a channel fails: errors for members, charges, and failover, over HTTP at the sandbox. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { changeChannel, listMapping } from '@yiqiao/contracts/plans';
import { listChannels, listLanguages, listTranslationPairs, translateText } from '@yiqiao/contracts/translation';
import { deleteChildUsers } from '@yiqiao/contracts/sub-accounts';
import { changeFailover } from '@yiqiao/contracts/user';
import { CHANNELS } from '@yiqiao/domain/channels';
import { TestClient } from './support/client.js';
import { makeSub } from './support/family.js';
import { sandboxAccount } from './support/sandbox-vendors.js';
import { PRICES, setPrices } from './support/family.js';
import { translateMany, translateOne } from './support/translate.js';
import { waitUntil } from './support/wait-until.js';
import {
  accountOf,
  broken,
  FRENCH,
  freshText,
  timesAsked,
  type VendorFixture,
  vendorFixture,
} from './support/vendor-fixture.js';

const google = sandboxAccount('google', 'only');
const tencent = sandboxAccount('tencent', 'only');
const youdao = sandboxAccount('youdao', 'only');
const deepl = sandboxAccount('deepl', 'only');
const chatgpt = sandboxAccount('chatgpt', 'only');
const libretranslate = sandboxAccount('libretranslate', 'only');

let fixture: VendorFixture;
beforeAll(async () => {
  fixture = await vendorFixture([google, tencent, youdao, deepl, chatgpt, libretranslate]);
  await setPrices(fixture.api);
});
afterAll(() => fixture.close());

const memberOn: VendorFixture['memberOn'] = (code) => fixture.memberOn(code);
const expectFree: VendorFixture['expectFree'] = (main, failed) => fixture.expectFree(main, failed);

describe('when every account fails', () => {
  it.each([
    ['error', 502, 'UPSTREAM_FAILED'],
    ['auth', 502, 'UPSTREAM_FAILED'],
  ] as const)('with %s: %i, free of charge', async (kind, status, code) => {
    const main = await memberOn('deepl');
    await broken(deepl, { kind }, async () => {
      expect(await main.client.send(translateText, { ...FRENCH, text: freshText() })).toMatchObject({
        status,
        body: { success: false, code, data: null },
      });
      await expectFree(main, 1);
    });
  });

  it.each(['echo', 'script', 'empty'] as const)(
    'with an untranslated response (%s): 502 with the reason, free of charge',
    async (kind) => {
      const main = await memberOn('chatgpt');
      await broken(chatgpt, { kind }, async () => {
        expect(await main.client.send(translateText, { ...FRENCH, text: freshText() })).toMatchObject({
          status: 502,
          body: { success: false, code: 'NOT_TRANSLATED', msg: expect.stringMatching(/没有给出有效译文，本次未扣费/) },
        });
        await expectFree(main, 1);
      });
    },
  );

  it('with a content policy: 422 with advice, free of charge', async () => {
    const main = await memberOn('chatgpt');
    await broken(chatgpt, { kind: 'block' }, async () => {
      expect(await main.client.send(translateText, { ...FRENCH, text: freshText() })).toMatchObject({
        status: 422,
        body: { success: false, code: 'CONTENT_REFUSED', msg: expect.stringMatching(/内容审核.*未扣费/) },
      });
      await expectFree(main, 1);
      const { items } = await translateMany(main.client, { ...FRENCH, text: [freshText()] });
      expect(items).toMatchObject([{ success: false, charged: 0, code: 'CONTENT_REFUSED' }]);
    });
  });

  it('by hanging: 504 within 15 seconds, free of charge', async () => {
    const main = await memberOn('chatgpt');
    await broken(chatgpt, { kind: 'hang' }, async () => {
      expect(await main.client.send(translateText, { ...FRENCH, text: freshText() })).toMatchObject({
        status: 504,
        body: { success: false, code: 'UPSTREAM_TIMEOUT', data: null },
      });
      await expectFree(main, 1);
    });
  });
});

describe('another channel', () => {
  const ask = (more: object = {}) => ({ ...FRENCH, text: freshText(), channelId: CHANNELS.deepl.id, ...more });

  it('serves only if the member allows it, at its own price', async () => {
    const main = await memberOn('offline');
    await broken(deepl, { kind: 'error' }, async () => {
      expect((await main.client.send(translateText, ask())).status).toBe(502);
      await main.client.call(changeFailover, { channelFailover: 1 });
      expect((await main.client.send(translateText, ask({ failover: false }))).status).toBe(502);
      await expectFree(main, 2);
      const text = freshText();
      const answer = await translateOne(main.client, ask({ text }));
      const served = Object.values(CHANNELS).find(({ id }) => id === answer.channelId);
      const [price = 0, deepls = 0, own = 0] = [answer.channelId, CHANNELS.deepl.id, CHANNELS.offline.id].map(
        (id) => PRICES[id],
      );
      expect(price).toBeLessThanOrEqual(deepls);
      const cost = Math.ceil((text.length * price) / own);
      expect(answer.charged).toBe(cost);
      expect(answer.warning).toContain(served?.name);
      expect(await accountOf(main)).toMatchObject({ usableCharNum: 1_000 - cost });
    });
  });

  it('does not replace a cheaper one', async () => {
    const main = await memberOn('offline');
    await main.client.call(changeFailover, { channelFailover: 1 });
    await broken(tencent, { kind: 'auth' }, async () => {
      await broken(youdao, { kind: 'auth' }, () =>
        broken(libretranslate, { kind: 'auth' }, async () => {
          const reply = await main.client.send(translateText, ask({ channelId: CHANNELS.tencent.id, target: 'de' }));
          expect(reply.status).toBe(502);
          await expectFree(main, 1);
        }),
      );
    });
  });
});

describe('an account deleted during a translation', () => {
  it('gets an error, and nobody is charged', async () => {
    const main = await memberOn('chatgpt');
    const sub = await makeSub(fixture.api, main, 500);
    await broken(chatgpt, { kind: 'delay', ms: 3_000 }, async () => {
      const before = await timesAsked(chatgpt);
      const asked = sub.client.send(translateText, { ...FRENCH, text: freshText() });
      await waitUntil(
        () => timesAsked(chatgpt),
        (times) => times > before,
      );
      await main.client.call(deleteChildUsers, { userId: sub.session.userId });
      expect(await asked).toMatchObject({ status: 401, body: { code: 'ACCOUNT_CLOSED', status: 704 } });
      expect(await accountOf(main)).toMatchObject({ usableCharNum: 1_000 });
    });
  });
});

describe('simultaneous equal requests', () => {
  it('of one family share one call, and each is charged', async () => {
    const main = await memberOn('chatgpt');
    const stranger = await memberOn('chatgpt');
    const text = freshText();
    await broken(chatgpt, { kind: 'delay', ms: 5_000 }, async () => {
      const before = await timesAsked(chatgpt);
      const asked = [1, 2, 3, 4].map(() => translateOne(main.client, { ...FRENCH, text }));
      const batch = translateMany(main.client, { ...FRENCH, text: [text, text] });
      const other = translateOne(stranger.client, { ...FRENCH, text });
      const answers = await Promise.all([...asked, other]);
      expect(new Set(answers.map(({ translated }) => translated)).size).toBe(1);
      for (const { charged } of answers) expect(charged).toBe(text.length);
      expect((await batch).items.map(({ charged }) => charged)).toEqual([text.length, text.length]);
      // One for the family, one for the stranger.
      expect((await timesAsked(chatgpt)) - before).toBe(2);
      expect(await accountOf(main)).toMatchObject({ usableCharNum: 1_000 - 6 * text.length });
    });
  });
});

describe('the channel list', () => {
  it('marks sandbox channels wherever the price list is shown', async () => {
    const main = await memberOn('offline');
    const list = await main.client.call(listChannels, {});
    expect(list.find(({ id }) => id === CHANNELS.google.id)).toMatchObject({
      name: '谷歌翻译（沙箱）',
      enName: 'Google (sandbox)',
      available: true,
      reason: null,
    });
    expect(list.find(({ id }) => id === CHANNELS.offline.id)?.name).toBe('离线引擎');
    const mapping = await main.client.call(listMapping, {});
    expect(mapping.find(({ id }) => id === CHANNELS.deepl.id)?.name).toBe('DeepL（沙箱）');
    expect(await main.client.call(changeChannel, { targetChannelId: CHANNELS.youdao.id })).toMatchObject({
      enName: 'Youdao (sandbox)',
    });
  });

  it('marks a disabled one too', async () => {
    const enabled = (on: boolean) => fixture.api.db.query('UPDATE tran_channel SET enabled = $1 WHERE id = 6', [on]);
    const listed = async () =>
      (await new TestClient(fixture.api.url).call(listChannels, {})).find(({ id }) => id === 6);
    await enabled(false);
    const off = await waitUntil(listed, (one) => one?.available === false);
    await enabled(true);
    await waitUntil(listed, (one) => one?.available === true);
    expect(off).toMatchObject({ name: 'DeepL（沙箱）', enName: 'DeepL (sandbox)', reason: '该通道已停用' });
  });

  it('lists the pairs of channels that have few, and the languages of all', async () => {
    const visitor = new TestClient(fixture.api.url);
    const pairs = await visitor.call(listTranslationPairs, {});
    expect(new Set(pairs.map(({ channelId }) => channelId))).toEqual(
      new Set([CHANNELS.offline.id, CHANNELS.tencent.id]),
    );
    expect(JSON.stringify(pairs).length).toBeLessThan(100_000);
    const { sourceList, targetList } = await visitor.call(listLanguages, {});
    for (const list of [sourceList, targetList])
      expect(list.find(({ langCode }) => langCode === 'fr')?.channels).toContain(CHANNELS.google.id);
  });
});
