import { createCipheriv, generateKeyPairSync, verify, type KeyObject } from 'node:crypto';
import { afterEach, describe, expect, it } from '@jest/globals';
import { GatewayRejection } from '../src/orders/pay-channels/gateway-client.js';
import { LianlianClient, signatureData } from '../src/orders/pay-channels/lianlian.js';
import { PayChannels } from '../src/orders/pay-channels/pay-channels.js';
import { signed } from '../src/orders/pay-channels/rsa-signature.js';
import { WechatPayClient } from '../src/orders/pay-channels/wechat-pay-client.js';
import { WechatPayNotifications } from '../src/orders/pay-channels/wechat-pay.js';
import { loadConfig } from '../src/platform/config.js';
import { stubServer, type StubAnswer, type StubRequest } from './support/stub-server.js';
import { certificate } from './support/certificate.js';

const ours = generateKeyPairSync('rsa', { modulusLength: 2048 });
const theirs = generateKeyPairSync('rsa', { modulusLength: 2048 });
const noAnswer = { name: 'NoGatewayAnswer' };
const v3Key = '0123456789abcdef0123456789abcdef';
const start = Date.UTC(2026, 0, 1);
const clock = { ms: start };
const now = (): number => clock.ms;

let gateway: Awaited<ReturnType<typeof stubServer>> | undefined;
afterEach(async () => {
  await gateway?.close();
  clock.ms = start;
});
const gatewayThat = async (answer: (asked: StubRequest) => StubAnswer) => (gateway = await stubServer(answer)).url;

/** The headers of a WeChat Pay response. */
const signedBy = (key: KeyObject, serial: string, body: string): Record<string, string> => {
  const timestamp = String(clock.ms / 1000);
  return {
    'Wechatpay-Timestamp': timestamp,
    'Wechatpay-Nonce': 'nonce',
    'Wechatpay-Serial': serial,
    'Wechatpay-Signature': signed('RSA-SHA256', `${timestamp}\nnonce\n${body}\n`, key),
  };
};
const wechat = (url: string, publicKey: { id: string; key: KeyObject } | null) =>
  new WechatPayClient({
    url,
    appId: 'wx1',
    mchId: '19',
    serial: 'OURS',
    privateKey: ours.privateKey,
    v3Key,
    publicKey,
    timeoutMs: 2_000,
    now,
  });

describe('WeChat Pay in public-key mode', () => {
  const publicKey = { id: 'PUB_KEY_ID_1', key: theirs.publicKey };
  const says = (status: number, body: string, headers = signedBy(theirs.privateKey, publicKey.id, body)) =>
    gatewayThat(() => ({ status, body, headers }));
  const ask = (url: string) => wechat(url, publicKey).request({ method: 'GET', path: '/v3/x?mchid=19' });

  it('signs the full path, including that of the base address', async () => {
    const url = await says(200, '{"a":1}');
    expect(
      await wechat(`${url}/behind/`, publicKey).request({ method: 'POST', path: '/v3/x?y=z', body: { b: '款' } }),
    ).toEqual({
      a: 1,
    });
    const { method, url: target, headers, body } = gateway?.asked[0] ?? { method: '', url: '', headers: {}, body: '' };
    expect([method, target, body]).toEqual(['POST', '/behind/v3/x?y=z', '{"b":"款"}']);
    const authorization = headers['authorization'] ?? '';
    const {
      nonce_str,
      timestamp,
      signature = '',
    } = Object.fromEntries(
      [...authorization.matchAll(/(\w+)="([^"]*)"/g)].map(([, name, value]) => [name, value]),
    ) as Record<string, string>;
    const message = `POST\n/behind/v3/x?y=z\n${timestamp}\n${nonce_str}\n${body}\n`;
    expect(verify('RSA-SHA256', Buffer.from(message), ours.publicKey, Buffer.from(signature, 'base64'))).toBe(true);
    expect(nonce_str).toMatch(/^[0-9A-F]{32}$/);
    expect(headers).toMatchObject({ 'wechatpay-serial': publicKey.id, accept: 'application/json' });
  });

  it('returns success, unknown, or a refusal in the gateway’s own words', async () => {
    expect(await ask(await says(200, '{"a":1}'))).toEqual({ a: 1 });
    await gateway?.close();
    expect(await ask(await says(204, ''))).toBeNull();
    await gateway?.close();
    await expect(ask(await says(404, '{"code":"ORDER_NOT_EXIST","message":"订单不存在"}'))).rejects.toEqual(
      new GatewayRejection('ORDER_NOT_EXIST', '订单不存在'),
    );
  });

  it.each([
    [429, '{"code":"RATELIMIT_EXCEEDED"}'],
    [403, '{"code":"FREQUENCY_LIMITED"}'],
    [400, '{"code":"SYSTEM_ERROR"}'],
    [500, '{"code":"SYSTEM_ERROR"}'],
    [502, ''],
    [400, 'no json'],
    [302, '{"code":"MOVED"}', true],
  ])('returns unknown for %s %s', async (status, body, moved = false) => {
    const headers = {
      ...signedBy(theirs.privateKey, publicKey.id, body),
      ...(moved ? { Location: '/elsewhere' } : {}),
    };
    const url = await says(status, body, headers);
    if (moved) await expect(ask(url)).rejects.toBeInstanceOf(Error);
    else await expect(ask(url)).rejects.toMatchObject(noAnswer);
    expect(gateway?.asked.map((asked) => asked.url)).toEqual(['/v3/x?mchid=19']);
  });

  it('does not trust responses, refusals included, that are unsigned, signed by another or for another body, or expired', async () => {
    for (const status of [200, 204, 404]) {
      const body = status === 204 ? '' : '{"code":"ORDER_NOT_EXIST"}';
      const right = signedBy(theirs.privateKey, publicKey.id, body);
      const wrong = [
        {},
        signedBy(ours.privateKey, publicKey.id, body),
        signedBy(theirs.privateKey, 'PUB_KEY_ID_2', body),
        signedBy(theirs.privateKey, publicKey.id, 'other'),
        { ...right, 'Wechatpay-Signature': 'WECHATPAY/SIGNTEST/abc' },
      ];
      for (const headers of wrong) {
        await expect(ask(await says(status, body, headers))).rejects.toMatchObject(noAnswer);
        await gateway?.close();
      }
      const url = await says(status, body, right);
      clock.ms = start + 301_000;
      await expect(ask(url)).rejects.toMatchObject(noAnswer);
      clock.ms = start;
      await gateway?.close();
    }
  });

  it('limits the size of responses', async () => {
    const body = `"${'x'.repeat(2 * 1024 * 1024)}"`;
    await expect(ask(await says(200, body))).rejects.toMatchObject(noAnswer);
  });
});

