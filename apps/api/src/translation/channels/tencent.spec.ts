import { afterEach, describe, expect, it } from '@jest/globals';
import { type StubAnswer, stubServer } from '../../../test/support/stub-server.js';
import { accountAt, asked as request, kindOf } from '../../../test/support/vendor-accounts.js';
import { languages } from './languages.js';
import { tc3Authorization, tencent, tencentTranslates } from './tencent.js';

const open: (() => Promise<void>)[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((close) => close()));
});

async function vendor(answer: () => StubAnswer) {
  const server = await stubServer(answer);
  const client = tencent.client(accountAt('tencent', { baseUrl: `${server.url}/tmt`, region: 'ap-shanghai', ...KEY }));
  open.push(
    () => client.close(),
    () => server.close(),
  );
  return { client, asked: server.asked, host: new URL(server.url).host };
}

const KEY = { key: 'test-key', secret: 'test-secret' };
const TEXT = 'Hello, 世界 😀';
const texts = [TEXT];
const said = (response: object): StubAnswer => ({
  body: JSON.stringify({ Response: { ...response, RequestId: 'id' } }),
});
const good = () => said({ TargetText: '你好', Source: 'en', Target: 'zh', UsedAmount: 5 });

describe('Tencent', () => {
  it('sends one text with a valid signature', async () => {
    const { client, asked, host } = await vendor(good);
    const before = Math.floor(Date.now() / 1_000);
    expect(await client.translate(request({ texts }))).toEqual({ texts: ['你好'], detected: [null] });
    const [one] = asked;
    if (!one) throw new Error('nothing was asked');
    expect([one.method, one.url]).toEqual(['POST', '/tmt/']);
    expect(JSON.parse(one.body)).toEqual({ SourceText: 'Hello, 世界 😀', Source: 'en', Target: 'zh', ProjectId: 0 });
    const timestamp = Number(one.headers['x-tc-timestamp']);
    expect(timestamp).toBeGreaterThanOrEqual(before);
    expect(one.headers).toMatchObject({
      host,
      'content-type': 'application/json; charset=utf-8',
      'x-tc-action': 'TextTranslate',
      'x-tc-version': '2018-03-21',
      'x-tc-region': 'ap-shanghai',
      // From the request as received, not as built.
      authorization: tc3Authorization(
        {
          service: 'tmt',
          path: one.url,
          headers: {
            'content-type': one.headers['content-type'] ?? '',
            host: one.headers['host'] ?? '',
            'x-tc-action': one.headers['x-tc-action'] ?? '',
          },
          body: one.body,
          timestamp,
        },
        { id: 'test-key', secret: 'test-secret' },
      ),
    });
  });

  it('uses its own language codes', async () => {
    const { client, asked } = await vendor(good);
    await client.translate(request({ texts, source: 'zh-Hant', target: 'pt-PT' }));
    expect(JSON.parse(asked[0]?.body ?? '')).toMatchObject({ Source: 'zh-TW', Target: 'pt' });
  });

  it.each([
    ['AuthFailure.SignatureFailure', 'auth'],
    ['AuthFailure.SignatureExpire', 'auth'],
    ['AuthFailure.SecretIdNotFound', 'auth'],
    ['AuthFailure.TokenFailure', 'auth'],
    ['AuthFailure.InvalidSecretId', 'auth'],
    ['UnauthorizedOperation', 'auth'],
    ['UnauthorizedOperation.ActionNotFound', 'auth'],
    ['FailedOperation.NoFreeAmount', 'quota'],
    ['FailedOperation.ServiceIsolate', 'quota'],
    ['FailedOperation.UserNotRegistered', 'quota'],
    ['LimitExceeded', 'rate'],
    ['LimitExceeded.LimitedAccessFrequency', 'rate'],
    ['RequestLimitExceeded', 'rate'],
    ['RequestLimitExceeded.UinLimitExceeded', 'rate'],
    ['InternalError', 'transient'],
    ['InternalError.BackendTimeout', 'transient'],
    ['InternalError.ErrorUnknown', 'transient'],
    ['InternalError.RequestFailed', 'transient'],
    ['FailedOperation.RequestAiLabErr', 'transient'],
    ['UnsupportedOperation.UnsupportedLanguage', 'unsupported'],
    ['UnsupportedOperation.UnSupportedTargetLanguage', 'unsupported'],
    ['UnsupportedOperation.UnsupportedSourceLanguage', 'unsupported'],
    ['FailedOperation.LanguageRecognitionErr', 'unsupported'],
    ['UnsupportedOperation.TextTooLong', 'too-long'],
    ['InvalidParameter', 'bad-request'],
    ['InvalidParameter.DuplicatedSessionIdAndSeq', 'bad-request'],
    ['InvalidParameterValue', 'bad-request'],
    ['MissingParameter', 'bad-request'],
    ['NobodyKnowsThis', 'transient'],
    ['constructor', 'transient'],
  ])('%s is %s', async (Code, kind) => {
    const { client } = await vendor(() => said({ Error: { Code, Message: 'Hello, 世界' } }));
    expect(await kindOf(client.translate(request({ texts })), [TEXT, '世界', KEY.key, KEY.secret])).toBe(kind);
  });

  it.each([
    [{ status: 502, body: 'bad gateway' }, 'transient'],
    [{ status: 429, headers: { 'retry-after': '3' } }, 'rate'],
    [{ status: 500, ...said({ Error: { Code: 'RequestLimitExceeded', Message: '' } }) }, 'rate'],
    [{ body: '{"Response":' }, 'bad-answer'],
    [said({}), 'bad-answer'],
    [said({ TargetText: ' \n' }), 'bad-answer'],
    [{ body: 'null' }, 'bad-answer'],
  ])('%j is %s', async (answer, kind) => {
    const { client } = await vendor(() => answer);
    expect(await kindOf(client.translate(request({ texts })), [])).toBe(kind);
  });

  it('refuses unsupported pairs and language detection', async () => {
    const { client, asked } = await vendor(good);
    for (const pair of [{ source: 'ja', target: 'fr' }, { source: null }, { target: 'uk' }])
      expect(await kindOf(client.translate(request({ texts, ...pair })), [])).toBe('unsupported');
    expect(asked).toHaveLength(0);
    expect(client.supports('en', 'hi')).toBe(true);
    expect(client.supports('zh-Hans', 'hi')).toBe(false);
    expect(client.supports(null, 'en')).toBe(false);
    expect(client.languages().auto).toBe(false);
  });
});

