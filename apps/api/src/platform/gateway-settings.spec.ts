import { randomBytes } from 'node:crypto';
import { generateKeyPairSync } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { loadConfig } from './config.js';

const base = {
  DATABASE_URL: 'postgresql://db',
  REDIS_URL: 'redis://:p@redis',
  SMTP_URL: 'smtps://mail',
  APP_SECRET: randomBytes(32).toString('hex'),
};
const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
const pkcs8 = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
const pkcs1 = privateKey.export({ type: 'pkcs1', format: 'pem' }).toString();
const spki = publicKey.export({ type: 'spki', format: 'pem' }).toString();
const bare = (pem: string): string => pem.replaceAll(/-----[^-]+-----|\s/g, '');
const lianlian = (given: Record<string, string>) => ({ ...base, LIANLIAN_MCH_ID: '40', ...given }) as NodeJS.ProcessEnv;

describe('gateway settings', () => {
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(path.join(tmpdir(), 'keys-'));
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  it('accept a key as PKCS#8 or PKCS#1, as PEM, on one line, as bare base64 or as a file', () => {
    const file = path.join(folder, 'key');
    writeFileSync(file, pkcs8);
    const forms = [pkcs8, pkcs1, pkcs8.replaceAll('\n', '\\n'), bare(pkcs8), bare(pkcs1), file];
    for (const form of forms) {
      const { env } = loadConfig(lianlian({ LIANLIAN_PRIVATE_KEY: form, LIANLIAN_PUBLIC_KEY: bare(spki) }));
      expect(env.LIANLIAN_PRIVATE_KEY?.equals(privateKey)).toBe(true);
      expect(env.LIANLIAN_PUBLIC_KEY?.equals(publicKey)).toBe(true);
    }
  });

  it('reject an invalid key without quoting it', () => {
    const { privateKey: ec } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const wrong = ['secret words', ec.export({ type: 'pkcs8', format: 'pem' }).toString(), '/no/such/file', spki];
    for (const form of wrong) {
      const load = () => loadConfig(lianlian({ LIANLIAN_PRIVATE_KEY: form, LIANLIAN_PUBLIC_KEY: spki }));
      expect(load).toThrow(/LIANLIAN_PRIVATE_KEY: (an RSA private key is needed|the file .* cannot be read)/);
      expect(load).not.toThrow(/secret words|BEGIN/);
    }
    const swapped = () => loadConfig(lianlian({ LIANLIAN_PRIVATE_KEY: pkcs8, LIANLIAN_PUBLIC_KEY: pkcs8 }));
    expect(swapped).toThrow('LIANLIAN_PUBLIC_KEY: an RSA public key is needed');
  });

  it('must be complete: a partly configured gateway is reported at startup', () => {
    expect(() => loadConfig({ ...base, ALIPAY_APP_ID: '2021' })).toThrow(
      /ALIPAY_SELLER_ID: missing, while ALIPAY_APP_ID is set\n.*ALIPAY_PRIVATE_KEY: missing.*\n.*ALIPAY_PUBLIC_KEY: missing/,
    );
    const certificates = { ALIPAY_APP_ID: '2021', ALIPAY_SELLER_ID: '2088', ALIPAY_PRIVATE_KEY: pkcs8 };
    const half = { ...base, ...certificates, ALIPAY_APP_CERT: 'c' };
    expect(() => loadConfig(half)).toThrow(/ALIPAY_ROOT_CERT: missing.*\n.*ALIPAY_CERT: missing/);
    expect(() => loadConfig(half)).not.toThrow(/ALIPAY_PUBLIC_KEY/);
    expect(() => loadConfig({ ...base, WECHAT_PAY_PUBLIC_KEY: spki })).toThrow(/WECHAT_PAY_PUBLIC_KEY_ID: missing/);
    expect(loadConfig(base).env.ALIPAY_APP_ID).toBeUndefined();
  });

  it('require https gateways in production', () => {
    const env = { ...base, NODE_ENV: 'production', MAIL_FROM: 'a@b.cn', PUBLIC_URL: 'https://shop.example' };
    expect(() => loadConfig({ ...env, LIANLIAN_URL: 'http://gateway.example' })).toThrow('LIANLIAN_URL: https');
    expect(loadConfig({ ...env, LIANLIAN_URL: 'https://gateway.example' }).production).toBe(true);
  });
});
