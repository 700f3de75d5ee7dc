/** Recordings through a channel whose vendor transcribes and speaks. */
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { transcribe, translateVoice } from '@yiqiao/contracts/media';
import { changeChannel } from '@yiqiao/contracts/plans';
import { listTranslationLogs } from '@yiqiao/contracts/translation';
import { startApi, type TestApi } from './support/api.js';
import { makeMain } from './support/family.js';
import { accountOf, expectNoCharge } from './support/expect-no-charge.js';
import type { TestMember } from './support/test-members.js';
import { recorded, sound } from './support/recordings.js';
import type { VendorFault } from './support/sandbox-vendors.js';
import { vendorEnvironment, type VendorEnvironment } from './support/vendor-environment.js';

const CHATGPT = 7;

let vendors: VendorEnvironment;
let api: TestApi;
/** Loud and quiet by turns, which is all that the sandbox can hear. */
let clip: Buffer;
let member: TestMember;

beforeAll(async () => {
  vendors = await vendorEnvironment(['chatgpt'], 'voice');
  api = await startApi({ ...vendors.env });
  clip = await sound('sine=300,tremolo=f=3', 8);
  member = await onChatGpt();
}, 120_000);
afterEach(() => vendors.mend('chatgpt'));
afterAll(async () => {
  await api.stop();
  await vendors.close();
});

async function onChatGpt(): Promise<TestMember> {
  const main = await makeMain(api);
  await main.client.call(changeChannel, { targetChannelId: CHATGPT });
  return main;
}

const toGerman = { source: 'ja', target: 'de' };
const ask = (fields: Record<string, string> = {}, file = clip) =>
  member.client.upload(translateVoice, { ...toGerman, ...fields }, file);

describe('a vendor with audio', () => {
  it('transcribes any language, translates and speaks, for one voice use', async () => {
    const before = await accountOf(api, member);
    const { status, body } = await ask({}, await recorded(clip, 'm4a'));
    if (!body.success) throw new Error(`${status} ${JSON.stringify(body)}`);
    expect(body.data).toMatchObject({ seconds: 8, charged: 1 });
    expect(body.data.transcript).toMatch(/\p{Script=Hiragana}/u);
    expect(body.data.translated).not.toMatch(/\p{Script=Hiragana}/u);
    expect(body.data.speech).toMatch(/^data:audio\/mpeg;base64,\/\/[OP]/);
    const { memberAccount, lines } = await accountOf(api, member);
    expect(memberAccount.usableVoiceNum).toBe(before.memberAccount.usableVoiceNum - 1);
    expect(memberAccount.usableCharNum).toBe(before.memberAccount.usableCharNum);
    expect(lines).toBe(before.lines + 1);
    const [line] = (await member.client.call(listTranslationLogs, {})).rows;
    expect(line).toMatchObject({ tranChannelId: CHATGPT, sourceLangCode: 'ja', targetLangCode: 'de', charged: 1 });
  });

  it('detects the language, and is charged by the started minute', async () => {
    const minutes = await recorded(await sound('sine=300,tremolo=f=3', 61), 'ogg');
    const { body } = await ask({ source: 'auto', speech: 'false' }, minutes);
    expect(body).toMatchObject({ data: { seconds: 61, charged: 2, speech: null } });
    const [line] = (await member.client.call(listTranslationLogs, {})).rows;
    expect(line).toMatchObject({ sourceLangCode: 'en', charged: 2 });
  });

  it('transcribes free of charge', async () => {
    const answer = await expectNoCharge(api, member, () => member.client.upload(transcribe, { source: 'fr' }, clip));
    expect(answer.body).toMatchObject({ success: true, data: { seconds: 8, transcript: expect.any(String) } });
  });

  it('transcribes and translates for a member of another channel who asks for it', async () => {
    const main = await makeMain(api);
    const channelId = String(CHATGPT);
    const heard = await main.client.upload(transcribe, { source: 'fr', channelId }, clip);
    expect(heard.body).toMatchObject({ success: true, data: { transcript: expect.any(String) } });
    const { body } = await main.client.upload(translateVoice, { ...toGerman, channelId, speech: 'false' }, clip);
    expect(body).toMatchObject({ data: { charged: 1 } });
    expect((await main.client.call(listTranslationLogs, {})).rows).toMatchObject([{ tranChannelId: CHATGPT }]);
  });

  it.each<[string, Record<string, string>, () => Promise<Buffer>, string]>([
    ['five minutes and a second', {}, () => sound('sine=300', 301, 'ogg'), 'VOICE_TOO_LONG'],
    ['silence', {}, () => sound('anullsrc', 3), 'NO_SPEECH_FOUND'],
    [
      'a language that it was not taught',
      { source: 'ace' },
      () => Promise.resolve(clip),
      'MEDIA_LANGUAGE_NOT_SUPPORTED',
    ],
    ['its own language, found out', { source: 'auto', target: 'en' }, () => Promise.resolve(clip), 'SAME_LANGUAGE'],
  ])('rejects %s, free of charge', async (_what, fields, file, code) => {
    const bytes = await file();
    expect(await expectNoCharge(api, member, () => ask(fields, bytes))).toMatchObject({ status: 422, body: { code } });
  });

  it('costs nothing and leaves no log line when nothing was said', async () => {
    await vendors.fail('chatgpt', { kind: 'empty', call: 'transcribe' });
    expect(await expectNoCharge(api, member, ask)).toMatchObject({ status: 422, body: { code: 'NO_SPEECH_FOUND' } });
  });

  it('without speech leaves it to the local engine, or omits it', async () => {
    await vendors.fail('chatgpt', { kind: 'block', call: 'speak' });
    const { body } = await ask({ transcript: 'こんにちは' });
    expect(body).toMatchObject({ data: { charged: 1, speech: expect.stringMatching(/^data:audio\/mpeg;base64,/) } });
    const { body: mute } = await ask({ target: 'th', transcript: 'こんにちは' });
    expect(mute).toMatchObject({ data: { charged: 1, speech: null } });
  });
});

describe('a vendor that fails', () => {
  it.each<[VendorFault, number, string]>([
    [{ kind: 'block', call: 'transcribe' }, 422, 'CONTENT_REFUSED'],
    [{ kind: 'malformed', call: 'transcribe' }, 502, 'UPSTREAM_FAILED'],
    [{ kind: 'block' }, 422, 'CONTENT_REFUSED'],
  ])('with %j costs nothing, and leaves a log line', async (fault, status, code) => {
    await vendors.fail('chatgpt', fault);
    const before = await accountOf(api, member);
    expect(await ask()).toMatchObject({ status, body: { code } });
    const after = await accountOf(api, member);
    expect({ ...after, lines: after.lines - 1 }).toEqual(before);
    const [line] = (await member.client.call(listTranslationLogs, {})).rows;
    expect(line).toMatchObject({ status: 'failed', charged: 0, sourceLangCode: 'ja', targetLangCode: 'de' });
  });

  it('once is retried', async () => {
    await vendors.fail('chatgpt', { kind: 'error', call: 'transcribe', times: 1 });
    expect(await ask({ speech: 'false' })).toMatchObject({ status: 200, body: { data: { charged: 1 } } });
  });
});
