/** Recordings through the local engines: transcribed, translated, spoken and charged, or refused free of charge. */
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { listAccountLogs } from '@yiqiao/contracts/account-log';
import { listMediaAbilities, transcribe, translateVoice } from '@yiqiao/contracts/media';
import { listTranslationLogs } from '@yiqiao/contracts/translation';
import { startApi, type TestApi } from './support/api.js';
import { adjust, makeMain, makeSub } from './support/family.js';
import { accountOf, expectNoCharge } from './support/expect-no-charge.js';
import type { TestMember } from './support/test-members.js';
import {
  type Format,
  FORMATS,
  recorded,
  secondsOf,
  silentFilm,
  sound,
  spoken,
  synthesized,
} from './support/recordings.js';

const WORDS = 'the house is big and i want to buy two books';
const LONG =
  'good morning. the house is big and i want to buy two books. tomorrow morning we go to the new school. please open the ' +
  'door and close the window. my friend has a red car and a small dog. we will eat bread and drink water in the evening. ' +
  'then we go home and read a good book before we sleep';
const CHINESE = '三个箱子少了一个。';
const toSpanish = { source: 'en', target: 'es' };

let api: TestApi;
let clip: Buffer;
let member: TestMember;

beforeAll(async () => {
  [api, clip] = [await startApi(), await spoken(WORDS)];
  member = await makeMain(api);
}, 120_000);
afterAll(() => api.stop());

const bytesOf = (dataUrl: string | null): Buffer => Buffer.from(dataUrl?.split(',', 2)[1] ?? '', 'base64');

describe('a recording', () => {
  it('is transcribed, translated, spoken and charged by the minute, in the ledger and the log', async () => {
    const main = await makeMain(api);
    const { status, body } = await main.client.upload(translateVoice, toSpanish, clip);
    if (!body.success) throw new Error(`${status} ${JSON.stringify(body)}`);
    expect(body.data).toMatchObject({ seconds: Math.ceil((await secondsOf(clip)) - 0.1), charged: 1 });
    expect(body.data.transcript).toContain('two books');
    expect(body.data.translated).toMatch(/casa es grande.*dos libros/i);
    expect(body.data.speech).toMatch(/^data:audio\/mpeg;base64,/);
    expect(await secondsOf(bytesOf(body.data.speech))).toBeGreaterThan(1);
    const { memberAccount, entries, holds } = await accountOf(api, main);
    expect([memberAccount.usableVoiceNum, memberAccount.usableCharNum, entries, holds]).toEqual([19, 5_000, 2, 0]);
    const [entry] = (await main.client.call(listAccountLogs, { logType: 'VOICE_CONSUME' })).rows;
    expect(entry).toMatchObject({ voiceChangeNum: -1, charChangeNum: 0, consumeTranChannelId: 1 });
    const [line] = (await main.client.call(listTranslationLogs, {})).rows;
    expect(line).toMatchObject({ kind: 'voice', status: 'ok', charged: 1, free: null, sourceLangCode: 'en' });
  });

  it.each(Object.keys(FORMATS) as Format[])('is read from a %s file, whatever its name', async (format) => {
    const file = await recorded(clip, format);
    const { body } = await expectNoCharge(api, member, () =>
      member.client.upload(transcribe, { source: 'auto' }, file),
    );
    expect(body).toMatchObject({ success: true, data: { transcript: expect.stringMatching(/buy two books$/) } });
  });

  it('of twenty seconds is transcribed to its end', async () => {
    const { body } = await member.client.upload(translateVoice, { ...toSpanish, speech: 'false' }, await spoken(LONG));
    if (!body.success) throw new Error(JSON.stringify(body));
    expect(body.data.seconds).toBeGreaterThanOrEqual(18);
    expect(body.data).toMatchObject({ charged: 1, speech: null });
    expect(body.data.transcript).toMatch(/two books .*window .*sleep$/);
    expect(body.data.translated).toMatch(/dos libros/);
  }, 120_000);

  it('is translated from a corrected transcript without transcribing it again', async () => {
    const fields = { ...toSpanish, transcript: 'The table is small.', speech: 'false' };
    const { body } = await member.client.upload(translateVoice, fields, clip);
    expect(body).toMatchObject({
      data: { transcript: 'The table is small.', translated: 'La mesa es pequeña.', charged: 1 },
    });
    // So the words may be in a language that the local engine does not support, detected or given.
    for (const source of ['auto', 'zh-Hans']) {
      const chinese = { source, target: 'zh-Hant', transcript: '头发很长', speech: 'false' };
      expect((await member.client.upload(translateVoice, chinese, clip)).body).toMatchObject({
        data: { translated: '頭髮很長', charged: 1 },
      });
    }
  });

  it('whose text stays as it is, is free', async () => {
    const before = await accountOf(api, member);
    const chinese = { source: 'zh-Hans', target: 'zh-Hant', transcript: 'Made in China' };
    const { status, body } = await member.client.upload(translateVoice, chinese, clip);
    expect([status, body]).toMatchObject([502, { code: 'NOT_TRANSLATED' }]);
    const after = await accountOf(api, member);
    expect({ ...after, lines: after.lines - 1 }).toEqual(before);
  });

  it('sent twice under one key is charged once, and another one under that key is refused', async () => {
    const main = await makeMain(api);
    const again = main.client.with({ 'Idempotency-Key': 'a-recording' });
    const fields = { ...toSpanish, transcript: 'The house is big.', speech: 'false' };
    const [first, second] = await Promise.all([
      again.upload(translateVoice, fields, clip),
      again.upload(translateVoice, fields, clip),
    ]);
    expect([first.status, second.body]).toEqual([200, first.body]);
    const other = await again.upload(translateVoice, fields, await recorded(clip, 'mp3'));
    expect(other).toMatchObject({ status: 409, body: { code: 'IDEMPOTENCY_KEY_REUSED' } });
    expect((await accountOf(api, main)).memberAccount.usableVoiceNum).toBe(19);
  });
});

