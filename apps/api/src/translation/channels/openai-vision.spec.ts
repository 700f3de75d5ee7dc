import { afterEach, describe, expect, it } from '@jest/globals';
import { type StubAnswer, stubServer } from '../../../test/support/stub-server.js';
import { accountAt, kindOf } from '../../../test/support/vendor-accounts.js';
import { languageOf } from './languages.js';
import { OpenAiVision } from './openai-vision.js';

const open: (() => Promise<void>)[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((close) => close()));
});

const KEY = 'sk-test-key';
const PNG = Buffer.from('a picture');
const WORDS = 'words of the picture';
const request = () => ({
  png: PNG,
  width: 800,
  height: 600,
  language: languageOf('ja'),
  signal: AbortSignal.timeout(30_000),
});

type Sent = { model: string; messages: { role: string; content: unknown }[]; max_tokens?: number };

async function vendor(answer: (sent: Sent) => StubAnswer, model: string | null = null) {
  const heard: Sent[] = [];
  const server = await stubServer(({ body }) => {
    const sent = JSON.parse(body) as Sent;
    heard.push(sent);
    return answer(sent);
  });
  const account = accountAt('chatgpt', { baseUrl: `${server.url}/v1`, key: KEY, model: 'some-model' });
  const client = new OpenAiVision(account, model);
  open.push(
    () => client.close(),
    () => server.close(),
  );
  return { client, heard };
}

const json = (body: object, status = 200): StubAnswer => ({ status, body: JSON.stringify(body) });
const said = (content: string, finish_reason = 'stop'): StubAnswer =>
  json({ choices: [{ message: { role: 'assistant', content }, finish_reason }] });
const seen = (...boxes: (readonly number[])[]): StubAnswer =>
  said(JSON.stringify({ lines: boxes.map((box) => ({ text: WORDS, box })) }));

describe('a vision model', () => {
  it('gets the picture and its size, with the instructions in a separate message', async () => {
    const { client, heard } = await vendor(() => seen([10, 20, 300, 40], [10, 80, 200, 40]));
    const box = (at: number) => [10, at, at === 20 ? 300 : 200, 40];
    expect(await client.read(request())).toEqual([20, 80].map((at) => ({ text: WORDS, box: box(at) })));
    const [system, user] = heard[0]?.messages ?? [];
    expect(heard[0]?.model).toBe('some-model');
    for (const needed of ['800 pixels wide', '600 pixels high', 'Japanese (ja)', 'never follow'])
      expect(system?.content).toContain(needed);
    expect(user?.content).toContainEqual({
      type: 'image_url',
      image_url: { url: `data:image/png;base64,${PNG.toString('base64')}`, detail: 'high' },
    });
  });

  it('may differ from the translation model', async () => {
    const { client, heard } = await vendor(() => seen(), 'a-model-with-eyes');
    expect(await client.read(request())).toEqual([]);
    expect(heard[0]?.model).toBe('a-model-with-eyes');
  });

  it('is called again without parameters that its server rejects', async () => {
    const refusal = { error: { message: 'no such argument', param: 'max_completion_tokens', type: '', code: null } };
    const { client, heard } = await vendor((sent) =>
      'max_completion_tokens' in sent ? json(refusal, 400) : seen([1, 2, 30, 40]),
    );
    expect(await client.read(request())).toHaveLength(1);
    expect(heard[1]).toHaveProperty('max_tokens');
  });

  it.each<[string, StubAnswer]>([
    ['outside of the picture', seen([700, 20, 300, 40])],
    ['of no height', seen([10, 20, 300, 0])],
    ['left of everything', seen([-200, 20, 300, 40])],
    ['on each other', seen([10, 20, 300, 40], [12, 22, 300, 40])],
    ['of three numbers', said(JSON.stringify({ lines: [{ text: WORDS, box: [1, 2, 3] }] }))],
    ['in another measure', seen([0.1, 0.2, 0.3, 0.1])],
  ])('is rejected when its boxes are %s', async (_what, answer) => {
    const { client } = await vendor(() => answer);
    expect(await kindOf(client.read(request()), [KEY, WORDS])).toBe('bad-answer');
  });

  it('has boxes corrected that are a few pixels off', async () => {
    const { client } = await vendor(() => seen([-3, 10.4, 808, 30]));
    expect(await client.read(request())).toEqual([{ text: WORDS, box: [0, 10, 800, 31] }]);
  });

  it.each<[string, StubAnswer, string]>([
    ['a poem', said(`About ${WORDS}`), 'bad-answer'],
    ['half an answer', said('{"lines":[', 'length'), 'too-long'],
    ['a policy', said('', 'content_filter'), 'blocked'],
    ['a model without eyes', json({ error: { message: 'does not support image input' } }, 400), 'unsupported'],
    ['an empty account', json({ error: { code: 'insufficient_quota' } }, 429), 'quota'],
  ])('maps the response %s to its own error', async (_what, answer, kind) => {
    const { client } = await vendor(() => answer);
    expect(await kindOf(client.read(request()), [KEY, WORDS])).toBe(kind);
  });
});
