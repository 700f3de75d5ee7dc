import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Config, loadConfig } from '../../platform/config.js';
import { inPrivateNetwork } from '../../platform/private-network.js';
import { vendorSettings } from './vendors.js';

const base = {
  DATABASE_URL: 'postgresql://db',
  REDIS_URL: 'redis://:p@redis',
  SMTP_URL: 'smtps://mail',
  APP_SECRET: randomBytes(32).toString('hex'),
};
const production = { ...base, NODE_ENV: 'production', MAIL_FROM: 'a@b.cn', PUBLIC_URL: 'https://shop.example' };
const load = (given: Record<string, string>) => () => loadConfig({ ...base, ...given }, vendorSettings);
/** The values of all vendors. */
const valuesOf = (config: Config): Record<string, unknown> =>
  Object.fromEntries(vendorSettings.flatMap((settings) => Object.entries(config.read(settings))));

describe('vendor settings', () => {
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(path.join(tmpdir(), 'vendors-'));
  });
  afterAll(() => rmSync(folder, { recursive: true }));
  const file = (content: string): { TRANSLATION_UPSTREAMS_FILE: string } => {
    const name = path.join(folder, 'upstreams.json');
    writeFileSync(name, content);
    return { TRANSLATION_UPSTREAMS_FILE: name };
  };
  const rows = (...all: unknown[]) => file(JSON.stringify(all));

  it.each([
    ['TENCENT_SECRET_KEY: missing, while TENCENT_SECRET_ID is set', { TENCENT_SECRET_ID: 'a' }],
    ['TENCENT_SECRET_ID: missing, while TENCENT_SECRET_KEY is set', { TENCENT_SECRET_KEY: 'a' }],
    ['YOUDAO_APP_SECRET: missing, while YOUDAO_APP_KEY is set', { YOUDAO_APP_KEY: 'a' }],
    ['YOUDAO_APP_KEY: missing, while YOUDAO_APP_SECRET is set', { YOUDAO_APP_SECRET: 'a' }],
    ['MICROSOFT_TRANSLATOR_KEY: missing, while MICROSOFT', { MICROSOFT_TRANSLATOR_REGION: 'eastasia' }],
    ['OPENAI_MODEL: missing, while OPENAI_API_KEY is set', { OPENAI_API_KEY: 'a' }],
    ['OPENAI_MODEL: missing, while OPENAI_BASE_URL is set', { OPENAI_BASE_URL: 'http://localhost:1/v1' }],
    ['OPENAI_API_KEY or OPENAI_BASE_URL: missing, while OPENAI_MODEL is set', { OPENAI_MODEL: 'a' }],
    ['LIBRETRANSLATE_URL: missing, while LIBRETRANSLATE_API_KEY is set', { LIBRETRANSLATE_API_KEY: 'a' }],
    ['SANDBOX_URL: missing, while SANDBOX_VENDORS is set', { SANDBOX_VENDORS: '1' }],
  ])('must be complete: %s', (message, given: Record<string, string>) => {
    expect(load(given)).toThrow(message);
  });

  it.each(['OPENAI_VISION_MODEL', 'OPENAI_TRANSCRIBE_MODEL', 'OPENAI_SPEECH_MODEL'])(
    'reject a model without an account: %s',
    (name) => {
      const said = `OPENAI_MODEL, or a chatgpt row of TRANSLATION_UPSTREAMS_FILE: missing, while ${name} is set`;
      expect(load({ [name]: 'a' })).toThrow(said);
      expect(load({ [name]: 'a', ...rows({ code: 'google', name: 'a', key: 'k' }) })).toThrow(said);
      const asked: Record<string, string>[] = [
        { OPENAI_MODEL: 'm', OPENAI_API_KEY: 'k' },
        rows({ code: 'chatgpt', name: 'a', key: 'k', model: 'm' }),
        { SANDBOX_VENDORS: '1', SANDBOX_URL: 'http://127.0.0.1:1' },
      ];
      for (const settings of asked)
        expect(valuesOf(load({ [name]: 'a', ...settings })())).toMatchObject({ [name]: 'a' });
      expect(load({ [name]: '' })).not.toThrow();
    },
  );

  it('are optional, and may be empty', () => {
    const env = valuesOf(load({ GOOGLE_TRANSLATE_KEY: '', TRANSLATION_UPSTREAMS_FILE: '', SANDBOX_VENDORS: '' })());
    expect([env['GOOGLE_TRANSLATE_KEY'], env['TRANSLATION_UPSTREAMS_FILE'], env['SANDBOX_VENDORS']]).toEqual([
      undefined,
      [],
      '0',
    ]);
  });

  it('reject keys that are invalid in headers and addresses with extra parts, without quoting them', () => {
    for (const key of ['two words', 'line\nbreak', '密钥'])
      for (const name of ['GOOGLE_TRANSLATE_KEY', 'DEEPL_API_KEY', 'LIBRETRANSLATE_API_KEY']) {
        expect(load({ [name]: key, LIBRETRANSLATE_URL: 'http://l' })).toThrow(`${name}: printable ASCII`);
        expect(load({ [name]: key, LIBRETRANSLATE_URL: 'http://l' })).not.toThrow(key);
      }
    for (const url of ['ftp://x.example', 'https://x.example?key=secret', 'https://u:secret@x.example', 'x.example']) {
      expect(load({ DEEPL_URL: url })).toThrow('DEEPL_URL: ');
      expect(load({ DEEPL_URL: url })).not.toThrow('secret');
    }
    expect(load({ SANDBOX_VENDORS: 'yes' })).toThrow('SANDBOX_VENDORS: ');
  });

  it.each([
    ['0.secret: missing, tencent needs it', [{ code: 'tencent', name: 'a', key: 'hidden' }]],
    ['0.key: missing, google needs it', [{ code: 'google', name: 'a' }]],
    ['0.model: missing, chatgpt needs it', [{ code: 'chatgpt', name: 'a', key: 'hidden' }]],
    ['0.key: missing, chatgpt needs it or', [{ code: 'chatgpt', name: 'a', model: 'm' }]],
    ['0.baseUrl: missing, libretranslate needs it', [{ code: 'libretranslate', name: 'a', key: 'hidden' }]],
    ['0.name: this one is for', [{ code: 'google', name: 'default', key: 'hidden' }]],
    ['0.code: ', [{ code: 'hidden', name: 'a', key: 'hidden' }]],
    ['0.weight: ', [{ code: 'google', name: 'a', key: 'hidden', weight: 0 }]],
    ['0.charsPerDay: ', [{ code: 'google', name: 'a', key: 'hidden', charsPerDay: '5' }]],
    ['Unrecognized key: "keys"', [{ code: 'google', name: 'a', key: 'hidden', keys: 'hidden' }]],
    [
      '1.name: google has another of this name',
      [
        { code: 'google', name: 'a', key: 'hidden' },
        { code: 'google', name: 'a', key: 'hidden2' },
      ],
    ],
  ])('report an invalid file by position, never by content: %s', (message, all) => {
    expect(load(rows(...all))).toThrow(message);
    expect(load(rows(...all))).toThrow('TRANSLATION_UPSTREAMS_FILE: ');
    expect(load(rows(...all))).not.toThrow('hidden');
  });

  it('reject a missing file', () => {
    expect(load({ TRANSLATION_UPSTREAMS_FILE: '/no/such/file' })).toThrow(
      'the file /no/such/file cannot be read as JSON',
    );
    for (const content of ['{"hidden"', '', 'hidden'])
      expect(load(file(content))).toThrow(/TRANSLATION_UPSTREAMS_FILE: the file .* cannot be read as JSON/);
    expect(load(file('{"a": 1}'))).toThrow('TRANSLATION_UPSTREAMS_FILE: ');
  });

  it('require https in production, except for servers in a private network', () => {
    const wrong = (given: Record<string, string>) => () => loadConfig({ ...production, ...given }, vendorSettings);
    for (const name of [
      'GOOGLE_TRANSLATE_URL',
      'MICROSOFT_TRANSLATOR_URL',
      'TENCENT_TMT_URL',
      'YOUDAO_URL',
      'DEEPL_URL',
    ])
      for (const host of ['vendor.example', '10.0.0.1'])
        expect(wrong({ [name]: `http://${host}` })).toThrow(`${name}: https in production`);
    expect(wrong({ LIBRETRANSLATE_URL: 'http://libre.example' })).toThrow('LIBRETRANSLATE_URL: https');
    expect(wrong({ OPENAI_BASE_URL: 'http://8.8.8.8/v1', OPENAI_MODEL: 'm' })).toThrow('OPENAI_BASE_URL: https');
    const row = { code: 'google', name: 'a', key: 'k', baseUrl: 'http://10.0.0.1' };
    expect(wrong(rows(row))).toThrow('TRANSLATION_UPSTREAMS_FILE: 0.baseUrl: https');
    const own = {
      LIBRETRANSLATE_URL: 'http://libretranslate:5000',
      OPENAI_BASE_URL: 'http://10.0.0.1/v1',
      OPENAI_MODEL: 'm',
    };
    expect(wrong({ ...own, ...rows({ ...row, code: 'libretranslate' }) })().production).toBe(true);
  });

  it('allow the sandbox in development only', () => {
    const given = { ...production, SANDBOX_VENDORS: '1', SANDBOX_URL: 'http://127.0.0.1:1' };
    expect(() => loadConfig(given, vendorSettings)).toThrow('SANDBOX_VENDORS: the sandbox is for development only');
    const sandboxed = load({ SANDBOX_VENDORS: '1', SANDBOX_URL: 'http://127.0.0.1:1' })();
    expect(valuesOf(sandboxed)['SANDBOX_VENDORS']).toBe('1');
  });

  it('recognise private networks by the host', () => {
    const own = [
      'localhost',
      '127.0.0.1',
      '10.1.2.3',
      '172.31.0.1',
      '192.168.1.1',
      '[::1]',
      '[fd00::1]',
      'libre',
      'a.internal',
      'a.b.lan',
    ];
    const public_ = [
      'example.com',
      '8.8.8.8',
      '172.32.0.1',
      '[2001:db8::1]',
      'local.example',
      '1.10.0.0',
      'internal.com',
    ];
    expect(own.filter((host) => !inPrivateNetwork(`http://${host}:5000/x`))).toEqual([]);
    expect(public_.filter((host) => inPrivateNetwork(`http://${host}:5000/x`))).toEqual([]);
  });
});