describe('refused free of charge', () => {
  const garbage = Buffer.from(Array.from({ length: 50_000 }, (_, n) => (n * 7_919) % 251));
  const cases: [string, Record<string, string>, () => Promise<Buffer>, string][] = [
    ['silence', {}, () => sound('anullsrc=r=16000:cl=mono', 4), 'NO_SPEECH_FOUND'],
    ['a steady noise', {}, () => sound('anoisesrc=a=0.3:d=4', 4), 'NO_SPEECH_FOUND'],
    ['a tone', {}, () => sound('sine=440', 4), 'NO_SPEECH_FOUND'],
    ['speech in another language', {}, () => synthesized(CHINESE, 'cmn'), 'SPEECH_UNCLEAR'],
    ['speech in a robotic voice', {}, () => synthesized('Thank you for your quick reply.', 'en-us'), 'SPEECH_UNCLEAR'],
    ['31 seconds', {}, () => sound('anoisesrc=a=0.2', 31, 'ogg'), 'VOICE_TOO_LONG'],
    ['31 seconds with a transcript', { transcript: 'Hello' }, () => sound('sine=300', 31, 'mp3'), 'VOICE_TOO_LONG'],
    ['hours packed into a small file', {}, () => sound('anullsrc=r=8000:cl=mono', 7_200, 'flac'), 'VOICE_TOO_LONG'],
    ['bytes without a meaning', {}, () => Promise.resolve(garbage), 'NOT_AUDIO'],
    ['a text', {}, () => Promise.resolve(Buffer.from('ID this is no MP3')), 'NOT_AUDIO'],
    ['a playlist', {}, () => Promise.resolve(Buffer.from('#EXTM3U\n/etc/passwd\n')), 'NOT_AUDIO'],
    ['an archive', {}, () => Promise.resolve(Buffer.concat([Buffer.from('PK\x03\x04'), garbage])), 'NOT_AUDIO'],
    [
      'what only begins like a recording',
      {},
      () => Promise.resolve(Buffer.concat([Buffer.from('OggS'), garbage])),
      'NOT_AUDIO',
    ],
    ['a file that was cut off in its head', {}, () => Promise.resolve(clip.subarray(0, 40)), 'NOT_AUDIO'],
    ['a film without sound', {}, silentFilm, 'NOT_AUDIO'],
    [
      'a language that is not heard here',
      { source: 'zh-Hans', target: 'zh-Hant' },
      () => Promise.resolve(clip),
      'MEDIA_LANGUAGE_NOT_SUPPORTED',
    ],
    [
      'a pair that has only a gloss',
      { source: 'zh-Hans', target: 'en', transcript: '头发很长' },
      () => Promise.resolve(clip),
      'ONLY_GLOSS',
    ],
    ['a pair that nobody does', { target: 'de' }, () => Promise.resolve(clip), 'PAIR_NOT_SUPPORTED'],
    ['its own language', { target: 'en' }, () => Promise.resolve(clip), 'SAME_LANGUAGE'],
    ['its own language, found out', { source: 'auto', target: 'en' }, () => Promise.resolve(clip), 'SAME_LANGUAGE'],
  ];
  it.each(cases)('%s', async (_what, fields, file, code) => {
    const bytes = await file();
    const ask = () => member.client.upload(translateVoice, { ...toSpanish, ...fields }, bytes);
    expect(await expectNoCharge(api, member, ask)).toMatchObject({ status: 422, body: { success: false, code } });
  });

  it.each([
    ['an unknown language', { target: 'xx' }, 'target', 'LANGUAGE_UNKNOWN'],
    ['an empty transcript', { transcript: ' ' }, 'transcript', 'TEXT_REQUIRED'],
    ['a transcript that is too long', { transcript: 'a'.repeat(5_001) }, 'transcript', 'TEXT_MAX'],
    ['another word than true and false', { speech: 'yes' }, 'speech', 'WRONG_VALUE'],
  ])('%s', async (_what, fields, at, code) => {
    const form = { ...toSpanish, ...fields };
    const answer = await expectNoCharge(api, member, () => member.client.upload(translateVoice, form, clip));
    expect(answer).toMatchObject({ status: 422, body: { code: 'VALIDATION_FAILED', errors: [{ path: at, code }] } });
  });

  it('a sub-account without voice quota of its own', async () => {
    const sub = await makeSub(api, member, 100);
    const fields = { ...toSpanish, transcript: 'Hello', speech: 'false' };
    const answer = await expectNoCharge(api, sub, () => sub.client.upload(translateVoice, fields, clip));
    expect(answer).toMatchObject({ status: 422, body: { code: 'QUOTA_NOT_ENOUGH' } });
  });
});

