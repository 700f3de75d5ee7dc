import { createHash, generateKeyPairSync, verify } from 'node:crypto';
import { afterEach, describe, expect, it } from '@jest/globals';
import { AlipayChannel, AlipayNotifications } from '../src/orders/pay-channels/alipay.js';
import { AlipayClient, type AlipayTrust, StrictAlipaySdk } from '../src/orders/pay-channels/alipay-client.js';
import { GatewayRejection } from '../src/orders/pay-channels/gateway-client.js';
import { signed } from '../src/orders/pay-channels/rsa-signature.js';
import { stubServer, type StubAnswer } from './support/stub-server.js';
import { certificate } from './support/certificate.js';
import { flips, vectorKey, vectors } from './support/vectors.js';

type Params = Record<string, string>;
type Vectors = Record<'pagePay' | 'precreate', { params: Params; stringToSign: string; sign: string }> & {
  precreate: { responseBody: string };
  notify: { body: string; stringToVerify: string };
};

const v = vectors<Vectors>('alipay-rsa2');
const ours = generateKeyPairSync('rsa', { modulusLength: 2048 });
const alipays = generateKeyPairSync('rsa', { modulusLength: 2048 });
const appId = '2021000000000001';
const at = Date.UTC(2026, 0, 1);

const clientOf = (of: { trust?: AlipayTrust; gatewayUrl?: string; timeoutMs?: number }) =>
  new AlipayClient({
    gatewayUrl: of.gatewayUrl ?? 'https://openapi.alipay.com/gateway.do',
    appId,
    privateKey: ours.privateKey,
    trust: of.trust ?? { publicKey: vectorKey('alipayPlatform') },
    timeoutMs: of.timeoutMs ?? 5_000,
    now: () => at,
  });

/** The rule of Alipay's documentation, implemented independently. */
const stringToSign = (params: Params, withEmpty = false): string =>
  Object.keys(params)
    .filter((name) => name !== 'sign' && (withEmpty || params[name] !== ''))
    .sort()
    .map((name) => `${name}=${params[name]}`)
    .join('&');

const order = {
  id: 7,
  no: 'YQ2026010108000012345678',
  payChannel: 'ALI_NATIVE' as const,
  userId: 3,
  amount: 9900,
  createdAt: new Date(at),
  expiresAt: new Date(at + 15 * 60_000),
};

/** What a browser would post: the query of the form's action, and its fields. */
function posted(html: string): { action: string; params: Params } {
  const action = /<form action="([^"]*)" method="post"/.exec(html)?.[1] ?? '';
  const fields = [...html.matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)"/g)];
  const url = new URL(action);
  const values = fields.map(([, name = '', value = '']) => [name, value.replaceAll('&quot;', '"')]);
  return { action: url.origin + url.pathname, params: Object.fromEntries([...url.searchParams, ...values]) as Params };
}

