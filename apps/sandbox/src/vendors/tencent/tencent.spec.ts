import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

import {
  askTencent,
  tencentCall,
  VendorSandbox,
  type Json,
  type TencentCall,
} from '../../../test-support/vendor-sandbox.js';
import { expectedSignature, readCredential } from './tencent-signature.js';

let vendors: VendorSandbox;
const ACCOUNT = 'sandbox-tencent-spec';

beforeAll(async () => {
  vendors = await VendorSandbox.open();
});
afterAll(async () => vendors.close());

const wanted = (over: Json = {}) => ({ SourceText: 'Hello', Source: 'en', Target: 'zh', ProjectId: 0, ...over });
async function ask(body: unknown, call: Partial<TencentCall> = {}) {
  const heard = await askTencent(vendors, body, { account: ACCOUNT, ...call });
  expect(heard.status).toBe(200);
  return heard.json?.['Response'] as Json & { Error?: { Code: string } };
}
const codeOf = async (body: unknown, call: Partial<TencentCall> = {}) => (await ask(body, call)).Error?.Code;

describe('the vectors of TC3', () => {
  const file = join(import.meta.dirname, '../../../vectors/tencent-tc3.json');
  const { documented, tmt } = JSON.parse(readFileSync(file, 'utf8')) as Record<string, Vector[]>;

  it.each([...documented!, ...tmt!])('$name', ({ input, expect: wants }) => {
    const credential = readCredential(wants.authorization)!;
    const received = {
      method: 'POST',
      url: '/',
      headers: { 'content-type': input['ct'], host: input['host'], 'x-tc-action': input['action'] },
      body: Buffer.from(String(input['payload'])),
    };
    const by = { ...credential, secretKey: String(input['secretKey'] ?? input['key']), timestamp: String(input['ts']) };
    expect(expectedSignature(received, by)).toBe(wants.signature);
    expect(credential.signature).toBe(wants.signature);
    const other = Buffer.from(received.body.toString().replace(/.$/, ' '));
    expect(expectedSignature({ ...received, body: other }, by)).not.toBe(wants.signature);
  });
});

interface Vector {
  readonly name: string;
  readonly input: Readonly<Record<string, string>>;
  readonly expect: { readonly authorization: string; readonly signature: string };
}

