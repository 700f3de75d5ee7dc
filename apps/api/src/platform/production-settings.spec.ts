import { randomBytes } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { type Config, loadConfig } from './config.js';

const safe = {
  NODE_ENV: 'production',
  DATABASE_URL: 'postgresql://yiqiao_login:secret@db.shop.example:5432/yiqiao',
  REDIS_URL: 'rediss://:secret@redis.shop.example:6379',
  SMTP_URL: 'smtps://user:secret@smtp.shop.example:465',
  MAIL_FROM: 'Shop <no-reply@shop.example>',
  APP_SECRET: randomBytes(32).toString('hex'),
  PUBLIC_URL: 'https://shop.example',
  TRUSTED_PROXIES: '172.16.0.0/12,2001:db8::/32,127.0.0.1,loopback',
};
const load = (given: Record<string, string>) => (): Config => loadConfig({ ...safe, ...given });

describe('production settings', () => {
  it('cause no warning when they are safe', () => {
    expect(load({})().warnings).toEqual([]);
    expect(load({ SMTP_URL: 'smtp://u:p@smtp.shop.example:587?requireTLS=true' })().warnings).toEqual([]);
  });

  it.each([
    ['APP_SECRET: not random', { APP_SECRET: '0'.repeat(64) }],
    ['APP_SECRET: not random', { APP_SECRET: '0123456789abcdef'.repeat(4) }],
    ['APP_SECRET: 64 hexadecimal digits', { APP_SECRET: 'secret' }],
    ['PUBLIC_URL: https', { PUBLIC_URL: 'http://shop.example' }],
    ['PUBLIC_URL: an address that begins with https://', { PUBLIC_URL: 'ftp://shop.example' }],
    ['REDIS_URL: without a password', { REDIS_URL: 'redis://redis.shop.example:6379' }],
    ['REDIS_URL: an address that begins with redis://', { REDIS_URL: 'redis.shop.example' }],
    ['SMTP_URL: smtps://', { SMTP_URL: 'smtp://user:secret@smtp.shop.example:587' }],
    ['SMTP_URL: smtps://', { SMTP_URL: 'smtp://smtp.shop.example:587?requireTLS=true&ignoreTLS=true' }],
    ['SMTP_URL: an address that begins with smtps://', { SMTP_URL: 'smtp.shop.example:587' }],
    ['DATABASE_URL: an address that begins with postgresql://', { DATABASE_URL: 'mysql://x' }],
    ['DATABASE_MIGRATION_URL: an address that begins with', { DATABASE_MIGRATION_URL: 'none of your business' }],
    ['TRUSTED_PROXIES: 0.0.0.0/0 would let anybody', { TRUSTED_PROXIES: '127.0.0.1, 0.0.0.0/0' }],
    ['TRUSTED_PROXIES: 128.0.0.0/1 would let anybody', { TRUSTED_PROXIES: '0.0.0.0/1,128.0.0.0/1' }],
    ['TRUSTED_PROXIES: ::/0 would let anybody', { TRUSTED_PROXIES: '::/0' }],
    ['TRUSTED_PROXIES: ::ffff:0:0/96 would let anybody', { TRUSTED_PROXIES: '::ffff:0:0/96' }],
    ['TRUSTED_PROXIES: addresses or networks', { TRUSTED_PROXIES: '10.0.0.0/64' }],
    ['TRUSTED_PROXIES: addresses or networks', { TRUSTED_PROXIES: '10.0.0.0/' }],
  ])('are rejected: %s', (message, given: Record<string, string>) => {
    expect(load(given)).toThrow(message);
    expect(load(given)).not.toThrow(/secret@/);
  });

  it.each([
    ['PUBLIC_URL: https', { PUBLIC_URL: 'http://shop.lan' }],
    ['REDIS_URL: without a password', { REDIS_URL: 'redis://10.0.0.5:6379' }],
    ['SMTP_URL: smtps://', { SMTP_URL: 'smtp://mail:25' }],
  ])('are accepted with a warning in a private network: %s', (message, given: Record<string, string>) => {
    expect(load(given)().warnings).toEqual([expect.stringContaining(message)]);
    expect(load({ ...given, NODE_ENV: 'development' })().warnings).toEqual([]);
  });
});