describe('a request to Alipay', () => {
  it.each(['pagePay', 'precreate'] as const)('is signed like the test vector %s', (name) => {
    const { params, stringToSign: message, sign } = v[name];
    expect(stringToSign(params)).toBe(message);
    expect(verify('RSA-SHA256', Buffer.from(message), vectorKey('alipayApp'), Buffer.from(sign, 'base64'))).toBe(true);

    const privateKey = ours.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
    const sdk = new StrictAlipaySdk({ appId, privateKey, keyType: 'PKCS8' });
    const { method = '', biz_content = '', app_id: _app, ...rest } = params;
    const sent = sdk.sdkExecute(method, { ...rest, bizContent: JSON.parse(biz_content) as Params });
    const signature = new URLSearchParams(sent).get('sign') ?? '';
    expect(verify('RSA-SHA256', Buffer.from(message), ours.publicKey, Buffer.from(signature, 'base64'))).toBe(true);
  });

  it('is a signed form in pure ASCII, with Beijing time in any time zone of the process', async () => {
    const urls = { publicUrl: 'https://yiqiao.example', notifyUrl: 'https://pay.yiqiao.example' };
    const html = await new AlipayChannel(clientOf({}), urls).createPayment(order);
    expect(html).toMatch(/^<form [^<]*(<input [^<]*)+<\/form>$/);
    const { action, params } = posted(html);
    expect(action).toBe('https://openapi.alipay.com/gateway.do');
    const { sign = '', biz_content = '', ...rest } = params;
    expect(rest).toEqual({
      alipay_sdk: expect.stringMatching(/^alipay-sdk-nodejs-/),
      app_id: appId,
      method: 'alipay.trade.page.pay',
      charset: 'utf-8',
      version: '1.0',
      sign_type: 'RSA2',
      timestamp: '2026-01-01 08:00:00',
      notify_url: 'https://pay.yiqiao.example/pay/notify/alipay',
      return_url: `https://yiqiao.example/PaySuccess?payInfo=${encodeURIComponent(`{"orderId":7,"orderNo":"${order.no}"}`)}`,
    });
    expect(JSON.parse(biz_content)).toEqual({
      out_trade_no: order.no,
      total_amount: '99.00',
      subject: order.no,
      product_code: 'FAST_INSTANT_TRADE_PAY',
      time_expire: '2026-01-01 08:15:00',
    });
    expect(Object.values(params).join('')).toMatch(/^[\x20-\x7e]+$/);
    const message = Buffer.from(stringToSign(params));
    expect(verify('RSA-SHA256', message, ours.publicKey, Buffer.from(sign, 'base64'))).toBe(true);
  });
});

describe('a response of Alipay', () => {
  let gateway: Awaited<ReturnType<typeof stubServer>> | undefined;
  afterEach(() => gateway?.close());

  const method = 'alipay.trade.precreate';
  const node = 'alipay_trade_precreate_response';
  const said = (text: string): string =>
    `{"${node}":${text},"sign":"${signed('RSA-SHA256', text, alipays.privateKey)}"}`;
  const ask = async (answer: StubAnswer, of: { trust?: AlipayTrust; timeoutMs?: number } = {}) => {
    gateway = await stubServer(() => answer);
    const client = clientOf({
      gatewayUrl: `${gateway.url}/gateway.do`,
      trust: { publicKey: alipays.publicKey },
      ...of,
    });
    return client.request(method, { out_trade_no: '1' });
  };

  it('is trusted only with a valid signature: with any byte changed the result is unknown', async () => {
    const whole = Buffer.from(v.precreate.responseBody);
    const changed = [...flips(whole, [0])];
    let answers = [whole, ...changed];
    gateway = await stubServer(() => ({ body: answers.shift() ?? '' }));
    const client = clientOf({ gatewayUrl: `${gateway.url}/gateway.do` });
    expect(await client.request(method, {})).toMatchObject({ qr_code: 'https://qr.alipay.com/bax00000test' });
    for (const _ of changed)
      await expect(client.request(method, {})).rejects.toMatchObject({ name: 'NoGatewayAnswer' });
    answers = [];
  });

  it('is the signed part, even if a second one is appended', async () => {
    const genuine = said('{"code":"10000","out_trade_no":"1"}').slice(0, -1);
    const body = `${genuine},"${node}":{"code":"10000","out_trade_no":"2"}}`;
    await expect(ask({ body })).rejects.toMatchObject({ name: 'NoGatewayAnswer' });
  });

  it('is unknown without a signature, node or code, or with another status', async () => {
    const bodies = [
      `{"${node}":{"code":"10000"}}`,
      '{"error_response":{"code":"40002"}}',
      '{}',
      '',
      'null',
      said('{}'),
    ];
    for (const body of bodies) {
      await expect(ask({ body })).rejects.toMatchObject({ name: 'NoGatewayAnswer' });
      await gateway?.close();
    }
    const body = said('{"code":"10000"}');
    for (const status of [301, 404, 502]) {
      await expect(ask({ status, body })).rejects.toMatchObject({ name: 'NoGatewayAnswer' });
      await gateway?.close();
    }
    expect(await ask({ body })).toEqual({ code: '10000' });
  });

  it('is a refusal in the gateway’s own words, unless the gateway is only busy', async () => {
    const no = '{"code":"40004","msg":"Business Failed","sub_code":"ACQ.TRADE_NOT_EXIST","sub_msg":"交易不存在"}';
    await expect(ask({ body: said(no) })).rejects.toEqual(new GatewayRejection('ACQ.TRADE_NOT_EXIST', '交易不存在'));
    const busy = [
      '{"code":"20000","msg":"Service Currently Unavailable","sub_code":"isp.unknow-error"}',
      '{"code":"40004","msg":"Business Failed","sub_code":"ACQ.SYSTEM_ERROR"}',
    ];
    for (const text of busy) {
      await gateway?.close();
      await expect(ask({ body: said(text) })).rejects.toMatchObject({ name: 'NoGatewayAnswer' });
    }
  });

  it('is awaited for one time-out at most, even if it arrives byte by byte', async () => {
    const body = said('{"code":"10000"}');
    const began = Date.now();
    await expect(ask({ body, everyMs: 50 }, { timeoutMs: 400 })).rejects.toMatchObject({ name: 'NoGatewayAnswer' });
    expect(Date.now() - began).toBeLessThan(50 * body.length);
    expect(gateway?.asked).toHaveLength(1);
  });

  it('is verified by its certificate in certificate mode, and the request names the certificates', async () => {
    const of = (issuer: string, keys: typeof ours) => certificate({ keys, issuer, serial: '1f2e' });
    const trust = { appCert: of('App', ours), rootCert: of('Root', alipays), alipayCert: of('Alipay', alipays) };
    expect(await ask({ body: said('{"code":"10000","a":"b"}') }, { trust })).toEqual({ code: '10000', a: 'b' });
    const query = new URL(gateway?.asked[0]?.url ?? '', 'http://x').searchParams;
    const serialOf = (issuer: string) => createHash('md5').update(`CN=${issuer}${0x1f2e}`).digest('hex');
    expect([query.get('app_cert_sn'), query.get('alipay_root_cert_sn')]).toEqual([serialOf('App'), serialOf('Root')]);
  });
});

