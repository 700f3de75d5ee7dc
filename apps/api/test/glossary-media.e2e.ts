/** A family's own terms in its pictures and recordings, whichever member of the family sends them. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { saveTerm } from '@yiqiao/contracts/glossary';
import { translateImage, translateVoice } from '@yiqiao/contracts/media';
import { changeChannel } from '@yiqiao/contracts/plans';
import { distributeAll } from '@yiqiao/contracts/sub-accounts';
import { startApi, type TestApi } from './support/api.js';
import { makeMain, makeSub } from './support/family.js';
import type { TestMember } from './support/test-members.js';
import { picture, words } from './support/pictures.js';
import { sound, spoken } from './support/recordings.js';
import { vendorEnvironment, type VendorEnvironment } from './support/vendor-environment.js';

const [OFFLINE, GOOGLE, CHATGPT] = [1, 2, 7] as const;
const toSpanish = { source: 'en', target: 'es' };
const TERM = { ...toSpanish, term: 'house', translation: 'Casona Real' };

let vendors: VendorEnvironment;
let api: TestApi;
let main: TestMember;
let sub: TestMember;
let stranger: TestMember;
let page: Buffer;
let clip: Buffer;

beforeAll(async () => {
  vendors = await vendorEnvironment(['google', 'chatgpt'], 'glossary-media');
  api = await startApi(vendors.env);
  main = await makeMain(api);
  [sub, stranger] = [await makeSub(api, main), await makeMain(api)];
  const given = { childUserId: sub.session.userId, changeCharNum: 0, changeVoiceNum: 5, changeImageNum: 5 };
  await main.client.call(distributeAll, given);
  await main.client.call(saveTerm, TERM);
  await main.client.call(saveTerm, { ...TERM, term: 'two old books', translation: 'Tríptico' });
  await main.client.call(saveTerm, { source: 'zh-Hans', target: 'zh-Hant', term: '软件', translation: '軟件包' });
  const lines = ['The house is big', 'I see the two old', 'books on the big table'];
  page = await picture(
    words({ x: 40, y: 70, size: 44, text: lines[0] ?? '' }) +
      words({ x: 40, y: 170, size: 30, text: lines[1] ?? '' }) +
      words({ x: 40, y: 208, size: 30, text: lines[2] ?? '' }),
    { width: 420, height: 240 },
  );
  clip = await spoken('the house is big and i want to buy two books');
}, 120_000);
afterAll(async () => {
  await api.stop();
  await vendors.close();
});

async function inPicture(who: TestMember, fields = toSpanish): Promise<string> {
  const { status, body } = await who.client.upload(translateImage, fields, page);
  if (!body.success) throw new Error(`${status} ${JSON.stringify(body)}`);
  expect(body.data.charged).toBe(1);
  return body.data.translated;
}

async function inRecording(who: TestMember, fields: Record<string, string> = {}, file = clip): Promise<string> {
  const form = { ...toSpanish, speech: 'false', ...fields };
  const { status, body } = await who.client.upload(translateVoice, form, file);
  if (!body.success) throw new Error(`${status} ${JSON.stringify(body)}`);
  expect(body.data.charged).toBe(1);
  return body.data.translated;
}

describe('terms of a family', () => {
  it('apply to its pictures, also across a line break, and to no other family’s', async () => {
    for (const who of [main, sub]) {
      const translated = await inPicture(who);
      expect(translated).toContain('Casona Real');
      expect(translated).toContain('Tríptico');
    }
    expect(await inPicture(stranger)).toMatch(/casa es grande/i);
  }, 120_000);

  it('apply to pictures whose language is detected', async () => {
    const translated = await inPicture(main, { ...toSpanish, source: 'auto' });
    expect(translated).toContain('Casona Real');
  }, 60_000);

  it('apply to transcripts, including corrected ones', async () => {
    for (const who of [main, sub]) {
      expect(await inRecording(who)).toContain('Casona Real');
      expect(await inRecording(who, { transcript: 'This HOUSE is new.' })).toContain('Casona Real');
    }
    expect(await inRecording(stranger)).toMatch(/casa es grande/i);
    const chinese = { source: 'auto', target: 'zh-Hant', transcript: '这个软件的头发' };
    expect(await inRecording(sub, chinese)).toBe('這個軟件包的頭髮');
  }, 120_000);

  it('apply through vendors, as masks or in a model’s prompt', async () => {
    for (const targetChannelId of [GOOGLE, CHATGPT]) {
      await main.client.call(changeChannel, { targetChannelId });
      const transcript = `The house number ${targetChannelId} is big`;
      for (const who of [main, sub]) expect(await inRecording(who, { transcript })).toContain('Casona Real');
    }
    // For a vendor that detects the language: the sandbox always returns English.
    const hum = await sound('sine=300,tremolo=f=3', 8);
    const { body } = await main.client.upload(translateVoice, { ...toSpanish, source: 'auto', speech: 'false' }, hum);
    if (!body.success) throw new Error(JSON.stringify(body));
    const [word = ''] = /\p{L}{4,}/u.exec(body.data.transcript) ?? [];
    await main.client.call(saveTerm, { ...toSpanish, term: word, translation: 'Palabra Propia' });
    expect(await inRecording(main, { source: 'auto' }, hum)).toContain('Palabra Propia');
    await main.client.call(changeChannel, { targetChannelId: GOOGLE });
    expect(await inPicture(main)).toContain('Casona Real');
    await main.client.call(changeChannel, { targetChannelId: OFFLINE });
  }, 120_000);
});
