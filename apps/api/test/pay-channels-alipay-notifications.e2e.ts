import { generateKeyPairSync } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { AlipayClient } from '../src/orders/pay-channels/alipay-client.js';
import { AlipayNotifications } from '../src/orders/pay-channels/alipay.js';
import { signed } from '../src/orders/pay-channels/rsa-signature.js';
import { flips, vectorKey, vectors } from './support/vectors.js';

type Params = Record<string, string>;

const v = vectors<{ notify: { body: string; stringToVerify: string } }>('alipay-rsa2');
const appId = '2021000000000001';
const alipays = generateKeyPairSync('rsa', { modulusLength: 2048 });
const clientOf = (publicKey = vectorKey('alipayPlatform')) =>
  new AlipayClient({
    gatewayUrl: 'https://openapi.alipay.com/gateway.do',
    appId,
    privateKey: alipays.privateKey,
    trust: { publicKey },
    timeoutMs: 5_000,
    now: Date.now,
  });

/** The rule of Alipay's documentation, implemented independently. */
const stringToSign = (params: Params, isSigned = (value: string | undefined) => value !== ''): string =>
  Object.keys(params)
    .filter((name) => isSigned(params[name]))
    .sort()
    .map((name) => `${name}=${params[name]}`)
    .join('&');

describe('an Alipay notification', () => {
  const us = { appId, sellerId: '2088000000000009' };
  const reader = new AlipayNotifications(clientOf(), us);
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
      expect(await read(v.notify.body, new AlipayNotifications(clientOf(), other))).toEqual({
        kind: 'stranger',
        subject: '2026010122001400000000000001:TRADE_SUCCESS',
        orderNo: 'T20260101000000000002',
      });
    }
  });

  describe('a correctly signed notification', () => {
    const trusting = new AlipayNotifications(clientOf(alipays.publicKey), us);
    const { sign: _sign, sign_type: _type, ...vector } = params(v.notify.body);
    const say = (change: Record<string, string | undefined>, sign = (of: Params) => stringToSign(of)) => {
      const said = Object.fromEntries(
        Object.entries({ ...vector, ...change }).filter(([, value]) => value !== undefined),
      );
      const signature = signed('RSA-SHA256', sign(said as Params), alipays.privateKey);
      return read(new URLSearchParams({ ...said, sign_type: 'RSA2', sign: signature } as Params).toString(), trusting);
    };

    it('may include or omit empty values in its signature', async () => {
      const withEmpty = (of: Params) => stringToSign(of, () => true);
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
