import { X509Certificate } from 'node:crypto';

import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';

import { startMerchant, type Merchant } from '../../../test-support/merchant.js';
import { decrypt, wechatMerchant, type Draft } from '../../../test-support/wechat-merchant.js';

let merchant: Merchant;
let wechat: ReturnType<typeof wechatMerchant>;
let count = 0;

beforeAll(async () => {
  merchant = await startMerchant();
  wechat = wechatMerchant(merchant);
});
beforeEach(() => {
  merchant.received.length = 0;
  merchant.answer = { status: 200, body: '' };
});
afterAll(async () => merchant.close());

/** A unique order number. */
const orderNo = () => `YQ2026010108000000${String((count += 1)).padStart(6, '0')}`;

describe('a payment', () => {
  it('goes from prepay to paid, with an encrypted notification', async () => {
    const no = orderNo();
    const prepaid = await wechat.prepay(no, { attach: 'a 附言' });
    expect(prepaid).toMatchObject({ status: 200, json: { code_url: `${merchant.sandbox.url}/cashier/${no}` } });
    expect((await wechat.query(no)).json).toMatchObject({ trade_state: 'NOTPAY', out_trade_no: no });
    expect(await merchant.call('POST', `/cashier/${no}/pay`)).toMatchObject({ status: 200, json: { state: 'paid' } });

    const [notice] = await merchant.waitForNotifications(1);
    const { event, plain } = wechat.read(notice!);
    expect(event).toBe('TRANSACTION.SUCCESS');
    expect(notice?.headers['wechatpay-serial']).toBe(wechat.publicKeyId);
    expect(plain).toMatchObject({
      mchid: '1900000001',
      appid: 'wx0123456789abcdef',
      out_trade_no: no,
      trade_type: 'NATIVE',
      trade_state: 'SUCCESS',
      attach: 'a 附言',
      amount: { total: 9900, payer_total: 9900, currency: 'CNY', payer_currency: 'CNY' },
    });
    expect(plain['success_time']).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+08:00$/);
    const asked = await wechat.query(no);
    expect(asked.json).toEqual(plain);
    const byId = `/v3/pay/transactions/id/${String(plain['transaction_id'])}?mchid=1900000001`;
    expect((await wechat.ask('GET', byId)).json).toEqual(plain);
  });

  it('returns the same code for the same request, and rejects other terms under the same number', async () => {
    const no = orderNo();
    const first = await wechat.prepay(no);
    expect((await wechat.prepay(no)).json).toEqual(first.json);
    for (const other of [{ description: 'b' }, { amount: { total: 1 } }, { notify_url: 'http://localhost/other' }]) {
      expect(await wechat.prepay(no, other)).toMatchObject({ status: 403, json: { code: 'OUT_TRADE_NO_USED' } });
    }
  });

  it('can be made without notifying the merchant', async () => {
    const no = orderNo();
    await wechat.prepay(no);
    await merchant.call('POST', `/cashier/${no}/pay?notify=0`);
    expect((await wechat.query(no)).json).toMatchObject({ trade_state: 'SUCCESS' });
    expect((await merchant.trade(no)).notifications).toEqual([]);
  });

  it('is possible once, for known open orders', async () => {
    const [no, closed, late] = [orderNo(), orderNo(), orderNo()];
    expect((await merchant.call('POST', '/cashier/unknown/pay')).status).toBe(404);
    await wechat.prepay(no);
    await merchant.call('POST', `/cashier/${no}/pay`);
    expect(await merchant.call('POST', `/cashier/${no}/pay`)).toEqual({
      status: 409,
      json: { error: `Order ${no} is paid already` },
    });
    await wechat.prepay(closed);
    expect((await wechat.close(closed)).status).toBe(204);
    expect((await merchant.call('POST', `/cashier/${closed}/pay`)).status).toBe(409);
    await wechat.prepay(late, { time_expire: new Date(Date.now() + 70_000).toISOString() });
    await merchant.call('POST', '/payments/forward', { seconds: 71, expiry: true });
    expect((await merchant.call('POST', `/cashier/${late}/pay`)).status).toBe(409);
    expect((await wechat.prepay(late)).json).toMatchObject({ code: 'ORDER_CLOSED' });
    // WeChat Pay does not close an expired order by itself.
    expect((await wechat.query(late)).json).toMatchObject({ trade_state: 'NOTPAY' });
  });

  it('can be closed once, and only while unpaid', async () => {
    const [no, paid] = [orderNo(), orderNo()];
    await wechat.prepay(no);
    expect(await wechat.close(no)).toMatchObject({ status: 204, json: {} });
    expect((await wechat.query(no)).json).toMatchObject({ trade_state: 'CLOSED' });
    expect(await wechat.close(no)).toMatchObject({ status: 400, json: { code: 'ORDER_CLOSED' } });
    expect(await wechat.prepay(no)).toMatchObject({ status: 400, json: { code: 'ORDER_CLOSED' } });
    await wechat.prepay(paid);
    await merchant.call('POST', `/cashier/${paid}/pay`);
    expect(await wechat.close(paid)).toMatchObject({ status: 400, json: { code: 'ORDERPAID' } });
    expect(await wechat.prepay(paid)).toMatchObject({ status: 400, json: { code: 'ORDERPAID' } });
  });

  it('is unknown if it was never created', async () => {
    expect(await wechat.query(orderNo())).toMatchObject({ status: 404, json: { code: 'ORDER_NOT_EXIST' } });
    expect(await wechat.close(orderNo())).toMatchObject({ status: 404, json: { code: 'ORDER_NOT_EXIST' } });
  });
});

