import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

import { askYoudao, VendorSandbox, youdaoForm, type TranslationCall } from '../../../test-support/vendor-sandbox.js';
import { signatureOf } from './youdao-signature.js';

let vendors: VendorSandbox;
const ACCOUNT = 'sandbox-youdao-spec';
const WANTED: TranslationCall = { texts: ['Hello'], source: 'en', target: 'zh-CHS' };

beforeAll(async () => {
  vendors = await VendorSandbox.open();
});
afterAll(async () => vendors.close());

async function ask(form: URLSearchParams, path = '/api') {
  const { status, json } = await askYoudao(vendors, form, path);
  expect(status).toBe(200);
  return json;
}

interface Case {
  readonly q: string;
  readonly sign: string;
}

describe('the vectors of Youdao', () => {
  const file = join(import.meta.dirname, '../../../vectors/youdao-v3.json');
  const vectors = JSON.parse(readFileSync(file, 'utf8')) as Readonly<Record<string, string>> & {
    readonly cases: readonly Case[];
    readonly astralAmbiguity: Readonly<Record<string, Case>>;
    readonly batch: Case;
  };
  const signed = (text: string) => ({
    text,
    appKey: String(vectors['appKey']),
    salt: String(vectors['salt']),
    curtime: String(vectors['curtime']),
  });
  const secret = String(vectors['appSecret']);

  it.each([...vectors.cases, vectors.batch])('$q', ({ q, sign }) => {
    expect(signatureOf(signed(q), secret, 'utf16')).toBe(sign);
    expect(signatureOf(signed(q), secret, 'points')).toBe(sign);
    expect(signatureOf(signed(`${q} `), secret, 'utf16')).not.toBe(sign);
  });

  it.each([
    ['utf16', 'utf16'],
    ['utf16b', 'utf16'],
    ['codePoints', 'points'],
    ['codePointsB', 'points'],
  ] as const)('%s', (name, counting) => {
    const { q, sign } = vectors.astralAmbiguity[name]!;
    expect(signatureOf(signed(q), secret, counting)).toBe(sign);
  });
});

describe('Youdao', () => {
  it('translates one text and returns the language pair', async () => {
    expect(await ask(youdaoForm(ACCOUNT, WANTED))).toMatchObject({
      errorCode: '0',
      query: 'Hello',
      translation: ['您好'],
      l: 'en2zh-CHS',
    });
    const auto = { texts: ['Guten Tag'], source: null, target: 'en' };
    expect(await ask(youdaoForm(ACCOUNT, auto))).toMatchObject({ l: 'de2en' });
  });

  it('translates several at its batch address', async () => {
    const form = youdaoForm(ACCOUNT, { texts: ['Hello', 'Guten Tag'], source: null, target: 'zh-CHS' });
    expect(await ask(form, '/v2/api')).toMatchObject({
      errorCode: '0',
      errorIndex: [],
      translateResults: [
        { query: 'Hello', translation: '您好', type: 'en2zh-CHS' },
        { query: 'Guten Tag', translation: '您好', type: 'de2zh-CHS' },
      ],
    });
  });

  it('counts astral characters either way, or only as code points for accounts with that suffix', async () => {
    const wanted = { ...WANTED, texts: ['Hello 😀 world, this is long'] };
    expect(await ask(youdaoForm(ACCOUNT, wanted))).toMatchObject({ errorCode: '0' });
    const strict = 'sandbox-youdao-spec-points';
    expect(await ask(youdaoForm(strict, wanted))).toMatchObject({ errorCode: '202' });
    const form = youdaoForm(strict, wanted);
    const signed = {
      text: wanted.texts[0]!,
      appKey: strict,
      salt: form.get('salt')!,
      curtime: form.get('curtime')!,
    };
    form.set('sign', signatureOf(signed, 'sandbox-youdao-secret-spec-points', 'points'));
    expect(await ask(form)).toMatchObject({ errorCode: '0' });
  });

  it('refuses the same salt in the same second', async () => {
    const form = youdaoForm(ACCOUNT, WANTED);
    expect(await ask(form)).toMatchObject({ errorCode: '0' });
    expect(await ask(form)).toMatchObject({ errorCode: '207' });
  });

  it.each([
    ['a wrong signature', { sign: '0'.repeat(64) }, '202'],
    ['a text that was not signed', { q: 'Hallo' }, '202'],
    ['an unknown app', { appKey: 'abc' }, '108'],
    ['another kind of signature', { signType: 'v1' }, '105'],
    ['a clock that is late', { curtime: String(Math.floor(Date.now() / 1000) - 330) }, '206'],
    ['a clock that is none', { curtime: 'now' }, '206'],
  ])('refuses %s', async (_what, over, code) => {
    expect(await ask(youdaoForm(ACCOUNT, WANTED, over as Record<string, string>))).toMatchObject({ errorCode: code });
  });

  it.each([
    ['an unknown target', { ...WANTED, target: 'xx' }, '102'],
    ['an unknown source', { ...WANTED, source: 'zh-CN' }, '102'],
    ['a language into itself', { ...WANTED, target: 'en' }, '102'],
    ['nothing', { ...WANTED, texts: ['  '] }, '113'],
    ['5,001 characters', { ...WANTED, texts: ['a'.repeat(5001)] }, '103'],
  ])('refuses %s', async (_what, wanted, code) => {
    expect(await ask(youdaoForm(ACCOUNT, wanted))).toMatchObject({ errorCode: code });
  });

  it('refuses a form with a missing field, and a body that is not a form', async () => {
    const form = youdaoForm(ACCOUNT, WANTED);
    form.delete('salt');
    expect(await ask(form)).toMatchObject({ errorCode: '101' });
    expect((await vendors.post('/vendors/youdao/api', {})).json).toMatchObject({ errorCode: '101' });
  });

  it('has no batches for accounts with that suffix', async () => {
    const form = () => youdaoForm('sandbox-youdao-spec-single', WANTED);
    expect(await ask(form(), '/v2/api')).toMatchObject({ errorCode: '110' });
    expect(await ask(form())).toMatchObject({ errorCode: '0' });
  });
});
