import { createHash } from 'node:crypto';
import { afterEach, describe, expect, it } from '@jest/globals';
import { type StubAnswer, stubServer } from '../../../test/support/stub-server.js';
import { accountAt, asked as request, kindOf } from '../../../test/support/vendor-accounts.js';
import { youdao } from './youdao.js';

const open: (() => Promise<void>)[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((close) => close()));
});

type Heard = { path: string; form: URLSearchParams; counted: 'utf16' | 'codePoints' | 'both' | 'neither' };

/** Parses a form and returns which count its signature matches. */
async function vendor(answer: (heard: Heard, nth: number) => StubAnswer) {
  const heard: Heard[] = [];
  const server = await stubServer(({ url, body }) => {
    const form = new URLSearchParams(body);
    const one = { path: url, form, counted: countingOf(form) };
    heard.push(one);
    return answer(one, heard.length);
  });
  const client = youdao.client(accountAt('youdao', { baseUrl: `${server.url}/yd`, ...KEY }));
  open.push(
    () => client.close(),
    () => server.close(),
  );
  return { client, heard, asked: server.asked };
}

// Written from the documentation, independent of the tested code.
function countingOf(form: URLSearchParams): Heard['counted'] {
  const q = form.getAll('q').join('');
  const points = Array.from(q);
  const inputs = {
    utf16: q.length > 20 ? q.slice(0, 10) + q.length + q.slice(-10) : q,
    codePoints: points.length > 20 ? points.slice(0, 10).join('') + points.length + points.slice(-10).join('') : q,
  };
  const right = (input: string) =>
    form.get('sign') ===
    createHash('sha256')
      .update(`${form.get('appKey')}${input}${form.get('salt')}${form.get('curtime')}test-secret`)
      .digest('hex');
  const [utf16, codePoints] = [right(inputs.utf16), right(inputs.codePoints)];
  return utf16 && codePoints ? 'both' : utf16 ? 'utf16' : codePoints ? 'codePoints' : 'neither';
}

const KEY = { key: 'test-key', secret: 'test-secret' };
const TEXT = 'Hello & 100% <b>+</b>';
const simple = { texts: [TEXT] };
const json = (body: object): StubAnswer => ({ body: JSON.stringify(body) });
const good = (l = 'en2zh-CHS', translation = ['你好']) => json({ errorCode: '0', query: '', translation, l });
const EMOJI = '😀'.repeat(11);