describe('Tencent', () => {
  it('translates signed requests and meters the source', async () => {
    expect(await ask(wanted({ SourceText: 'Hello 😀' }))).toEqual({
      TargetText: '你好 😀',
      Source: 'en',
      Target: 'zh',
      UsedAmount: 7,
      RequestId: expect.stringMatching(/^[0-9a-f-]{36}$/),
    });
  });

  it('accepts the path as sent, with and without a trailing slash', async () => {
    expect(await ask(wanted(), { path: '/vendors/tencent' })).toMatchObject({ TargetText: '你好' });
  });

  it.each([
    ['another secret', { secret: 'sandbox-tencent-secret-other' }, 'AuthFailure.SignatureFailure'],
    ['an unknown id', { account: 'AKIDxxxx', secret: 'x' }, 'AuthFailure.SecretIdNotFound'],
    ['a clock that is late', { timestamp: Math.floor(Date.now() / 1000) - 330 }, 'AuthFailure.SignatureExpire'],
    ['a clock that is early', { timestamp: Math.floor(Date.now() / 1000) + 330 }, 'AuthFailure.SignatureExpire'],
    ['no signature', { headers: { authorization: '' } }, 'AuthFailure.SignatureFailure'],
    ['another type than was signed', { headers: { 'content-type': 'text/plain' } }, 'AuthFailure.SignatureFailure'],
    [
      'another action than was signed',
      { headers: { 'x-tc-action': 'LanguageDetect' } },
      'AuthFailure.SignatureFailure',
    ],
    ['an unknown action', { action: 'TextTranslat' }, 'InvalidAction'],
    ['another version', { headers: { 'x-tc-version': '2017-01-01' } }, 'NoSuchVersion'],
    ['no region', { headers: { 'x-tc-region': '' } }, 'MissingParameter'],
    ['a region that is none', { headers: { 'x-tc-region': 'moon' } }, 'UnsupportedRegion'],
  ] as const)('refuses %s', async (_what, call, code) => {
    expect(await codeOf(wanted(), call)).toBe(code);
  });

  it('rejects a signature for another path', async () => {
    const elsewhere = tencentCall(vendors, wanted(), { account: ACCOUNT, path: '/' });
    expect((await vendors.send('/vendors/tencent/', elsewhere)).text).toContain('AuthFailure.SignatureFailure');
  });

  it.each([
    ['no text', { SourceText: undefined }, 'MissingParameter'],
    ['an empty text', { SourceText: '' }, 'MissingParameter'],
    ['a text that is none', { SourceText: 1 }, 'InvalidParameter'],
    ['no project', { ProjectId: undefined }, 'MissingParameter'],
    ['a project that is no number', { ProjectId: '0' }, 'InvalidParameter'],
    ['a field that it does not know', { Sauce: 'x' }, 'UnknownParameter'],
    ['2,001 characters', { SourceText: 'a'.repeat(2001) }, 'UnsupportedOperation.TextTooLong'],
    ['an unknown source', { Source: 'xx' }, 'UnsupportedOperation.UnsupportedSourceLanguage'],
    ['auto', { Source: 'auto' }, 'UnsupportedOperation.UnsupportedSourceLanguage'],
    ['an unknown target', { Target: 'nl' }, 'UnsupportedOperation.UnSupportedTargetLanguage'],
    ['a language into itself', { Target: 'en' }, 'UnsupportedOperation.UnsupportedLanguage'],
  ])('refuses %s', async (_what, over, code) => {
    expect(await codeOf(wanted(over))).toBe(code);
  });

  it('accepts 2,000 characters, counted as code points', async () => {
    expect(await codeOf(wanted({ SourceText: '😀'.repeat(1000) + 'a'.repeat(1000) }))).toBe(undefined);
  });

  it.each([
    ['en', 'hi', true],
    ['hi', 'en', true],
    ['zh', 'hi', false],
    ['hi', 'zh', false],
    ['zh', 'zh-TW', true],
    ['zh-TW', 'ar', true],
    ['ja', 'ko', true],
    ['ja', 'fr', false],
    ['fr', 'tr', true],
    ['fr', 'vi', false],
    ['vi', 'zh', true],
    ['vi', 'th', false],
    ['ar', 'en', true],
  ])('%s into %s: %s', async (source, target, is) => {
    const code = await codeOf(wanted({ Source: source, Target: target, SourceText: 'abc def' }));
    expect(code).toBe(is ? undefined : 'UnsupportedOperation.UnsupportedLanguage');
  });

  it('serves the older API for accounts with its suffix', async () => {
    const call = { account: 'sandbox-tencent-spec-auto' };
    expect(await ask(wanted({ Source: 'auto', SourceText: 'Guten Tag' }), call)).toMatchObject({ Source: 'de' });
    expect(await ask({ Text: 'こんにちは', ProjectId: 0 }, { action: 'LanguageDetect' })).toMatchObject({ Lang: 'jp' });
    const list = { SourceTextList: ['Hello', 'Thank you'], Source: 'en', Target: 'zh', ProjectId: 0 };
    expect(await ask(list, { action: 'TextTranslateBatch' })).toMatchObject({ TargetTextList: ['你好', '谢谢您'] });
  });

  it('limits the rate only of accounts named for it', async () => {
    const codes = (account: string) => Promise.all(Array.from({ length: 40 }, () => codeOf(wanted(), { account })));
    const limited = await codes('sandbox-tencent-spec-5qps');
    expect(limited.filter((code) => code === undefined).length).toBeGreaterThanOrEqual(5);
    expect(limited).toContain('RequestLimitExceeded');
    expect((await codes('sandbox-tencent-free')).filter(Boolean)).toEqual([]);
  });
});
