import { randomBytes } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { loadConfig } from './config.js';
import { ConfigurationError } from './configuration-error.js';

const safe = {
  DATABASE_URL: 'postgresql://yiqiao_login:secret@db:5432/yiqiao',
  REDIS_URL: 'redis://:secret@redis:6379',
  SMTP_URL: 'smtps://user:secret@mail:465',
  APP_SECRET: randomBytes(32).toString('hex'),
};

function problemsOf(given: Record<string, string>): readonly string[] {
  try {
    loadConfig({ ...safe, ...given });
    return [];
  } catch (error) {
    if (error instanceof ConfigurationError) return error.problems;
    throw error;
  }
}

it('the headers of a collector may hold blanks, as its exporter reads them', () => {
  const given = 'authorization=Basic aGVsbG8=, x-scope-orgid=1';
  expect(problemsOf({ OTEL_EXPORTER_OTLP_HEADERS: given })).toEqual([]);
});

describe('a setting of the wrong type', () => {
  it.each([
    ['PORT', '80a', 'PORT: a whole number from 0 to 65535, not "80a"'],
    ['PORT', '65536', 'PORT: a whole number from 0 to 65535, not "65536"'],
    ['PORT', '-1', 'PORT: a whole number from 0 to 65535, not "-1"'],
    ['PORT', '1e3', 'PORT: a whole number from 0 to 65535, not "1e3"'],
    ['PORT', ' 80', 'PORT: a whole number from 0 to 65535, not " 80"'],
    ['LIMIT_STREAMS', '0', 'LIMIT_STREAMS: a whole number from 1 to 1000000000, not "0"'],
    ['LIMIT_STREAMS', 'true', 'LIMIT_STREAMS: a whole number from 1 to 1000000000, not "true"'],
    ['DATABASE_POOL_MAX', '1', 'DATABASE_POOL_MAX: a whole number from 2 to 500, not "1"'],
    ['DRAIN_SECONDS', '90', 'DRAIN_SECONDS: a whole number from 0 to 60, not "90"'],
    ['LOG_LEVEL', 'loud', 'LOG_LEVEL: one of fatal, error, warn, info, debug, silent, not "loud"'],
    ['NODE_ENV', 'prod', 'NODE_ENV: one of development, test, production, not "prod"'],
    ['APP_TIMEZONE', 'Beijing', 'APP_TIMEZONE: a time zone such as Asia/Shanghai, not "Beijing"'],
    ['PUBLIC_URL', 'shop.example', 'PUBLIC_URL: an address that begins with https://, not "shop.example"'],
    ['PUBLIC_URL', 'https://', 'PUBLIC_URL: an address that begins with https://, not "https://"'],
    ['OPERATOR_URL', 'ftp://a', 'OPERATOR_URL: an address that begins with https://, not "ftp://a"'],
    ['MAIL_FROM', 'nobody', 'MAIL_FROM: a sender such as Shop <no-reply@shop.example>, not "nobody"'],
    ['DISK_PATHS', 'data', 'DISK_PATHS: absolute paths, separated by commas, not "data"'],
    ['ALIPAY_GATEWAY_URL', 'x', 'ALIPAY_GATEWAY_URL: an address that begins with https://, not "x"'],
    ['OTEL_TRACES_SAMPLER_ARG', '2', 'OTEL_TRACES_SAMPLER_ARG: a number from 0 to 1, not "2"'],
    ['API_HEAP_MB', '1g', 'API_HEAP_MB: a whole number from 256 to 65536, not "1g"'],
    ['PAY_GATEWAY_TIMEOUT_MS', '1', 'PAY_GATEWAY_TIMEOUT_MS: a whole number from 100 to 60000, not "1"'],
  ])('is named with what was given and what is expected: %s=%s', (name, value, problem) => {
    expect(problemsOf({ [name]: value })).toEqual([problem]);
  });

  it.each([
    ['APP_SECRET', 'hunter2', 'APP_SECRET: 64 hexadecimal digits (openssl rand -hex 32)'],
    ['DATABASE_URL', 'db.hunter2', 'DATABASE_URL: an address that begins with postgresql://'],
    ['DATABASE_URL', 'mysql://a:hunter2@b', 'DATABASE_URL: an address that begins with postgresql://'],
    ['LEDGER_DATABASE_URL', 'hunter2', 'LEDGER_DATABASE_URL: an address that begins with postgresql://'],
    ['STANDBY_DATABASE_URL', 'hunter2', 'STANDBY_DATABASE_URL: an address that begins with postgresql://'],
    ['OTEL_EXPORTER_OTLP_HEADERS', 'hunter2', 'OTEL_EXPORTER_OTLP_HEADERS: name=value, more of them after commas'],
    ['SMTP_URL', 'mail:hunter2', 'SMTP_URL: an address that begins with smtps://'],
    ['REDIS_URL', 'redis+sentinel://:hunter2@s1', 'REDIS_URL: an address that begins with redis:// or rediss://, or'],
    ['PUBLIC_URL', 'ftp://a:hunter2@b', 'PUBLIC_URL: an address that begins with https://'],
  ])('is not shown where it may be a secret: %s', (name, value, problem) => {
    const problems = problemsOf({ [name]: value });
    expect(problems).toEqual([expect.stringContaining(problem)]);
    expect(problems.join()).not.toContain('hunter2');
  });

  it('is shown shortened when it is long', () => {
    const [problem = ''] = problemsOf({ APP_TIMEZONE: 'x'.repeat(500) });
    expect(problem).toHaveLength('APP_TIMEZONE: a time zone such as Asia/Shanghai, not ""'.length + 60);
  });

  it('does not hide the others', () => {
    const wrong = { PORT: 'x', LOG_LEVEL: 'x', NODE_ENV: 'production', APP_SECRET: '0'.repeat(64), REDIS_URL: '' };
    expect(problemsOf(wrong)).toEqual([
      'REDIS_URL: required in production',
      'MAIL_FROM: required in production',
      'PUBLIC_URL: required in production',
      'PORT: a whole number from 0 to 65535, not "x"',
      'LOG_LEVEL: one of fatal, error, warn, info, debug, silent, not "x"',
      'APP_SECRET: not random (openssl rand -hex 32)',
    ]);
  });

  it('is missing: it says no more than that', () => {
    expect(problemsOf({ DATABASE_URL: '' })).toEqual(['DATABASE_URL: required']);
  });
});