describe('Youdao', () => {
  it('sends a signed form', async () => {
    const { client, heard, asked } = await vendor(() => good());
    const before = Math.floor(Date.now() / 1_000);
    expect(await client.translate(request(simple))).toEqual({ texts: ['你好'], detected: [null] });
    const [one] = heard;
    expect([asked[0]?.method, one?.path]).toEqual(['POST', '/yd/api']);
    expect(asked[0]?.headers['content-type']).toMatch(/^application\/x-www-form-urlencoded/);
    expect(Object.fromEntries(one?.form ?? [])).toMatchObject({
      q: TEXT,
      from: 'en',
      to: 'zh-CHS',
      appKey: 'test-key',
      signType: 'v3',
      strict: 'true',
    });
    expect(one?.counted).toBe('both');
    expect(Number(one?.form.get('curtime'))).toBeGreaterThanOrEqual(before);
    expect(asked[0]?.body).not.toContain('test-secret');
  });

  it('signs every request anew', async () => {
    const { client, heard } = await vendor(() => good());
    await client.translate(request(simple));
    await client.translate(request(simple));
    expect(new Set(heard.map(({ form }) => form.get('salt'))).size).toBe(2);
  });

  it.each([
    ['fr2zh-CHS', 'fr'],
    ['zh-CHT2zh-CHS', 'zh-Hant'],
    ['tl2zh-CHS', 'fil'],
    ['fr2zh', 'fr'],
    ['xx2zh-CHS', null],
  ])('parses the detected source: %s', async (l, langCode) => {
    const { client, heard } = await vendor(() => good(l));
    expect((await client.translate(request({ ...simple, source: null }))).detected).toEqual([langCode]);
    expect(heard[0]?.form.get('from')).toBe('auto');
  });

  it('joins the lines of a text in the response', async () => {
    const lines = ['一', '二'];
    const { client } = await vendor(() => good('en2zh-CHS', lines));
    expect((await client.translate(request({ texts: ['one\ntwo'] }))).texts).toEqual(['一\n二']);
    expect(await kindOf(client.translate(request({ texts: ['one'] })), [TEXT, KEY.key, KEY.secret])).toBe('bad-answer');
  });

  it('sends several texts at once under one signature', async () => {
    const { client, heard } = await vendor(() =>
      json({
        errorCode: '0',
        translateResults: [
          { query: 'one', translation: '一', type: 'en2zh-CHS' },
          { query: 'deux', translation: '二', type: 'fr2zh-CHS' },
        ],
      }),
    );
    const texts = ['one and a few words more', 'deux'];
    expect(await client.translate(request({ texts, source: null }))).toEqual({
      texts: ['一', '二'],
      detected: ['en', 'fr'],
    });
    expect([heard[0]?.path, heard[0]?.form.getAll('q'), heard[0]?.counted]).toEqual(['/yd/v2/api', texts, 'both']);
  });

  it.each([
    ['a text that it left out', { translateResults: [{ translation: '一' }, { translation: '' }], errorIndex: [1] }],
    ['too few', { translateResults: [{ translation: '一' }] }],
    ['blanks', { translateResults: [{ translation: '' }, { translation: ' ' }] }],
  ])('rejects %s as a response to several texts', async (_what, results) => {
    const { client } = await vendor(() => json({ errorCode: '0', ...results }));
    expect(await kindOf(client.translate(request({ texts: ['one', 'two'] })), [TEXT, KEY.key, KEY.secret])).toBe(
      'bad-answer',
    );
    expect(client.limits.textsPerRequest).toBeGreaterThan(1);
  });

  it.each([json({ errorCode: '110' }), json({ errorCode: '205' }), { status: 404 }])(
    'sends texts one by one for apps without batches: %j',
    async (answer) => {
      const { client, heard } = await vendor(({ path }) => (path === '/yd/api' ? good() : answer));
      const ask = () => kindOf(client.translate(request({ texts: ['one', 'two'] })), [TEXT, KEY.key, KEY.secret]);
      expect(await ask()).toBe('too-long');
      expect(client.limits.textsPerRequest).toBe(1);
      // Known by now: no more trial request.
      expect(await ask()).toBe('too-long');
      expect(heard).toHaveLength(1);
      expect((await client.translate(request(simple))).texts).toEqual(['你好']);
    },
  );

  it('switches to code points when a UTF-16 signature is refused, and remembers it', async () => {
    const { client, heard } = await vendor(({ counted }) =>
      counted === 'codePoints' || counted === 'both' ? good() : json({ errorCode: '202' }),
    );
    expect((await client.translate(request({ texts: [EMOJI] }))).texts).toEqual(['你好']);
    expect(heard.map(({ counted }) => counted)).toEqual(['utf16', 'codePoints']);
    expect(new Set(heard.map(({ form }) => form.get('salt'))).size).toBe(2);
    await client.translate(request({ texts: [`${EMOJI} again`] }));
    expect(heard.map(({ counted }) => counted)).toEqual(['utf16', 'codePoints', 'codePoints']);
  });

  it('does not retry the signature when both counts agree', async () => {
    const { client, heard } = await vendor(() => json({ errorCode: '202' }));
    expect(await kindOf(client.translate(request({ texts: ['a'.repeat(30)] })), [TEXT, KEY.key, KEY.secret])).toBe(
      'auth',
    );
    expect(heard).toHaveLength(1);
    expect(await kindOf(client.translate(request({ texts: [EMOJI] })), [TEXT, KEY.key, KEY.secret])).toBe('auth');
    expect(heard.map(({ counted }) => counted)).toEqual(['both', 'utf16', 'codePoints']);
    // Neither count was right, so nothing was learnt.
    expect(await kindOf(client.translate(request({ texts: [EMOJI] })), [TEXT, KEY.key, KEY.secret])).toBe('auth');
    expect(heard.slice(3).map(({ counted }) => counted)).toEqual(['utf16', 'codePoints']);
  });

  it('retries once with a new salt when the salt was used before', async () => {
    const { client, heard } = await vendor((_heard, nth) => (nth === 1 ? json({ errorCode: '207' }) : good()));
    expect((await client.translate(request(simple))).texts).toEqual(['你好']);
    expect(new Set(heard.map(({ form }) => form.get('salt'))).size).toBe(2);

    const never = await vendor(() => json({ errorCode: '207' }));
    expect(await kindOf(never.client.translate(request(simple)), [TEXT, KEY.key, KEY.secret])).toBe('transient');
    expect(never.heard).toHaveLength(2);
  });

  it.each([
    ['101', 'bad-request'],
    ['102', 'unsupported'],
    ['103', 'too-long'],
    ['104', 'bad-request'],
    ['105', 'bad-request'],
    ['106', 'bad-request'],
    ['107', 'bad-request'],
    ['108', 'auth'],
    ['109', 'auth'],
    ['110', 'auth'],
    ['111', 'auth'],
    ['112', 'auth'],
    ['113', 'bad-request'],
    ['201', 'auth'],
    ['202', 'auth'],
    ['203', 'auth'],
    ['205', 'auth'],
    ['206', 'auth'],
    ['301', 'transient'],
    ['302', 'transient'],
    ['303', 'transient'],
    ['401', 'quota'],
    ['411', 'rate'],
    ['412', 'rate'],
    ['9999', 'transient'],
    [411, 'rate'],
  ])('error %s is %s', async (errorCode, kind) => {
    const { client, heard } = await vendor(() => json({ errorCode, query: 'Hello' }));
    expect(await kindOf(client.translate(request(simple)), [TEXT, KEY.key, KEY.secret])).toBe(kind);
    expect(heard).toHaveLength(1);
  });

  it.each([
    [{ status: 503, body: '<html>' }, 'transient'],
    [{ body: '{' }, 'bad-answer'],
    [{ body: '{}' }, 'bad-answer'],
    [json({ errorCode: '0' }), 'bad-answer'],
    [good('en2zh-CHS', ['']), 'bad-answer'],
    [good('en2zh-CHS', []), 'bad-answer'],
  ])('%j is %s', async (answer, kind) => {
    const { client } = await vendor(() => answer);
    expect(await kindOf(client.translate(request(simple)), [TEXT, KEY.key, KEY.secret])).toBe(kind);
  });

  it('refuses unknown languages', async () => {
    const { client, heard } = await vendor(() => good());
    expect(
      await kindOf(client.translate(request({ ...simple, target: 'tlh-Piqd' })), [TEXT, KEY.key, KEY.secret]),
    ).toBe('unsupported');
    expect(heard).toHaveLength(0);
    expect([client.supports('en', 'fil'), client.supports(null, 'en'), client.supports('en', 'en-GB')]).toEqual([
      true,
      true,
      false,
    ]);
  });
});
