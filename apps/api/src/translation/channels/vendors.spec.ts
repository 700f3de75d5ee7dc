import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { loadConfig } from '../../platform/config.js';
import { configuredAccounts } from './vendors.js';

const base = {
  DATABASE_URL: 'postgresql://none',
  REDIS_URL: 'redis://none',
  SMTP_URL: 'smtp://none',
  APP_SECRET: '0'.repeat(64),
};
const accountsOf = (given: Record<string, string>) => configuredAccounts(loadConfig({ ...base, ...given }));
const uncapped = { weight: 1, requestsPerSecond: null, charsPerMinute: null, charsPerDay: null, sandbox: false };

describe('vendor accounts', () => {
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(path.join(tmpdir(), 'accounts-'));
  });
  afterAll(() => rmSync(folder, { recursive: true }));
  const file = (rows: unknown): string => {
    const name = path.join(folder, 'upstreams.json');
    writeFileSync(name, JSON.stringify(rows));
    return name;
  };

  it('are empty without settings, and one for each configured vendor', () => {
    expect(accountsOf({})).toEqual([]);
    const accounts = accountsOf({
      GOOGLE_TRANSLATE_KEY: 'g-key',
      MICROSOFT_TRANSLATOR_KEY: 'm-key',
      MICROSOFT_TRANSLATOR_REGION: 'eastasia',
      TENCENT_SECRET_ID: 't-id',
      TENCENT_SECRET_KEY: 't-secret',
      YOUDAO_APP_KEY: 'y-id',
      YOUDAO_APP_SECRET: 'y-secret',
      DEEPL_API_KEY: 'd-key:fx',
      OPENAI_API_KEY: 'o-key',
      OPENAI_MODEL: 'gpt-x',
      LIBRETRANSLATE_URL: 'http://libretranslate:5000/',
    });
    const row = (code: string, baseUrl: string, key: string, more = {}) => ({
      code,
      name: 'default',
      baseUrl,
      key,
      secret: null,
      region: null,
      model: null,
      ...uncapped,
      origin: 'environment',
      ...more,
    });
    expect(accounts).toEqual([
      row('google', 'https://translation.googleapis.com', 'g-key'),
      row('microsoft', 'https://api.cognitive.microsofttranslator.com', 'm-key', { region: 'eastasia' }),
      row('tencent', 'https://tmt.tencentcloudapi.com', 't-id', { secret: 't-secret', region: 'ap-guangzhou' }),
      row('youdao', 'https://openapi.youdao.com', 'y-id', { secret: 'y-secret' }),
      row('deepl', 'https://api-free.deepl.com', 'd-key:fx'),
      row('chatgpt', 'https://api.openai.com/v1', 'o-key', { model: 'gpt-x' }),
      row('libretranslate', 'http://libretranslate:5000', ''),
    ]);
  });

  it('use the configured addresses', () => {
    const accounts = accountsOf({
      GOOGLE_TRANSLATE_KEY: 'k',
      GOOGLE_TRANSLATE_URL: 'https://proxy.example/google/',
      DEEPL_API_KEY: 'k:fx',
      DEEPL_URL: 'https://proxy.example/deepl',
      OPENAI_BASE_URL: 'http://127.0.0.1:11434/v1',
      OPENAI_MODEL: '@cf/qwen/qwen3:8b',
    });
    expect(accounts.at(-1)?.model).toBe('@cf/qwen/qwen3:8b');
    expect(accounts.map(({ code, baseUrl, key }) => [code, baseUrl, key])).toEqual([
      ['google', 'https://proxy.example/google', 'k'],
      ['deepl', 'https://proxy.example/deepl', 'k:fx'],
      ['chatgpt', 'http://127.0.0.1:11434/v1', ''],
    ]);
  });

  it('come from the file, each with its own weight and caps', () => {
    const rows = [
      { code: 'deepl', name: 'paid', key: 'p', weight: 3, charsPerDay: 1_000_000 },
      { code: 'deepl', name: 'free', key: 'f:fx', requestsPerSecond: 2.5 },
      { code: 'libretranslate', name: 'own', baseUrl: 'http://10.0.0.5:5000' },
    ];
    const accounts = accountsOf({ GOOGLE_TRANSLATE_KEY: 'k', TRANSLATION_UPSTREAMS_FILE: file(rows) });
    expect(accounts.map(({ code, name }) => `${code} ${name}`)).toEqual([
      'google default',
      'deepl paid',
      'deepl free',
      'libretranslate own',
    ]);
    expect(accounts[1]).toMatchObject({ baseUrl: 'https://api.deepl.com', weight: 3, charsPerDay: 1_000_000 });
    expect(accounts[2]).toMatchObject({ baseUrl: 'https://api-free.deepl.com', weight: 1, requestsPerSecond: 2.5 });
  });

  it('default to two sandbox accounts per vendor when the sandbox is on', () => {
    const given = { SANDBOX_URL: 'http://127.0.0.1:8081/', SANDBOX_VENDORS: '1', DEEPL_API_KEY: 'k' };
    const accounts = accountsOf(given);
    expect(accounts.filter(({ sandbox }) => sandbox)).toHaveLength(12);
    expect(accounts.filter(({ code }) => code === 'deepl')).toMatchObject([{ name: 'default', sandbox: false }]);
    expect(accounts.filter(({ code }) => code === 'tencent')).toMatchObject([
      {
        baseUrl: 'http://127.0.0.1:8081/vendors/tencent',
        key: 'sandbox-tencent-1',
        secret: 'sandbox-tencent-secret-1',
      },
      { key: 'sandbox-tencent-2', secret: 'sandbox-tencent-secret-2', region: 'ap-guangzhou' },
    ]);
    expect(accounts.find(({ code }) => code === 'chatgpt')).toMatchObject({
      baseUrl: 'http://127.0.0.1:8081/vendors/chatgpt/v1',
      model: 'sandbox-gpt',
    });
    expect(accounts.find(({ code }) => code === 'microsoft')?.region).toBe('eastasia');
    const names = accounts.map(({ code, name }) => `${code} ${name}`);
    expect(new Set(names).size).toBe(names.length);
    expect(accountsOf({ ...given, SANDBOX_VENDORS: '0' })).toHaveLength(1);
  });

  it('are marked as sandbox accounts however they were configured', () => {
    const rows = [
      { code: 'google', name: 'a', key: 'sandbox-google-a', baseUrl: 'http://127.0.0.1:8081/vendors/google' },
    ];
    const given = { SANDBOX_URL: 'http://127.0.0.1:8081', TRANSLATION_UPSTREAMS_FILE: file(rows) };
    expect(accountsOf(given)).toMatchObject([{ sandbox: true }]);
  });
});
