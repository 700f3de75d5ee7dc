import { createCipheriv, generateKeyPairSync, verify, type KeyObject } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { PayChannels } from '../src/orders/pay-channels/pay-channels.js';
import { signed } from '../src/orders/pay-channels/rsa-signature.js';
import {
  type WechatPaySettings,
  decrypted,
  encryptedResource,
  authorization,
  requestMessage,
  rejectionReason,
  type PlatformKeys,
} from '../src/orders/pay-channels/wechat-pay-client.js';
import { WechatPayNotifications } from '../src/orders/pay-channels/wechat-pay.js';
import { loadConfig } from '../src/platform/config.js';
import { payAtCashier, someOrder } from './support/sandbox-gateways.js';
import { flips, textFlips, vectorKey, vectors } from './support/vectors.js';

type Headers = Record<string, string>;
type Vectors = {
  mchid: string;
  serial_no: string;
  requests: Record<
    string,
    {
      method: string;
      urlPathAndQuery: string;
      timestamp: string;
      nonce_str: string;
      body: string;
      message: string;
      signature: string;
      authorization: string;
    }
  >;
  response: { headers: Headers; body: string };
  notify: {
    apiV3Key: string;
    headers: Headers;
    body: string;
    decryptedResource: { out_trade_no: string; transaction_id: string };
  };
};

const v = vectors<Vectors>('wechat-v3');
const serial = 'PUB_KEY_ID_0000000000000000000000000000';
const keysOf = (key: KeyObject): PlatformKeys => ({ find: (id) => Promise.resolve(id === serial ? key : null) });
const keys = keysOf(vectorKey('wxPlatform'));
const signedAt = 1_767_225_601_000;
const lower = (headers: Headers): Headers =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
const SIGNED_HEADERS = ['wechatpay-timestamp', 'wechatpay-nonce', 'wechatpay-serial', 'wechatpay-signature'];

/** Parses notifications as the vectors' merchant or another. */
const readerOf = (of: { keys?: PlatformKeys; now?: number; settings?: Partial<WechatPaySettings> }) => {
  const settings = {
    appId: 'wxd678efh567hg6787',
    mchId: v.mchid,
    v3Key: v.notify.apiV3Key,
    now: () => of.now ?? signedAt,
  };
  return new WechatPayNotifications({
    keys: of.keys ?? keys,
    settings: { ...settings, ...of.settings } as WechatPaySettings,
  });
};

describe('a request to WeChat Pay', () => {
  it.each(Object.entries(v.requests))('is signed like the test vector %s', (_, request) => {
    const at = { timestamp: request.timestamp, nonce: request.nonce_str };
    const asked = { method: request.method, target: request.urlPathAndQuery, body: request.body };
    const message = requestMessage(asked, at);
    expect(message).toBe(request.message);
    const signature = Buffer.from(request.signature, 'base64');
    expect(verify('RSA-SHA256', Buffer.from(message), vectorKey('wxMerchant'), signature)).toBe(true);

    const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
    const header = authorization(asked, { mchId: v.mchid, serial: v.serial_no, privateKey }, at);
    const ours = /signature="([^"]+)"$/.exec(header)?.[1] ?? '';
    expect(header.replace(ours, request.signature)).toBe(request.authorization);
    expect(verify('RSA-SHA256', Buffer.from(message), publicKey, Buffer.from(ours, 'base64'))).toBe(true);
  });
});