describe('a transcript', () => {
  it('is free, but only for members who could pay', async () => {
    const main = await makeMain(api);
    const ask = () => main.client.upload(transcribe, { source: 'en' }, clip);
    expect(await expectNoCharge(api, main, ask)).toMatchObject({
      status: 200,
      body: { data: { seconds: expect.any(Number) } },
    });
    await adjust(api, main.session.userId, { voiceChange: -20 });
    expect(await expectNoCharge(api, main, ask)).toMatchObject({ status: 422, body: { code: 'QUOTA_NOT_ENOUGH' } });
    await adjust(api, main.session.userId, { voiceChange: 1, expireAt: Date.now() - 1_000 });
    expect(await expectNoCharge(api, main, ask)).toMatchObject({ status: 422, body: { code: 'PACKAGE_EXPIRED' } });
  });

  it('is refused for the same reasons as the translation', async () => {
    const refused = async (source: string, file: Buffer) =>
      (await expectNoCharge(api, member, () => member.client.upload(transcribe, { source }, file))).body;
    expect(await refused('fr', clip)).toMatchObject({ code: 'MEDIA_LANGUAGE_NOT_SUPPORTED' });
    expect(await refused('xx', clip)).toMatchObject({ code: 'VALIDATION_FAILED' });
    expect(await refused('en', Buffer.from('no'))).toMatchObject({ code: 'NOT_AUDIO' });
    expect(await refused('en', await sound('anullsrc', 2))).toMatchObject({ code: 'NO_SPEECH_FOUND' });
  });
});

