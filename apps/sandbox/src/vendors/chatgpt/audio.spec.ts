import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

import { VendorSandbox, type VendorResponse, type Json } from '../../../test-support/vendor-sandbox.js';

let vendors: VendorSandbox;
const ACCOUNT = 'sandbox-chatgpt-audio-spec';

beforeAll(async () => {
  vendors = await VendorSandbox.open();
});
afterAll(async () => vendors.close());

const authorization = (account = ACCOUNT) => ({ authorization: `Bearer ${account}` });
const errorIn = (json: Json | undefined) => json?.['error'] as { code: string | null; param: string | null };

/** A mono WAV file of 16-bit samples at 16 kHz. */
function wav(seconds: number, loudness = 8_000): Buffer {
  const data = Buffer.alloc(Math.round(seconds * 16_000) * 2);
  for (let at = 0; at < data.length; at += 2) data.writeInt16LE(Math.round(Math.sin(at / 9) * loudness), at);
  const head = Buffer.alloc(44);
  head.write('RIFF', 0);
  head.writeUInt32LE(36 + data.length, 4);
  head.write('WAVEfmt ', 8);
  head.writeUInt32LE(16, 16);
  head.writeUInt16LE(1, 20);
  head.writeUInt16LE(1, 22);
  head.writeUInt32LE(16_000, 24);
  head.writeUInt32LE(32_000, 28);
  head.writeUInt16LE(2, 32);
  head.writeUInt16LE(16, 34);
  head.write('data', 36);
  head.writeUInt32LE(data.length, 40);
  return Buffer.concat([head, data]);
}

type Fields = Record<string, string>;

function transcribe(
  file: Buffer,
  fields: Fields = {},
  { name = 'a.wav', account = ACCOUNT } = {},
): Promise<VendorResponse> {
  const body = new FormData();
  for (const [field, value] of Object.entries({ model: 'whisper-1', ...fields })) body.append(field, value);
  body.append('file', new Blob([new Uint8Array(file)]), name);
  return vendors.send('/vendors/chatgpt/v1/audio/transcriptions', {
    method: 'POST',
    headers: authorization(account),
    body,
  });
}

const speak = async (body: object, account = ACCOUNT): Promise<Response> =>
  fetch(vendors.url('/vendors/chatgpt/v1/audio/speech'), {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...authorization(account) },
    body: JSON.stringify({ model: 'tts-1', voice: 'alloy', input: 'Hello', ...body }),
  });

describe('transcription', () => {
  it('returns the same for the same file, with language, duration and segments', async () => {
    const [one, two] = [await transcribe(wav(3), { response_format: 'verbose_json' }), await transcribe(wav(3))];
    expect(one.json).toMatchObject({ task: 'transcribe', language: 'english', duration: 3, text: expect.any(String) });
    expect(two.json).toEqual({ text: one.json?.['text'] });
    expect(one.json?.['text']).toMatch(/^\p{L}.*\.$/u);
    expect(one.json?.['segments']).toHaveLength(1);
  });

  it('is in the requested language', async () => {
    const heard = await transcribe(wav(2), { language: 'ja', response_format: 'verbose_json' });
    expect(heard.json).toMatchObject({ language: 'japanese', text: expect.stringMatching(/\p{Script=Hiragana}/u) });
  });

  it('is empty for silence, and longer for longer recordings', async () => {
    expect((await transcribe(wav(2, 0))).json).toEqual({ text: '' });
    const [short, long] = [await transcribe(wav(2)), await transcribe(wav(30))];
    expect(String(long.json?.['text']).length).toBeGreaterThan(3 * String(short.json?.['text']).length);
  });

  it.each<[string, Buffer, Fields, { name?: string }, number, string | null]>([
    ['no file of sound', Buffer.from('hello'), {}, {}, 400, 'file'],
    ['another name than the content', wav(1), {}, { name: 'a.mp3' }, 400, 'file'],
    ['no name that says what it is', wav(1), {}, { name: 'file' }, 400, 'file'],
    ['too short a sound', wav(0.05), {}, {}, 400, 'file'],
    ['a language by its name', wav(1), { language: 'English' }, {}, 400, 'language'],
    ['an unknown model', wav(1), { model: 'whisper-9' }, {}, 404, null],
    [
      'segments of a model without',
      wav(1),
      { model: 'gpt-4o-transcribe', response_format: 'verbose_json' },
      {},
      400,
      'response_format',
    ],
    ['an unknown field', wav(1), { target: 'en' }, {}, 400, null],
    ['too much', Buffer.concat([wav(1), Buffer.alloc(26 * 1024 * 1024)]), {}, {}, 413, null],
  ])('refuses %s', async (_what, file, fields, options, status, param) => {
    const heard = await transcribe(file, fields, options);
    expect([heard.status, errorIn(heard.json).param]).toEqual([status, param]);
  });

  it('rejects an unknown key and anything but a form', async () => {
    expect((await transcribe(wav(1), {}, { account: 'sk-abc' })).status).toBe(401);
    expect((await vendors.post('/vendors/chatgpt/v1/audio/transcriptions', { a: 1 }, authorization())).status).toBe(
      400,
    );
  });

  it('fails by its own switches, which do not affect translations', async () => {
    const account = vendors.account('chatgpt');
    await vendors.setFault(account, { kind: 'error', call: 'transcribe', times: 1 });
    await vendors.setFault(account, { kind: 'empty', call: 'transcribe' });
    const answers = [await transcribe(wav(1), {}, { account }), await transcribe(wav(1), {}, { account })];
    expect(answers.map(({ status }) => status)).toEqual([503, 200]);
    expect(answers[1]?.json).toEqual({ text: '' });
    const messages = [
      { role: 'system', content: 'From English (en) into German (de)' },
      { role: 'user', content: 'Hello' },
    ];
    const chat = await vendors.post(
      '/vendors/chatgpt/v1/chat/completions',
      { model: 'sandbox-gpt', messages },
      authorization(account),
    );
    expect(chat.status).toBe(200);
    expect((await vendors.calls(account)).calls.map(({ call }) => call)).toEqual([
      'translate',
      'transcribe',
      'transcribe',
    ]);
  });
});

describe('speech', () => {
  it('is an MP3 file as long as the words', async () => {
    const answers = await Promise.all([speak({}), speak({ input: 'Hello '.repeat(20) })]);
    const [short, long] = await Promise.all(answers.map(async (answer) => Buffer.from(await answer.arrayBuffer())));
    expect(answers[0]?.headers.get('content-type')).toBe('audio/mpeg');
    expect(short?.subarray(0, 2)).toEqual(Buffer.from([0xff, 0xf3]));
    expect(long?.length).toBeGreaterThan(3 * (short?.length ?? 0));
  });

  it.each([
    [{ model: 'tts-9' }, 404],
    [{ voice: 'me' }, 400],
    [{ input: '' }, 400],
    [{ input: 'x'.repeat(4_097) }, 400],
    [{ response_format: 'midi' }, 400],
  ])('refuses %j', async (body, status) => {
    expect((await speak(body)).status).toBe(status);
  });

  it('fails by its switch', async () => {
    const account = vendors.account('chatgpt');
    await vendors.setFault(account, { kind: 'quota', call: 'speak' });
    expect((await speak({}, account)).status).toBe(429);
  });
});
