/** Limits of the translation memory (docs/decisions/0020): expired packages, other models, pictures and recordings. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { translateImage, translateVoice } from '@yiqiao/contracts/media';
import { changeChannel } from '@yiqiao/contracts/plans';
import { translateText } from '@yiqiao/contracts/translation';
import { startApi, type TestApi } from './support/api.js';
import { TestClient } from './support/client.js';
import { adjust, buyPackage, PROFESSIONAL } from './support/family.js';
import { expectNoCharge } from './support/expect-no-charge.js';
import type { TestMember } from './support/test-members.js';
import { picture, words } from './support/pictures.js';
import { recorded, spoken } from './support/recordings.js';
import { memoryMembers, usable } from './support/memory-members.js';
import { sandboxAccount } from './support/sandbox-vendors.js';
import { translateMany, translateOne } from './support/translate.js';
import { upstreamsFile } from './support/vendor-environment.js';

const [OFFLINE, CHATGPT] = [1, 7] as const;
const hair = { source: 'zh-Hans', target: 'zh-Hant', text: '头发很长' };

let api: TestApi;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.stop());

const { memberOn, subOf, keptOf } = memoryMembers(() => api);

describe('an expired package', () => {
  const expire = (main: TestMember) => adjust(api, main.session.userId, { expireAt: Date.now() - 1_000 });

  it('freezes the memory of the whole family without loss', async () => {
    const main = await memberOn(OFFLINE);
    const sub = await subOf(main);
    await translateOne(main.client, hair);
    await expire(main);
    for (const who of [main, sub])
      for (const text of [hair.text, [hair.text], [hair.text, '皇后']]) {
        const ask = () => who.client.send(translateText, { ...hair, text });
        expect(await expectNoCharge(api, who, ask)).toMatchObject({ status: 422, body: { code: 'PACKAGE_EXPIRED' } });
      }
    await buyPackage(api, main, PROFESSIONAL);
    for (const who of [main, sub]) expect(await translateOne(who.client, hair)).toMatchObject({ cached: true });
    expect(await translateMany(sub.client, { ...hair, text: [hair.text] })).toMatchObject({ charged: 0 });
  });

  it('does not affect past charges: a key whose response was lost is answered', async () => {
    const main = await memberOn(OFFLINE);
    const keyed = main.client.with({ 'Idempotency-Key': 'before-the-end' });
    const paid = await translateOne(keyed, hair);
    await api.db.query(
      `UPDATE idempotency_key SET answered_at = NULL, sealed_answer = NULL, locked_until = now() - interval '1 second'
       WHERE user_id = $1`,
      [main.session.userId],
    );
    await expire(main);
    expect(await translateOne(keyed, hair)).toEqual(paid);
    expect(await usable(main)).toBe(996);
  });
});

describe('another model of a channel', () => {
  it('is called again, and the memory of the previous one is kept for its return', async () => {
    const account = sandboxAccount('chatgpt', 'cache-model');
    const [one, other] = [
      await upstreamsFile([account]),
      await upstreamsFile([{ ...account, model: 'sandbox-reasoning' }]),
    ];
    const first = await startApi({ TRANSLATION_UPSTREAMS_FILE: one.file });
    // The same installation after its operator changed the file: the same database and secret.
    const { DATABASE_URL = '', APP_SECRET = '' } = first.env;
    const second = await startApi({ TRANSLATION_UPSTREAMS_FILE: other.file, DATABASE_URL, APP_SECRET });
    try {
      const main = await memoryMembers(() => first).memberOn(OFFLINE);
      await main.client.call(changeChannel, { targetChannelId: CHATGPT });
      const hello = { source: 'en', target: 'fr', text: 'Hello to the model' };
      const later = new TestClient(second.url).as(main.session);
      const asked = async (client: TestClient): Promise<boolean> => (await translateOne(client, hello)).cached !== true;
      expect([await asked(main.client), await asked(main.client)]).toEqual([true, false]);
      expect([await asked(later), await asked(later)]).toEqual([true, false]);
      expect(await asked(main.client)).toBe(false);
    } finally {
      await second.stop();
      await first.stop();
      await Promise.all([one.remove(), other.remove()]);
    }
  }, 60_000);
});

describe('pictures and recordings', () => {
  it('are processed every time at the full price, and never remembered', async () => {
    const main = await memberOn(OFFLINE);
    const fields = { source: 'en', target: 'es' };
    const text = 'The house is big';
    await translateOne(main.client, { ...fields, text });
    const before = await keptOf(main);
    const page = await picture(words({ x: 40, y: 90, size: 48, text }), { width: 600, height: 160 });
    const clip = await recorded(await spoken('the house is big'), 'ogg');
    for (let times = 0; times < 2; times++) {
      const seen = await main.client.upload(translateImage, fields, page);
      const form = { ...fields, transcript: text, speech: 'false' };
      const heard = await main.client.upload(translateVoice, form, clip);
      expect([seen.body, heard.body]).toMatchObject([{ data: { charged: 1 } }, { data: { charged: 1 } }]);
    }
    expect(await keptOf(main)).toEqual(before);
  }, 120_000);
});