describe('a refund', () => {
  const paid = async () => {
    const no = orderNo();
    await wechat.prepay(no);
    await merchant.call('POST', `/cashier/${no}/pay?notify=0`);
    return no;
  };

  it('is accepted, then completed once however often it is requested, and notified', async () => {
    const no = await paid();
    const asked = { notify_url: merchant.notifyUrl, reason: '用户申请' };
    expect(await wechat.refund(no, asked)).toMatchObject({ status: 200, json: { status: 'PROCESSING' } });
    expect(await wechat.refund(no, asked)).toMatchObject({ status: 200, json: { status: 'SUCCESS' } });
    const found = await wechat.ask('GET', `/v3/refund/domestic/refunds/R${no}`);
    expect(found).toMatchObject({ status: 200, json: { status: 'SUCCESS', out_trade_no: no } });
    expect((await wechat.query(no)).json).toMatchObject({ trade_state: 'REFUND' });
    const [notice] = await merchant.waitForNotifications(1);
    expect(wechat.read(notice!)).toMatchObject({
      event: 'REFUND.SUCCESS',
      plain: { out_trade_no: no, refund_status: 'SUCCESS', amount: { refund: 9900, total: 9900 } },
    });
    expect((await merchant.trade(no)).refunds).toHaveLength(1);
  });

  it('does not change a delayed notification of its payment', async () => {
    const no = orderNo();
    await wechat.prepay(no);
    await merchant.call('POST', '/payments/faults', { mode: 'notify-late', orderNo: no, count: 1, delayMs: 60_000 });
    await merchant.call('POST', `/cashier/${no}/pay`);
    await wechat.refund(no);
    await merchant.call('POST', '/payments/forward', { seconds: 60, orderNo: no });
    const [notice] = await merchant.waitForNotifications(1);
    expect(wechat.read(notice!)).toMatchObject({ event: 'TRANSACTION.SUCCESS', plain: { trade_state: 'SUCCESS' } });
  });

  it('is rejected above the paid amount, with another amount, and for an unpaid order', async () => {
    const [no, unpaid] = [await paid(), orderNo()];
    await wechat.prepay(unpaid);
    const half = { amount: { refund: 5000, total: 9900, currency: 'CNY' } };
    expect((await wechat.refund(no, { ...half, out_refund_no: 'H1' + no })).status).toBe(200);
    const refused = { status: 400, json: { code: 'INVALID_REQUEST' } };
    expect(await wechat.refund(no, { ...half, out_refund_no: 'H2' + no })).toMatchObject(refused);
    expect(await wechat.refund(no, { out_refund_no: 'H1' + no })).toMatchObject(refused);
    const other = { amount: { refund: 1, total: 9901, currency: 'CNY' } };
    expect(await wechat.refund(no, other)).toMatchObject(refused);
    expect(await wechat.refund(unpaid)).toMatchObject(refused);
    expect(await wechat.refund(orderNo())).toMatchObject({ status: 404, json: { code: 'RESOURCE_NOT_EXISTS' } });
    expect(await wechat.ask('GET', '/v3/refund/domestic/refunds/none')).toMatchObject({ status: 404 });
  });
});

