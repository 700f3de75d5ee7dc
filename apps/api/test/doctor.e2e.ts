/** `operator doctor`: a line for each thing, right or how to mend it. */
import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { tmpdir } from 'node:os';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ConfigurationError } from '../src/platform/configuration-error.js';
import { loadConfig } from '../src/platform/config.js';
import { inLanguages } from '../src/operator/doctor/settings-messages.js';
import { vendorSettings } from '../src/translation/channels/vendors.js';
import { startApi, type TestApi } from './support/api.js';
import { runOperator } from './support/operator.js';
import { vendorEnvironment, type VendorEnvironment } from './support/vendor-environment.js';

let vendors: VendorEnvironment;
let api: TestApi;

beforeAll(async () => {
  vendors = await vendorEnvironment(['google', 'deepl'], 'doctor');
  api = await startApi({ ...vendors.env, DATA_DIR: tmpdir() });
});
afterAll(async () => {
  await api.stop();
  await vendors.close();
});

const doctor = (extra: Record<string, string> = {}, lang?: string) =>
  runOperator({ ...api.env, ...extra }, ['doctor'], lang);

describe('the doctor', () => {
  it('finds everything right, and each vendor and gateway was really asked', async () => {
    const { code, out, err } = await doctor();
    expect(err).toBe('');
    for (const line of [
      /^✓ Settings: complete \(test\)$/m,
      /^[✓!] Database: PostgreSQL [\d.]+ as yiqiao_operator, schema \d{4}-[\w-]+, at most \d+ connections/m,
      /^✓ Redis: Redis [\d.]+, noeviction$/m,
      /^✓ Clock: \d\.\d s from that of PostgreSQL$/m,
      /^✓ Clock: \d\.\d s from that of Redis$/m,
      /^✓ Mail: 127\.0\.0\.1:\d+ accepts the login$/m,
      /^✓ Payments: Alipay: accepts the signature, \d+ ms$/m,
      /^✓ Payments: WeChat Pay: accepts the signature, \d+ ms$/m,
      /^✓ Payments: LianLian: accepts the signature, \d+ ms$/m,
      /^✓ Translation: google\/\S+: translated a sentence, \d+ ms$/m,
      /^✓ Translation: deepl\/\S+: translated a sentence, \d+ ms$/m,
      /^[✓!] Disk: \/\S* has [\d.]+ GiB left \(\d+ %\)/m,
      /^! Worker: no worker is running/m,
      /^– Backup: last: never; run operator backup stream/m,
      /^– Proxy: none is needed in development$/m,
      /^Nothing is wrong\.$/m,
    ])
      expect(out).toMatch(line);
    expect(code).toBe(0);
    expect(await vendors.calls('google')).toHaveLength(1);
    expect(await vendors.calls('deepl')).toHaveLength(1);
  });

  it('says how to mend what is wrong, one thing beside the other', async () => {
    await vendors.fail('google', { kind: 'auth' });
    await vendors.fail('deepl', { kind: 'quota' });
    try {
      const { code, out } = await doctor({
        SMTP_URL: 'smtp://127.0.0.1:1',
        REDIS_URL: 'redis://:hunter2@127.0.0.1:1',
        LIANLIAN_URL: 'http://127.0.0.1:1',
        PUBLIC_URL: 'https://127.0.0.1:9599',
      });
      for (const line of [
        /^✗ Redis: REDIS_URL cannot be reached \(ECONNREFUSED\): check/m,
        /^✗ Mail: 127\.0\.0\.1:1 cannot be reached \(\w+\), so no code is sent/m,
        /^✗ Payments: LianLian: gives no answer that can be verified/m,
        /^✓ Payments: Alipay: accepts the signature/m,
        /^✗ Translation: google\/\S+: refuses the key: set a new one \(.+\)$/m,
        /^✗ Translation: deepl\/\S+: has no quota or money left: .+\(.+\)$/m,
        /^! Worker: cannot be seen without Redis$/m,
        /^✗ Proxy: TRUSTED_PROXIES is empty/m,
        /^✗ Proxy: https:\/\/127\.0\.0\.1:9599 cannot be opened \(ECONNREFUSED\)/m,
        /^7 things are wrong\.$/m,
      ])
        expect(out).toMatch(line);
      expect(out).not.toContain('hunter2');
      expect(code).toBe(1);
    } finally {
      await vendors.mend('google');
      await vendors.mend('deepl');
    }
  });

  it('goes on without a database, in Chinese', async () => {
    const url = new URL(api.env['DATABASE_URL'] ?? '');
    url.port = '1';
    const { code, out } = await doctor({ DATABASE_URL: url.href }, 'zh_CN.UTF-8');
    for (const line of [
      /^✗ 数据库：DATABASE_URL 连不上（ECONNREFUSED）：检查地址、防火墙/m,
      /^✓ Redis：Redis [\d.]+，noeviction$/m,
      /^! 翻译供应商：数据库不可用，只检查环境变量和文件中的账号$/m,
      /^✓ 翻译：google\/\S+：译出一句话，\d+ 毫秒$/m,
      /^1 处有问题$/m,
    ])
      expect(out).toMatch(line);
    expect(code).toBe(1);
  });

  it('names the role of a login that is not restricted, and a schema that is not of this version', async () => {
    const { rows } = await api.db.query<{ name: string }>(
      'SELECT name FROM mikro_orm_migrations ORDER BY id DESC LIMIT 1',
    );
    const [{ name } = { name: '' }] = rows;
    await api.db.query(`UPDATE mikro_orm_migrations SET name = 'away' WHERE name = $1`, [name]);
    try {
      const { code, out } = await doctor();
      expect(out).toContain(`✗ Database: the schema is not of this version, it lacks ${name}: run operator prepare`);
      expect(code).toBe(1);
    } finally {
      await api.db.query(`UPDATE mikro_orm_migrations SET name = $1 WHERE name = 'away'`, [name]);
    }
    const superuser = await doctor(production());
    expect(superuser.out).toMatch(/^✗ Database: DATABASE_URL: signs in as a superuser, who could rewrite the ledger/m);
    expect(superuser.code).toBe(1);
  });

  /** A production of this database; the sandbox is none. */
  const production = (): Record<string, string> => ({
    ...Object.fromEntries(
      Object.keys(api.env).flatMap((key) => (/^(ALIPAY|WECHAT_PAY|LIANLIAN)_/.test(key) ? [[key, '']] : [])),
    ),
    NODE_ENV: 'production',
    SANDBOX_URL: '',
    MAIL_FROM: 'Shop <a@shop.example>',
    PUBLIC_URL: 'http://127.0.0.1:9599',
    TRANSLATION_UPSTREAMS_FILE: '',
    CLOSE_SIGNING_KEY: SIGNING_KEY,
  });

  it('wants a backup in production, until one is recorded', async () => {
    const url = new URL(api.env['DATABASE_URL'] ?? '');
    url.username = `doctor_${url.pathname.slice(1)}`;
    url.password = 'doctor';
    await api.db.query(`CREATE ROLE ${url.username} LOGIN PASSWORD 'doctor' IN ROLE yiqiao_operator`);
    try {
      const env = { ...production(), DATABASE_URL: url.href };
      const before = await doctor(env);
      expect(before.out).toMatch(/^✗ Database: (fsync|synchronous_commit).* is off, so a power failure loses/m);
      expect(before.out).toMatch(/^! Settings: PUBLIC_URL: https, or passwords and sessions travel in the open$/m);
      expect(before.out).toMatch(/^✗ Worker: no worker is running/m);
      expect(before.out).toMatch(/^✗ Backup: last: never; run operator backup stream/m);
      expect(before.out).toMatch(/^✗ Proxy: http:\/\/127\.0\.0\.1:9599 cannot be opened \(ECONNREFUSED\)/m);
      expect((await runOperator(api.env, ['backup', 'record', process.execPath])).code).toBe(0);
      expect((await doctor(env)).out).toMatch(/^✓ Backup: last: \d{4}-\d{2}-\d{2} [\d:]+ \(0 h ago\)$/m);
    } finally {
      await api.db.query(`DROP ROLE ${url.username}`);
    }
  });

  it('says what is wrong with the settings, and takes no arguments', async () => {
    const wrong = await doctor({ PORT: '80a', DATABASE_URL: 'hunter2' });
    expect(wrong.out.split('\n')).toEqual([
      '✗ Settings: PORT: a whole number from 0 to 65535, not "80a"',
      '✗ Settings: DATABASE_URL: an address that begins with postgresql://',
      '2 things are wrong.',
      '',
    ]);
    expect(wrong.code).toBe(1);
    expect(await runOperator(api.env, ['doctor', 'now'])).toMatchObject({ code: 2, out: '' });
  });
});