describe('a response of WeChat Pay', () => {
  const headers = lower(v.response.headers);
  const body = Buffer.from(v.response.body);
  const why = (of: { headers?: Headers; body?: Buffer; now?: number }) =>
    rejectionReason(
      { header: (name) => (of.headers ?? headers)[name], body: of.body ?? body },
      keys,
      of.now ?? signedAt,
    );

  it('is trusted for five minutes when signed', async () => {
    expect(await why({})).toBeNull();
    expect(await why({ now: signedAt + 300_000 })).toBeNull();
    expect(await why({ now: signedAt - 300_000 })).toBeNull();
    expect(await why({ now: signedAt + 301_000 })).toBe('its time is not now');
    expect(await why({ now: signedAt - 301_000 })).toBe('its time is not now');
  });

  it('is not trusted with any bit of its body or its four headers flipped or missing', async () => {
    for (const flipped of flips(body)) expect(await why({ body: flipped })).toBe('the signature is wrong');
    for (const name of SIGNED_HEADERS) {
      for (const flipped of textFlips(headers[name] ?? '')) {
        expect(await why({ headers: { ...headers, [name]: flipped } })).not.toBeNull();
      }
      expect(await why({ headers: { ...headers, [name]: '' } })).toBe('it is not signed');
    }
  });

  it('is not trusted if it is a probe', async () => {
    const probe = { ...headers, 'wechatpay-signature': `WECHATPAY/SIGNTEST/${headers['wechatpay-signature']}` };
    expect(await why({ headers: probe })).toBe('the signature is a probe');
  });
});

describe('a WeChat Pay notification', () => {
  const headers = lower(v.notify.headers);
  const body = Buffer.from(v.notify.body);

  it('is parsed as the payment of the test vector', async () => {
    expect(await readerOf({}).read({ headers, body })).toEqual({
      kind: 'payment',
      subject: '4200000000202601010000000001:SUCCESS',
      payment: {
        gateway: 'wechat',
        orderNo: 'T20260101000000000001',
        tradeNo: '4200000000202601010000000001',
        amount: 9900,
        currency: 'CNY',
        paidAt: new Date('2026-01-01T00:01:00Z'),
      },
    });
  });

  it('is refused as forged with any bit of its body or signed headers flipped, expired, or with another key', async () => {
    const reader = readerOf({});
    for (const flipped of flips(body)) expect((await reader.read({ headers, body: flipped })).kind).toBe('forged');
    for (const name of SIGNED_HEADERS) {
      for (const flipped of textFlips(headers[name] ?? '')) {
        expect((await reader.read({ headers: { ...headers, [name]: flipped }, body })).kind).toBe('forged');
      }
    }
    expect((await readerOf({ now: signedAt + 301_000 }).read({ headers, body })).kind).toBe('forged');
    const v3Key = '0123456789abcdef0123456789abcdeF';
    expect(await readerOf({ settings: { v3Key } }).read({ headers, body })).toEqual({
      kind: 'forged',
      why: 'the content cannot be decrypted',
    });
  });

  it('is ignored as foreign for another merchant or app', async () => {
    for (const settings of [{ mchId: '1900000002' }, { appId: 'wx0' }]) {
      expect(await readerOf({ settings }).read({ headers, body })).toEqual({
        kind: 'stranger',
        subject: '4200000000202601010000000001:SUCCESS',
        orderNo: 'T20260101000000000001',
      });
    }
  });

  it('cannot be decrypted with any bit of its content flipped', () => {
    const { resource } = JSON.parse(v.notify.body) as { resource: unknown };
    const sealed = encryptedResource.parse(resource);
    const open = (of: Partial<typeof sealed>) => decrypted({ ...sealed, ...of }, v.notify.apiV3Key);
    expect(JSON.parse(open({}) ?? 'null')).toEqual(v.notify.decryptedResource);
    for (const flipped of flips(Buffer.from(sealed.ciphertext, 'base64')))
      expect(open({ ciphertext: flipped.toString('base64') })).toBeNull();
    for (const nonce of textFlips(sealed.nonce)) expect(open({ nonce })).toBeNull();
    for (const associated_data of textFlips(sealed.associated_data)) expect(open({ associated_data })).toBeNull();
    expect(open({ associated_data: '' })).toBeNull();
    expect(open({ ciphertext: '' })).toBeNull();
    expect(encryptedResource.safeParse({ ...sealed, algorithm: 'AEAD_AES_128_GCM' }).success).toBe(false);
    expect(encryptedResource.safeParse({ ...sealed, ciphertext: `${sealed.ciphertext.slice(0, -2)}*=` }).success).toBe(
      false,
    );
  });
});

