/** Recordings through a server with OpenAI's API but without audio: detected once, free, and another recogniser takes over. */
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { listMediaAbilities, transcribe, translateVoice } from '@yiqiao/contracts/media';
import { changeChannel } from '@yiqiao/contracts/plans';
import { stubServer, type StubAnswer, type StubRequest } from './support/stub-server.js';
import { startApi, type TestApi } from './support/api.js';
import { makeMain } from './support/family.js';
import { accountOf, expectNoCharge } from './support/expect-no-charge.js';
import type { TestMember } from './support/test-members.js';
import { sound, spoken } from './support/recordings.js';

const CHATGPT = 7;
const toSpanish = { source: 'en', target: 'es' };

/** Several such servers, with chat only. */
const server = ({ url }: StubRequest): StubAnswer => {
  if (!url.endsWith('/chat/completions')) return { status: 404, body: 'Not Found' };
  const message = { role: 'assistant', content: 'La casa es grande' };
  return { body: JSON.stringify({ choices: [{ message, finish_reason: 'stop' }] }) };
};

let vendor: Awaited<ReturnType<typeof stubServer>>;
let clip: Buffer;
let api: TestApi;
let main: TestMember;

beforeAll(async () => {
  [vendor, clip] = [await stubServer(server), await spoken('the house is big and i want to buy two books')];
}, 60_000);
afterAll(() => vendor.close());

const heardBy = (): number => vendor.asked.filter(({ url }) => url.endsWith('/audio/transcriptions')).length;

async function start(extra: Record<string, string> = {}): Promise<void> {
  api = await startApi({ OPENAI_BASE_URL: `${vendor.url}/v1`, OPENAI_MODEL: 'own-model', ...extra });
  main = await makeMain(api);
  await main.client.call(changeChannel, { targetChannelId: CHATGPT });
  vendor.asked.length = 0;
}
afterEach(() => api.stop());

const ask = (fields: Record<string, string> = {}, file = clip) =>
  main.client.upload(translateVoice, { ...toSpanish, ...fields }, file);

const ability = async () =>
  (await main.client.call(listMediaAbilities, {})).find(({ channelId }) => channelId === CHATGPT)?.voice;

describe('a server without audio', () => {
  it('leaves English to the local engine, translates it, and is called once', async () => {
    await start();
    expect(await ability()).toMatchObject({ available: true, experimental: false });
    for (let times = 0; times < 2; times++) {
      const { body } = await ask();
      expect(body).toMatchObject({ data: { translated: 'La casa es grande', charged: 1 } });
      expect(body).toMatchObject({ data: { transcript: expect.stringContaining('two books') } });
    }
    expect(heardBy()).toBe(1);
    expect(await ability()).toMatchObject({ available: true, experimental: true, maxSeconds: 30 });
    expect((await accountOf(api, main)).memberAccount.usableVoiceNum).toBe(18);
  }, 120_000);

  it.each<[string, Record<string, string>, () => Promise<Buffer>, string]>([
    ['another language', { source: 'ja' }, () => Promise.resolve(clip), 'MEDIA_LANGUAGE_NOT_SUPPORTED'],
    ['more than the engine hears', {}, () => sound('sine=300,tremolo=f=3', 40, 'ogg'), 'VOICE_TOO_LONG'],
  ])('rejects %s, free and without a trace, the first time and the next', async (_, fields, file, code) => {
    await start();
    const sent = await file();
    for (let times = 0; times < 2; times++)
      expect(await expectNoCharge(api, main, () => ask(fields, sent))).toMatchObject({ status: 422, body: { code } });
    expect(heardBy()).toBe(1);
  });

  // Engines that are installed in the system cannot be hidden from one process.
  (existsSync('/usr/bin/pocketsphinx_continuous') ? it.skip : it)(
    'and a machine without engines say so in both languages, for nothing',
    async () => {
      const nowhere = await mkdtemp(path.join(tmpdir(), 'no-engines-'));
      await start({ MEDIA_DIR: nowhere });
      try {
        const said = async (language: string): Promise<unknown> => {
          const client = main.client.with({ 'Accept-Language': language });
          const refused = await expectNoCharge(api, main, () => client.upload(translateVoice, toSpanish, clip));
          expect(refused).toMatchObject({ status: 422, body: { code: 'ENGINE_MISSING' } });
          return refused.body.data;
        };
        expect(await said('zh-CN')).toMatchObject({ reason: expect.stringMatching(/\p{Script=Han}.*apt-get/u) });
        expect(await said('en-US')).toMatchObject({ reason: expect.stringMatching(/^The speech engine.*apt-get/) });
        const free = () => main.client.upload(transcribe, { source: 'en' }, clip);
        expect(await expectNoCharge(api, main, free)).toMatchObject({ status: 422, body: { code: 'ENGINE_MISSING' } });
        expect(await ability()).toMatchObject({ available: false });
        // A transcript by the member is translated all the same, and not spoken.
        const { body } = await ask({ transcript: 'The house is big' });
        expect(body).toMatchObject({ data: { translated: 'La casa es grande', speech: null, charged: 1 } });
      } finally {
        await rm(nowhere, { recursive: true });
      }
    },
  );
});