describe('WeChat Pay in certificate mode', () => {
  type Platform = { serial: string; keys: typeof theirs; validTo?: Date };
  const first: Platform = { serial: '1A', keys: theirs };
  const second: Platform = { serial: '2B', keys: generateKeyPairSync('rsa', { modulusLength: 2048 }) };

  const sealed = (text: string, key: string) => {
    const cipher = createCipheriv('aes-256-gcm', key, 'abcdefghijkl').setAAD(Buffer.from('certificate'));
    const ciphertext = Buffer.concat([cipher.update(text), cipher.final(), cipher.getAuthTag()]).toString('base64');
    return { algorithm: 'AEAD_AES_256_GCM', nonce: 'abcdefghijkl', associated_data: 'certificate', ciphertext };
  };
  const listOf = (platforms: Platform[], key = v3Key): string =>
    JSON.stringify({
      data: platforms.map(({ serial, keys, validTo }) => ({
        serial_no: serial,
        encrypt_certificate: sealed(
          certificate({ keys, issuer: 'Tenpay', serial: `1${serial}0`.slice(0, 4), ...(validTo ? { validTo } : {}) }),
          key,
        ),
      })),
    });
  const says = (of: { list: () => string; listBy?: Platform; by: () => Platform }) =>
    gatewayThat(({ url }) => {
      const isList = url === '/v3/certificates';
      const body = isList ? of.list() : '{"a":1}';
      const { keys, serial } = isList ? (of.listBy ?? first) : of.by();
      return { body, headers: signedBy(keys.privateKey, serial, body) };
    });
  const ask = (client: WechatPayClient) => client.request({ method: 'GET', path: '/v3/x' });
  const lists = () => gateway?.asked.filter(({ url }) => url === '/v3/certificates').length;

  it('fetches the certificates once for simultaneous calls', async () => {
    const client = wechat(await says({ list: () => listOf([first, second]), by: () => second }), null);
    expect(await Promise.all([ask(client), ask(client), ask(client)])).toEqual([{ a: 1 }, { a: 1 }, { a: 1 }]);
    expect(await ask(client)).toEqual({ a: 1 });
    expect(lists()).toBe(1);
    expect(gateway?.asked[0]?.headers['wechatpay-serial']).toBeUndefined();
  });

  it('fetches them again for an unknown serial number, at most once a minute', async () => {
    let [known, by] = [[first], first];
    const client = wechat(await says({ list: () => listOf(known), by: () => by }), null);
    expect(await ask(client)).toEqual({ a: 1 });
    by = second;
    known = [first, second];
    for (let time = 0; time < 5; time++) await expect(ask(client)).rejects.toMatchObject(noAnswer);
    expect(lists()).toBe(1);
    clock.ms += 60_000;
    expect(await ask(client)).toEqual({ a: 1 });
    expect(lists()).toBe(2);
  });

  it('rejects a list that is not encrypted for us, not signed by one of its certificates, or expired', async () => {
    const wrong = [
      { list: () => listOf([first], v3Key.toUpperCase()), by: () => first },
      { list: () => listOf([first]), listBy: second, by: () => first },
      { list: () => listOf([{ ...first, validTo: new Date('2021-01-01') }]), by: () => first },
      { list: () => '{}', by: () => first },
      { list: () => 'nothing', by: () => first },
    ];
    for (const of of wrong) {
      await expect(ask(wechat(await says(of), null))).rejects.toMatchObject(noAnswer);
      await gateway?.close();
    }
  });

  it('refuses a notification whose certificate is unavailable: it will be repeated', async () => {
    const url = await gatewayThat(() => ({}));
    await gateway?.close();
    const client = wechat(url, null);
    const headers = Object.entries(signedBy(theirs.privateKey, '1A', '{}')).map(([name, value]) => [
      name.toLowerCase(),
      value,
    ]);
    const reading = await new WechatPayNotifications(client).read({
      headers: Object.fromEntries(headers) as Record<string, string>,
      body: Buffer.from('{}'),
    });
    expect(reading).toEqual({ kind: 'forged', why: 'no answer: ECONNREFUSED' });
  });
});