describe('a request to the gateway', () => {
  const flip = (text: string, at: number) =>
    text.slice(0, at) + String.fromCharCode(text.charCodeAt(at) ^ 1) + text.slice(at + 1);

  it('is rejected when any byte of its body was changed', async () => {
    const body = JSON.stringify(wechat.prepayBody(orderNo()));
    for (let at = 0; at < body.length; at += 1) {
      const tamper = (draft: Draft) => (draft.body = flip(body, at));
      const answer = await wechat.ask('POST', '/v3/pay/transactions/native', { body, tamper });
      expect([at, answer.status, answer.json['code']]).toEqual([at, 401, 'SIGN_ERROR']);
    }
  }, 30_000);

  it.each<[string, (draft: Draft) => unknown]>([
    ['another path', (draft) => (draft.path = draft.path.replace('1900000001', '1900000002'))],
    ['no authorization', (draft) => delete draft.headers['authorization']],
    ['another scheme', (draft) => replace(draft, 'WECHATPAY2-SHA256-RSA2048', 'WECHATPAY2-SM2-WITH-SM3')],
    ['another merchant', (draft) => replace(draft, '1900000001', '1900000002')],
    ['another certificate', (draft) => replace(draft, '3775B6', '3775B7')],
    ['another nonce', (draft) => replace(draft, 'nonce_str="', 'nonce_str="x')],
    ['another time', (draft) => replace(draft, 'timestamp="1', 'timestamp="01')],
    ['a signature written otherwise', (draft) => replace(draft, 'signature="', 'signature=" ')],
    ['a field twice', (draft) => replace(draft, 'mchid=', 'serial_no="x",mchid=')],
  ])('is rejected with %s', async (_what, tamper) => {
    const answer = await wechat.ask('GET', '/v3/pay/transactions/out-trade-no/x?mchid=1900000001', { tamper });
    expect(answer).toMatchObject({ status: 401, json: { code: 'SIGN_ERROR' } });
  });

  it.each([-303, 303])('is rejected %d seconds from now', async (seconds) => {
    const at = Date.now() + seconds * 1000;
    const answer = await wechat.ask('GET', '/v3/pay/transactions/out-trade-no/x?mchid=1900000001', { at });
    expect(answer.status).toBe(401);
  });

  it('is rejected the second time', async () => {
    const twice = { nonce: 'seen before', body: wechat.prepayBody(orderNo()) };
    expect((await wechat.ask('POST', '/v3/pay/transactions/native', twice)).status).toBe(200);
    expect((await wechat.ask('POST', '/v3/pay/transactions/native', twice)).status).toBe(401);
  });

  it.each<[string, Record<string, unknown>, string]>([
    ['an app of somebody else', { appid: 'wx00' }, 'APPID_MCHID_NOT_MATCH'],
    ['a merchant of somebody else', { mchid: '19' }, 'MCH_NOT_EXISTS'],
    ['no description', { description: '' }, 'PARAM_ERROR'],
    ['a long description', { description: '长'.repeat(128) }, 'PARAM_ERROR'],
    ['a short number', { out_trade_no: 'YQ' }, 'PARAM_ERROR'],
    ['a number with a space', { out_trade_no: 'YQ 0000001' }, 'PARAM_ERROR'],
    ['a notify address with a query', { notify_url: 'https://a.example/n?x=1' }, 'PARAM_ERROR'],
    ['no notify address', { notify_url: undefined }, 'PARAM_ERROR'],
    ['no amount', { amount: undefined }, 'PARAM_ERROR'],
    ['nothing to pay', { amount: { total: 0 } }, 'PARAM_ERROR'],
    ['an amount in words', { amount: { total: '9900' } }, 'PARAM_ERROR'],
    ['half a fen', { amount: { total: 0.5 } }, 'PARAM_ERROR'],
    ['dollars', { amount: { total: 1, currency: 'USD' } }, 'PARAM_ERROR'],
    ['a time without zone', { time_expire: '2030-01-01T00:00:00' }, 'PARAM_ERROR'],
    ['a time that is over', { time_expire: '2020-01-01T00:00:00+08:00' }, 'PARAM_ERROR'],
  ])('is rejected with %s', async (_what, changes, code) => {
    const no = orderNo();
    const answer = await wechat.prepay(no, changes);
    expect(answer).toMatchObject({ status: 400, json: { code } });
    expect((await merchant.call('GET', `/payments/trades?orderNo=${no}`)).json).toEqual([]);
  });

  it('is rejected when it is not JSON, or for another merchant', async () => {
    const path = '/v3/pay/transactions/native';
    expect((await wechat.ask('POST', path, { body: '[]' })).json).toMatchObject({ code: 'PARAM_ERROR' });
    expect((await wechat.ask('POST', path, { body: '{' })).json).toMatchObject({ code: 'PARAM_ERROR' });
    const other = await wechat.ask('GET', '/v3/pay/transactions/out-trade-no/x?mchid=1');
    expect(other).toMatchObject({ status: 403, json: { code: 'NO_AUTH' } });
  });
});

describe('the platform certificate', () => {
  it('can be fetched and decrypted, and signs responses to merchants that do not ask for the public key', async () => {
    const { json, headers } = await wechat.ask('GET', '/v3/certificates', { more: {} });
    const [row] = json['data'] as { serial_no: string; encrypt_certificate: Parameters<typeof decrypt>[0] }[];
    const pem = decrypt(row!.encrypt_certificate, merchant.keys.wechat.v3Key);
    const certificate = new X509Certificate(pem);
    expect(certificate.serialNumber).toBe(row?.serial_no);
    expect(certificate.verify(certificate.publicKey)).toBe(true);
    expect(certificate.publicKey.export({ type: 'spki', format: 'pem' })).toBe(merchant.gatewayKey);
    expect(Date.parse(certificate.validTo)).toBeGreaterThan(Date.now());
    expect(headers.get('wechatpay-serial')).toBe(row?.serial_no);

    const no = orderNo();
    const body = wechat.prepayBody(no);
    const prepaid = await wechat.ask('POST', '/v3/pay/transactions/native', { body, more: {} });
    expect(prepaid.headers.get('wechatpay-serial')).toBe(row?.serial_no);
    await merchant.call('POST', `/cashier/${no}/pay`);
    expect((await merchant.waitForNotifications(1))[0]?.headers['wechatpay-serial']).toBe(row?.serial_no);
  });
});

function replace(draft: Draft, from: string, to: string): void {
  draft.headers['authorization'] = (draft.headers['authorization'] ?? '').replace(from, to);
}