describe('a correctly signed notification of WeChat Pay', () => {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const paid = { ...v.notify.decryptedResource } as Record<string, unknown>;

  const read = (event_type: string, content: unknown) => {
    const nonce = 'abcdefghijkl';
    const cipher = createCipheriv('aes-256-gcm', v.notify.apiV3Key, nonce).setAAD(Buffer.from(''));
    const sealed = [cipher.update(typeof content === 'string' ? content : JSON.stringify(content)), cipher.final()];
    const ciphertext = Buffer.concat([...sealed, cipher.getAuthTag()]).toString('base64');
    const body = JSON.stringify({ event_type, resource: { algorithm: 'AEAD_AES_256_GCM', ciphertext, nonce } });
    const headers = {
      'wechatpay-timestamp': '1767225601',
      'wechatpay-nonce': 'n',
      'wechatpay-serial': serial,
      'wechatpay-signature': signed('RSA-SHA256', `1767225601\nn\n${body}\n`, privateKey),
    };
    return readerOf({ keys: keysOf(publicKey) }).read({ headers, body: Buffer.from(body) });
  };

  it('is a payment only with a success and an amount', async () => {
    expect(await read('TRANSACTION.SUCCESS', paid)).toMatchObject({ kind: 'payment' });
    expect(await read('TRANSACTION.SUCCESS', { ...paid, trade_state: 'REFUND' })).toMatchObject({ kind: 'other' });
    for (const amount of [undefined, { total: '9900', currency: 'CNY' }, { total: 99.5, currency: 'CNY' }])
      expect(await read('TRANSACTION.SUCCESS', { ...paid, amount })).toMatchObject({ kind: 'forged' });
  });

  it('compares the order’s amount, not what the payer paid after a coupon, and includes the currency', async () => {
    const amount = { total: 9900, payer_total: 9000, currency: 'HKD' };
    expect(await read('TRANSACTION.SUCCESS', { ...paid, amount })).toMatchObject({
      payment: { amount: 9900, currency: 'HKD' },
    });
  });

  it('has no effect for refunds, and is foreign for another merchant', async () => {
    const refund = { mchid: v.mchid, out_trade_no: 'T1', transaction_id: '42', out_refund_no: 'R1' };
    expect(await read('REFUND.SUCCESS', refund)).toEqual({
      kind: 'other',
      subject: '42:REFUND.SUCCESS:R1',
      orderNo: 'T1',
    });
    expect(await read('REFUND.SUCCESS', { ...refund, mchid: '1' })).toMatchObject({ kind: 'stranger' });
  });

  it('is refused as forged if its content is no JSON object', async () => {
    for (const content of ['{', '[]', 'null', '1', '""', '{}'])
      for (const type of ['TRANSACTION.SUCCESS', 'REFUND.SUCCESS'])
        expect(await read(type, content)).toMatchObject({ kind: 'forged' });
  });
});

describe('WeChat Pay without its public key', () => {
  it('is verified with certificates that it serves itself', async () => {
    const needed = {
      DATABASE_URL: 'postgresql://none',
      REDIS_URL: 'redis://none',
      SMTP_URL: 'smtp://none',
      APP_SECRET: '0'.repeat(64),
    };
    const without = { WECHAT_PAY_PUBLIC_KEY_ID: '', WECHAT_PAY_PUBLIC_KEY: '' };
    const channels = new PayChannels(loadConfig({ ...process.env, ...needed, ...without }));
    const channel = channels.channel('WC_NATIVE');
    const [first, second] = [someOrder('WC_NATIVE'), someOrder('WC_NATIVE')];
    expect(await channel.createPayment(first)).toContain(first.no);
    expect(await channel.query(first)).toEqual({ state: 'unpaid' });
    expect(await payAtCashier(first.no)).toBe(true);
    expect(await channel.close(first)).toMatchObject({ state: 'paid', payment: { orderNo: first.no, amount: 9900 } });
    await channel.createPayment(second);
    expect(await channel.close(second)).toEqual({ state: 'closed' });
  });
});
