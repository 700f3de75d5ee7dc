import { afterEach, describe, expect, it } from '@jest/globals';
import { type StubAnswer, stubServer, type StubRequest } from '../../../test/support/stub-server.js';
import { accountAt, failureOf, kindOf } from '../../../test/support/vendor-accounts.js';
import { type AudioModels, OpenAiAudio } from './openai-audio.js';

const open: (() => Promise<void>)[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((close) => close()));
});

const KEY = 'sk-test-key';
const TEXT = 'the words that were said';
const MODELS: AudioModels = { transcribe: 'whisper-1', speech: 'tts-1', voice: 'alloy' };
const WAV = Buffer.from('RIFF....WAVE and so on', 'latin1');
const MP3 = Buffer.from([0xff, 0xf3, 0x84, 0xc4, 0, 0]);

async function vendor(answer: (asked: StubRequest) => StubAnswer, models: Partial<AudioModels> = {}) {
  const server = await stubServer(answer);
  const account = accountAt('chatgpt', { baseUrl: `${server.url}/v1`, key: KEY });
  const client = new OpenAiAudio(account, { ...MODELS, ...models });
  open.push(
    () => client.close(),
    () => server.close(),
  );
  return { client, asked: server.asked };
}

const json = (body: object, status = 200): StubAnswer => ({ status, body: JSON.stringify(body) });
const error = (status: number, given: object = {}): StubAnswer =>
  json({ error: { message: `about ${TEXT}`, type: '', param: null, code: null, ...given } }, status);
const recording = (language: string | null = 'fr') => ({ wav: WAV, language, signal: AbortSignal.timeout(30_000) });
const speech = () => ({ text: TEXT, signal: AbortSignal.timeout(30_000) });

describe('a transcription', () => {
  it('sends the recording as a form file under our own name', async () => {
    const { client, asked } = await vendor(() => json({ text: ` ${TEXT} `, language: 'french' }));
    expect(await client.transcribe(recording())).toEqual({ text: TEXT, language: 'french' });
    const [{ method, url, headers, body } = { method: '', url: '', headers: {}, body: '' }] = asked;
    expect([method, url, headers['authorization']]).toEqual(['POST', '/v1/audio/transcriptions', `Bearer ${KEY}`]);
    const form = await new Response(body, { headers: { 'content-type': headers['content-type'] ?? '' } }).formData();
    expect([form.get('model'), form.get('language'), form.get('response_format')]).toEqual([
      'whisper-1',
      'fr',
      'verbose_json',
    ]);
    const file = form.get('file') as File;
    expect([file.name, file.type, await file.text()]).toEqual(['speech.wav', 'audio/wav', WAV.toString('latin1')]);
  });

  it('lets the model detect the language', async () => {
    const { client, asked } = await vendor(() => json({ text: TEXT }));
    expect(await client.transcribe(recording(null))).toEqual({ text: TEXT, language: null });
    expect(asked[0]?.body).not.toContain('name="language"');
  });

  it('falls back to the plain format for models without another, and remembers it', async () => {
    const { client, asked } = await vendor(({ body }) =>
      body.includes('verbose_json') ? error(400, { param: 'response_format' }) : json({ text: TEXT }),
    );
    await client.transcribe(recording());
    await client.transcribe(recording());
    expect(asked.map(({ body }) => body.includes('verbose_json'))).toEqual([true, false, false]);
  });

  it('is empty when the model reports no speech', async () => {
    const doubtful = { no_speech_prob: 0.9, avg_logprob: -1.4 };
    const answers = [
      [doubtful, doubtful],
      [doubtful, { ...doubtful, avg_logprob: -0.2 }],
    ];
    const { client } = await vendor(() => json({ text: 'Thank you.', segments: answers.shift() }));
    expect([(await client.transcribe(recording())).text, (await client.transcribe(recording())).text]).toEqual([
      '',
      'Thank you.',
    ]);
  });

  it.each<[string, StubAnswer, string]>([
    ['a server without audio', { status: 404, body: '404 page not found' }, 'unsupported'],
    ['a server without this model', error(404, { code: 'model_not_found' }), 'unsupported'],
    ['a server that knows no such method', { status: 405, body: '' }, 'unsupported'],
    ['a wrong key', error(401, { code: 'invalid_api_key' }), 'auth'],
    ['an empty account', error(429, { code: 'insufficient_quota' }), 'quota'],
    ['too many at once', error(429, { code: 'rate_limit_exceeded' }), 'rate'],
    ['a recording that is too large', error(413), 'too-long'],
    ['a server in trouble', error(503), 'transient'],
    ['another answer', json({ words: [] }), 'bad-answer'],
    ['no JSON', { status: 200, body: 'hello' }, 'bad-answer'],
  ])('maps %s to its own error without details', async (_what, answer, kind) => {
    const { client } = await vendor(() => answer);
    expect(await kindOf(client.transcribe(recording()), [KEY, TEXT])).toBe(kind);
  });

  it('is not requested when switched off', async () => {
    const { client, asked } = await vendor(() => json({ text: TEXT }), { transcribe: null });
    expect([(await failureOf(client.transcribe(recording()))).kind, asked.length]).toEqual(['unsupported', 0]);
  });

  it('is aborted with its caller', async () => {
    const { client } = await vendor(() => ({ body: '{"text":"slow"}', everyMs: 5_000 }));
    const signal = AbortSignal.timeout(200);
    expect((await failureOf(client.transcribe({ ...recording(), signal }))).kind).toBe('timeout');
  });
});

describe('speech', () => {
  it('returns an MP3 file', async () => {
    const { client, asked } = await vendor(() => ({ body: MP3, headers: { 'content-type': 'audio/mpeg' } }));
    expect(await client.speak(speech())).toEqual(MP3);
    expect(asked[0]?.url).toBe('/v1/audio/speech');
    expect(JSON.parse(asked[0]?.body ?? '')).toEqual({
      model: 'tts-1',
      input: TEXT,
      voice: 'alloy',
      response_format: 'mp3',
    });
  });

  it.each<[string, StubAnswer, string]>([
    ['a server without it', { status: 404, body: '' }, 'unsupported'],
    ['something else', { status: 200, body: '{"error":"no"}' }, 'bad-answer'],
    ['nothing', { status: 200, body: '' }, 'bad-answer'],
    ['a redirect', { status: 302, headers: { location: 'http://127.0.0.1:1/' }, body: '' }, 'bad-answer'],
    ['a refusal', error(400, { code: 'content_policy_violation' }), 'blocked'],
  ])('maps %s to its own error', async (_what, answer, kind) => {
    const { client } = await vendor(() => answer);
    expect(await kindOf(client.speak(speech()), [KEY, TEXT])).toBe(kind);
  });
});