describe('Tencent pairs', () => {
  const codes = languages().flatMap(({ langCode }) => tencent.languages.own(langCode) ?? []);
  const targetsOf = (source: string) => codes.filter((target) => tencentTranslates(source, target)).sort();
  const all = (...but: string[]) => codes.filter((code) => !but.includes(code)).sort();
  const EUROPE = ['fr', 'es', 'it', 'de', 'tr', 'ru', 'pt'];

  it('match its table in both directions', () => {
    expect(codes).toHaveLength(18);
    expect(targetsOf('en')).toEqual(all('en'));
    expect(targetsOf('zh')).toEqual(all('zh', 'hi'));
    expect(targetsOf('zh-TW')).toEqual(all('zh-TW', 'hi'));
    expect(targetsOf('ja')).toEqual(['en', 'ko', 'zh', 'zh-TW']);
    expect(targetsOf('ko')).toEqual(['en', 'ja', 'zh', 'zh-TW']);
    for (const code of EUROPE)
      expect(targetsOf(code)).toEqual([...EUROPE.filter((other) => other !== code), 'en', 'zh', 'zh-TW'].sort());
    for (const code of ['vi', 'id', 'th', 'ms', 'ar']) expect(targetsOf(code)).toEqual(['en', 'zh', 'zh-TW']);
    expect(targetsOf('hi')).toEqual(['en']);
    for (const a of codes) for (const b of codes) expect(tencentTranslates(a, b)).toBe(tencentTranslates(b, a));
  });
});