describe('LianLian', () => {
  const ask = async (status: number, body: string, signature = signatureData(body, theirs.privateKey)) => {
    const url = await gatewayThat(() => ({ status, body, headers: { 'Signature-Data': signature } }));
    const settings = {
      url,
      mchId: '40',
      privateKey: ours.privateKey,
      publicKey: theirs.publicKey,
      timeoutMs: 2_000,
      now,
    };
    const said = new LianlianClient(settings).request('/mch/v1/ipay/close', { txn_seqno: '款1' });
    return said.finally(() => gateway?.close());
  };

  it('sends a signature over the exact body', async () => {
    expect(await ask(200, '{"ret_code":"0000","a":1}')).toEqual({ ret_code: '0000', ret_msg: '', a: 1 });
    const { url, headers, body } = gateway?.asked[0] ?? { url: '', headers: {}, body: '' };
    expect([url, body]).toEqual(['/mch/v1/ipay/close', '{"mch_id":"40","txn_seqno":"款1"}']);
    expect(headers).toMatchObject({
      'content-type': 'application/json;charset=UTF-8',
      timestamp: '20260101080000',
      mch_id: '40',
      'signature-type': 'RSA',
      'signature-data': signatureData(body, ours.privateKey),
    });
  });

  it('returns a refusal in the gateway’s own words, unless it is busy', async () => {
    await expect(ask(200, '{"ret_code":"9901","ret_msg":"未查询到记录"}')).rejects.toEqual(
      new GatewayRejection('9901', '未查询到记录'),
    );
    for (const code of ['1003', '2005', '6601'])
      await expect(ask(200, `{"ret_code":"${code}"}`)).rejects.toMatchObject(noAnswer);
  });

  it('does not trust responses that are unsigned, signed by another, with another status or without a code', async () => {
    const yes = '{"ret_code":"0000"}';
    for (const signature of ['', 'AAAA', signatureData(yes, ours.privateKey), signatureData('{}', theirs.privateKey)])
      await expect(ask(200, yes, signature)).rejects.toMatchObject(noAnswer);
    await expect(ask(200, '{"ret_code":"1002"}', '')).rejects.toMatchObject(noAnswer);
    for (const status of [201, 301, 404, 500]) await expect(ask(status, yes)).rejects.toMatchObject(noAnswer);
    for (const body of ['', '{}', 'null', '{"ret_code":0}'])
      await expect(ask(200, body)).rejects.toMatchObject(noAnswer);
  });
});

describe('a gateway without keys', () => {
  const base = {
    DATABASE_URL: 'postgresql://none',
    REDIS_URL: 'redis://none',
    SMTP_URL: 'smtp://none',
    APP_SECRET: '0'.repeat(64),
  };

  it('is absent, with its channels', () => {
    const none = new PayChannels(loadConfig(base));
    expect(none.available()).toEqual([]);
    expect(() => none.channel('WC_NATIVE')).toThrow('PAY_CHANNEL_UNAVAILABLE');
    expect(none.notifications('alipay')).toBeNull();
    const pem = (key: KeyObject) =>
      key.export({ type: key.type === 'public' ? 'spki' : 'pkcs8', format: 'pem' }).toString();
    const keys = { LIANLIAN_PRIVATE_KEY: pem(ours.privateKey), LIANLIAN_PUBLIC_KEY: pem(theirs.publicKey) };
    const one = new PayChannels(loadConfig({ ...base, LIANLIAN_MCH_ID: '40', ...keys }));
    expect(one.available()).toEqual(['ALI_LIAN', 'WC_LIAN']);
    expect(one.notifications('lianlian')).not.toBeNull();
    expect(one.notifications('wechat')).toBeNull();
  });
});