const SIGNING_KEY = generateKeyPairSync('ed25519')
  .privateKey.export({ format: 'der', type: 'pkcs8' })
  .toString('base64');

it('every problem of the settings has its words in Chinese', () => {
  const bad: Record<string, string>[] = [
    { PORT: 'x', LOG_LEVEL: 'x', APP_TIMEZONE: 'x', AUDIT_AT: 'x', MAIL_FROM: 'x', DISK_PATHS: 'x', REDIS_PREFIX: '!' },
    { PUBLIC_URL: 'x', REDIS_URL: 'x', SMTP_URL: 'x', DATABASE_URL: 'x', APP_SECRET: 'x', TRUSTED_PROXIES: 'x' },
    {
      TRY_CHANNELS: 'x',
      ALIPAY_APP_ID: 'x',
      WECHAT_PAY_V3_KEY: 'x',
      LIANLIAN_PRIVATE_KEY: 'x',
      LIANLIAN_PUBLIC_KEY: '/x',
    },
    { GOOGLE_TRANSLATE_KEY: 'a b', DEEPL_API_KEY: 'k', DEEPL_URL: 'https://x?y', TRANSLATION_UPSTREAMS_FILE: '/x' },
    { OTEL_TRACES_SAMPLER_ARG: '2', OTEL_EXPORTER_OTLP_HEADERS: 'x', API_HEAP_MB: '1g' },
    { NODE_ENV: 'production', WEBHOOK_ALLOW_PRIVATE: '1' },
    { NODE_ENV: 'production' },
    {
      NODE_ENV: 'production',
      SANDBOX_URL: 'http://x',
      APP_SECRET: '0'.repeat(64),
      PUBLIC_URL: 'http://shop.example',
      REDIS_URL: 'redis://redis.example',
      SMTP_URL: 'smtp://mail.example',
      TRUSTED_PROXIES: '0.0.0.0/0',
      ALIPAY_GATEWAY_URL: 'http://x',
    },
  ];
  const base = {
    DATABASE_URL: 'postgresql://db',
    REDIS_URL: 'redis://:p@redis',
    SMTP_URL: 'smtps://mail',
    APP_SECRET: randomBytes(32).toString('hex'),
  };
  const problems = bad.flatMap((given) => {
    try {
      loadConfig({ ...base, ...given }, vendorSettings);
      return [];
    } catch (error) {
      if (error instanceof ConfigurationError) return error.problems;
      throw error;
    }
  });
  expect(problems.length).toBeGreaterThan(30);
  const untranslated = problems.map(inLanguages).filter(({ zh }) => !/：.*\p{Script=Han}/su.test(zh));
  expect(untranslated).toEqual([]);
});