describe('an unclear recording', () => {
  it('is refused with the doubtful text in both languages, and translated once that is corrected', async () => {
    const main = await makeMain(api);
    const file = await synthesized(CHINESE, 'cmn');
    const send = (language: string) =>
      expectNoCharge(api, main, () =>
        main.client.with({ 'Accept-Language': language }).upload(transcribe, { source: 'en' }, file),
      );
    const refused = {
      success: false,
      code: 'SPEECH_UNCLEAR',
      data: { transcript: expect.stringMatching(/^[a-z' I]+$/) },
    };
    const zh = await send('zh-CN');
    expect(zh).toMatchObject({ status: 422, body: { ...refused, msg: expect.stringContaining('本次未扣费') } });
    const en = await send('en-US');
    expect(en).toMatchObject({
      status: 422,
      body: { ...refused, msg: expect.stringContaining('You were not charged') },
    });
    const fields = { ...toSpanish, transcript: 'The house is big.', speech: 'false' };
    expect((await main.client.upload(translateVoice, fields, file)).body).toMatchObject({
      data: { translated: 'La casa es grande.', charged: 1 },
    });
  });

  it('cannot be sent in a language that the engine does not hear, nor is detection offered', async () => {
    const [offline] = (await member.client.call(listMediaAbilities, {})).filter(({ channelId }) => channelId === 1);
    expect(offline?.voice).toMatchObject({ sources: ['en', 'en-GB'], auto: false, experimental: true });
  });
});

describe('transcripts', () => {
  it('are limited in number for each member', async () => {
    const bounded = await startApi({ LIMIT_TRANSCRIPTS_PER_HOUR: '1' });
    try {
      const [one, other] = [await makeMain(bounded), await makeMain(bounded)];
      const ask = ({ client }: TestMember) => client.upload(transcribe, { source: 'en' }, clip);
      // Refusals before transcribing do not count.
      expect((await one.client.upload(transcribe, { source: 'en' }, Buffer.from('no'))).status).toBe(422);
      expect((await ask(one)).status).toBe(200);
      const second = await ask(one);
      expect([second.status, Number(second.headers['retry-after']) > 0]).toEqual([429, true]);
      expect((await ask(other)).status).toBe(200);
    } finally {
      await bounded.stop();
    }
  }, 120_000);
});

// Engines that are installed in the system cannot be hidden from one process.
const engines = ['ffmpeg', 'pocketsphinx_continuous', 'espeak-ng'].some((name) => existsSync(`/usr/bin/${name}`));
(engines ? describe.skip : describe)('without engines', () => {
  let bare: TestApi;
  let nowhere: string;
  beforeAll(async () => {
    nowhere = await mkdtemp(path.join(tmpdir(), 'no-engines-'));
    bare = await startApi({ MEDIA_DIR: nowhere });
  });
  afterAll(async () => {
    await bare.stop();
    await rm(nowhere, { recursive: true });
  });

  it.each([
    ['en-US', 'wav', 'pocketsphinx'],
    ['zh-CN', 'wav', '语音识别引擎未安装'],
    ['en-US', 'm4a', 'only WAV recordings can be read'],
  ] as const)('report what is missing (%s, %s), free of charge', async (language, format, said) => {
    const main = await makeMain(bare);
    const client = main.client.with({ 'Accept-Language': language });
    const file = await recorded(clip, format);
    for (const ask of [
      () => client.upload(translateVoice, toSpanish, file),
      () => client.upload(transcribe, { source: 'en' }, file),
    ])
      expect(await expectNoCharge(bare, main, ask)).toMatchObject({
        status: 422,
        body: { code: 'ENGINE_MISSING', data: { reason: expect.stringContaining(said) } },
      });
  });

  it('can still be corrected and translated from a recording that needs no decoder', async () => {
    const main = await makeMain(bare);
    const fields = { source: 'zh-Hans', target: 'zh-Hant', transcript: '头发很长' };
    const { body } = await main.client.upload(translateVoice, fields, clip);
    expect(body).toMatchObject({ data: { translated: '頭髮很長', speech: null, charged: 1 } });
    expect((await accountOf(bare, main)).memberAccount.usableVoiceNum).toBe(19);
  });
});