describe('an Alipay notification', () => {
  const us = { appId, sellerId: '2088000000000009' };
  const reader = new AlipayNotifications(clientOf({}), us);
  const read = (body: string | Buffer, of = reader) => of.read({ headers: {}, body: Buffer.from(body) });
  const params = (body: string): Params => Object.fromEntries(new URLSearchParams(body));

  it('is parsed as the payment of the test vector', async () => {
    const { sign: _sign, sign_type: _type, ...vector } = params(v.notify.body);
    expect(stringToSign(vector)).toBe(v.notify.stringToVerify);
    expect(await read(v.notify.body)).toEqual({
      kind: 'payment',
      subject: '2026010122001400000000000001:TRADE_SUCCESS',
      payment: {
        gateway: 'alipay',
        orderNo: 'T20260101000000000002',
        tradeNo: '2026010122001400000000000001',
        amount: 9900,
        currency: 'CNY',
        paidAt: new Date('2026-01-01T00:01:00Z'),
      },
    });
    expect(reader.accepted).toMatchObject({ status: 200, body: 'success' });
  });

  it('is refused as forged with any significant bit flipped', async () => {
    const genuine = params(v.notify.body);
    let same = 0;
    // The fifth bit distinguishes lower and upper case.
    for (const flipped of flips(Buffer.from(v.notify.body), [0, 5])) {
      // %5b and %5B are the same, because the decoded values are signed.
      const says = params(flipped.toString());
      const isSame = JSON.stringify(says) === JSON.stringify(genuine);
      same += isSame ? 1 : 0;
      expect([isSame, (await read(flipped)).kind]).toEqual([isSame, isSame ? 'payment' : 'forged']);
    }
    expect(same).toBeLessThan(60);
  });

  it('is refused as forged without a signature, with an old digest, or with a duplicate parameter', async () => {
    const body = v.notify.body;
    for (const wrong of [
      '',
      'sign=',
      body.replace(/&sign=[^&]*/, ''),
      body.replace(/&sign=[^&]*/, '&sign=AAAA'),
      body.replace('sign_type=RSA2', 'sign_type=RSA'),
      body.replace('&sign_type=RSA2', ''),
      body.replace('sign_type=RSA2', 'sign_type=__proto__'),
      `${body}&out_trade_no=T2`,
      `${body}&extra=1`,
    ])
      expect([wrong, (await read(wrong)).kind]).toEqual([wrong, 'forged']);
  });

  it('is ignored as foreign for another app or seller', async () => {
    for (const other of [
      { ...us, appId: '2' },
      { ...us, sellerId: '2' },
    ]) {
      expect(await read(v.notify.body, new AlipayNotifications(clientOf({}), other))).toEqual({
        kind: 'stranger',
        subject: '2026010122001400000000000001:TRADE_SUCCESS',
        orderNo: 'T20260101000000000002',
      });
    }
  });

  describe('a correctly signed notification', () => {
    const trusting = new AlipayNotifications(clientOf({ trust: { publicKey: alipays.publicKey } }), us);
    const { sign: _sign, sign_type: _type, ...vector } = params(v.notify.body);
    const say = (change: Record<string, string | undefined>, sign = (of: Params) => stringToSign(of)) => {
      const said = Object.fromEntries(
        Object.entries({ ...vector, ...change }).filter(([, value]) => value !== undefined),
      );
      const signature = signed('RSA-SHA256', sign(said as Params), alipays.privateKey);
      return read(new URLSearchParams({ ...said, sign_type: 'RSA2', sign: signature } as Params).toString(), trusting);
    };

    it('may include or omit empty values in its signature', async () => {
      const withEmpty = (of: Params) => stringToSign(of, true);
      expect(await say({ body: '' })).toMatchObject({ kind: 'payment' });
      expect(await say({ body: '' }, withEmpty)).toMatchObject({ kind: 'payment' });
    });

    it('is a payment for TRADE_SUCCESS and TRADE_FINISHED only', async () => {
      expect(await say({ trade_status: 'TRADE_FINISHED' })).toMatchObject({ kind: 'payment' });
      for (const trade_status of ['WAIT_BUYER_PAY', 'TRADE_CLOSED'])
        expect(await say({ trade_status })).toEqual({
          kind: 'other',
          subject: `2026010122001400000000000001:${trade_status}`,
          orderNo: 'T20260101000000000002',
        });
      expect(await say({ trade_status: 'TRADE_MAYBE' })).toMatchObject({ kind: 'forged' });
    });

    it('has no effect for refunds, even several of one order', async () => {
      const refund = { refund_fee: '1.00', gmt_refund: '2026-01-02 08:00:00', out_biz_no: 'R1' };
      expect(await say(refund)).toMatchObject({
        kind: 'other',
        subject: '2026010122001400000000000001:TRADE_SUCCESS:R1',
      });
      expect(await say({ refund_fee: '1.00' })).toMatchObject({ kind: 'other' });
      expect(await say({ refund_fee: '0.00' })).toMatchObject({ kind: 'payment' });
    });

    it('is refused as forged if it lacks a field of a payment', async () => {
      for (const name of ['app_id', 'seller_id', 'trade_no', 'out_trade_no', 'total_amount', 'trade_status'])
        expect([name, (await say({ [name]: undefined })).kind]).toEqual([name, 'forged']);
      for (const total_amount of ['99.001', '-1', '99,00', '1e2'])
        expect(await say({ total_amount })).toMatchObject({ kind: 'forged' });
    });
  });
});
