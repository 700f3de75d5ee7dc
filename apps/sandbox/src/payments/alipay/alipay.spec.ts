import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';

import { spacedTime } from '../beijing-time.js';
import { startMerchant, type Merchant } from '../../../test-support/merchant.js';
import { alipayMerchant } from '../../../test-support/alipay-merchant.js';

let merchant: Merchant;
let alipay: ReturnType<typeof alipayMerchant>;
let count = 0;

beforeAll(async () => {
  merchant = await startMerchant();
  alipay = alipayMerchant(merchant);
});
beforeEach(() => {
  merchant.received.length = 0;
  merchant.answer = { status: 200, body: 'success' };
});
afterAll(async () => merchant.close());

const orderNo = () => `YQ2026010108000000${String((count += 1)).padStart(6, '0')}`;
const paid = async () => {
  const no = orderNo();
  await alipay.pay(no);
  await merchant.call('POST', `/cashier/${no}/pay?notify=0`);
  return no;
};

describe('a page payment', () => {
  it('exists once the form is posted, redirects to the cashier, and is notified when paid', async () => {
    const no = orderNo();
    expect(await alipay.query(no)).toMatchObject({ code: '40004', sub_code: 'ACQ.TRADE_NOT_EXIST' });
    expect((await merchant.call('POST', `/cashier/${no}/pay`)).status).toBe(404);
    const page = await alipay.pay(no, { passback_params: 'a%20b', body: '会员 100%' });
    expect([page.status, page.headers.get('location')]).toEqual([302, `${merchant.sandbox.url}/cashier/${no}`]);
    expect(await alipay.query(no)).toMatchObject({ code: '10000', trade_status: 'WAIT_BUYER_PAY' });
    await merchant.call('POST', `/cashier/${no}/pay`);

    const [notice] = await merchant.waitForNotifications(1);
    expect(notice?.headers['content-type']).toBe('application/x-www-form-urlencoded; charset=utf-8');
    const fields = alipay.read(notice!);
    expect(fields).toMatchObject({
      notify_type: 'trade_status_sync',
      app_id: '2021000000000001',
      seller_id: '2088000000000009',
      out_trade_no: no,
      total_amount: '99.00',
      trade_status: 'TRADE_SUCCESS',
      subject: no,
      body: '会员 100%',
      passback_params: 'a%20b',
    });
    const asked = await alipay.query(no);
    expect(asked).toMatchObject({
      node: 'alipay_trade_query_response',
      trade_status: 'TRADE_SUCCESS',
      total_amount: '99.00',
      trade_no: fields['trade_no'],
      send_pay_date: fields['gmt_payment'],
    });
    const byGatewayNumber = { trade_no: fields['trade_no'], out_trade_no: 'another' };
    expect(await alipay.ask('alipay.trade.query', byGatewayNumber)).toEqual(asked);
  });

  it('redirects back to the merchant with a signed address', async () => {
    const no = orderNo();
    await alipay.pay(no, {}, { return_url: 'http://localhost:1/PaySuccess?payInfo=%7B%22orderId%22%3A1%7D' });
    const { json } = await merchant.call('POST', `/cashier/${no}/pay?notify=0`);
    const url = new URL((json as { returnUrl: string }).returnUrl);
    expect(url.origin + url.pathname).toBe('http://localhost:1/PaySuccess');
    expect(url.searchParams.get('payInfo')).toBe('{"orderId":1}');
    expect(url.searchParams.get('out_trade_no')).toBe(no);
    url.searchParams.delete('payInfo');
    alipay.read({ path: '', headers: {}, body: url.search });
  });

  it('can be opened again with the same form, and with no other under its number', async () => {
    const no = orderNo();
    await alipay.pay(no);
    const trade = await merchant.trade(no);
    expect((await alipay.pay(no)).status).toBe(302);
    expect(await merchant.trade(no)).toEqual(trade);
    const other = await alipay.pay(no, { total_amount: '98.00' });
    expect(other.status).toBe(400);
    expect(await other.text()).toContain('ACQ.CONTEXT_INCONSISTENT');
    await merchant.call('POST', `/cashier/${no}/pay?notify=0`);
    expect(await (await alipay.pay(no)).text()).toContain('ACQ.TRADE_HAS_SUCCESS');
  });

  it('closes when its time is over', async () => {
    const no = orderNo();
    await alipay.pay(no, { time_expire: spacedTime(Date.now() + 60_000) });
    await merchant.call('POST', '/payments/forward', { seconds: 61, expiry: true });
    expect(await alipay.query(no)).toMatchObject({ trade_status: 'TRADE_CLOSED' });
    expect((await merchant.call('POST', `/cashier/${no}/pay`)).status).toBe(409);
    expect(await (await alipay.pay(no)).text()).toContain('ACQ.TRADE_HAS_CLOSE');
    expect(await alipay.close(no)).toMatchObject({ sub_code: 'ACQ.TRADE_STATUS_ERROR' });
  });

  it('can be closed only while unpaid', async () => {
    const no = orderNo();
    expect(await alipay.close(no)).toMatchObject({ sub_code: 'ACQ.TRADE_NOT_EXIST' });
    await alipay.pay(no);
    expect(await alipay.close(no)).toMatchObject({ code: '10000', out_trade_no: no });
    expect(await alipay.query(no)).toMatchObject({ trade_status: 'TRADE_CLOSED' });
    expect((await merchant.call('POST', `/cashier/${no}/pay`)).status).toBe(409);
    expect(await alipay.close(await paid())).toMatchObject({ code: '40004', sub_code: 'ACQ.TRADE_STATUS_ERROR' });
  });

  it.each<[string, Record<string, unknown>, string]>([
    ['no number', { out_trade_no: '' }, 'ACQ.INVALID_PARAMETER'],
    ['a number with signs', { out_trade_no: 'a-b' }, 'ACQ.INVALID_PARAMETER'],
    ['no subject', { subject: undefined }, 'ACQ.INVALID_PARAMETER'],
    ['another product', { product_code: 'QUICK_WAP_WAY' }, 'ACQ.INVALID_PARAMETER'],
    ['a tenth of a fen', { total_amount: '1.001' }, 'ACQ.INVALID_PARAMETER'],
    ['nothing to pay', { total_amount: '0.00' }, 'ACQ.TOTAL_FEE_EXCEED'],
    ['too much to pay', { total_amount: '100000000.01' }, 'ACQ.TOTAL_FEE_EXCEED'],
    ['a time that is over', { time_expire: '2020-01-01 00:00:00' }, 'ACQ.INVALID_PARAMETER'],
    ['a time that never was', { time_expire: '2030-02-30 00:00:00' }, 'ACQ.INVALID_PARAMETER'],
    ['a span without unit', { timeout_express: '5' }, 'ACQ.INVALID_PARAMETER'],
  ])('is rejected with %s', async (_what, changes, code) => {
    const no = orderNo();
    const answer = await alipay.pay(no, changes);
    expect(answer.status).toBe(400);
    expect(await answer.text()).toContain(code);
    expect((await merchant.call('GET', `/payments/trades?orderNo=${no}`)).json).toEqual([]);
  });
});

describe('a refund', () => {
  it('is made once per number, can be queried, and is notified', async () => {
    const no = await paid();
    const part = { refund_amount: '40.00', out_request_no: 'R1', refund_reason: '用户申请' };
    expect(await alipay.refund(no, part)).toMatchObject({ code: '10000', fund_change: 'Y', refund_fee: '40.00' });
    expect(await alipay.refund(no, part)).toMatchObject({ code: '10000', fund_change: 'N', refund_fee: '40.00' });
    expect(await alipay.refund(no, { ...part, refund_amount: '41.00' })).toMatchObject({
      sub_code: 'ACQ.DISCORDANT_REPEAT_REQUEST',
    });
    expect(await alipay.refund(no, { out_request_no: 'R2', refund_amount: '59.01' })).toMatchObject({
      sub_code: 'ACQ.REFUND_AMT_NOT_EQUAL_TOTAL',
    });
    expect(await alipay.refund(no, { refund_amount: '1.00' })).toMatchObject({ sub_code: 'ACQ.INVALID_PARAMETER' });
    expect(await alipay.query(no)).toMatchObject({ trade_status: 'TRADE_SUCCESS' });
    const rest = { out_request_no: 'R2', refund_amount: '59.00' };
    expect(await alipay.refund(no, rest)).toMatchObject({ fund_change: 'Y', refund_fee: '99.00' });
    expect(await alipay.query(no)).toMatchObject({ trade_status: 'TRADE_CLOSED', send_pay_date: expect.any(String) });
    const notices = await merchant.waitForNotifications(2);
    expect(notices.map((notice) => alipay.read(notice))).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ out_biz_no: 'R1', trade_status: 'TRADE_SUCCESS' }),
        expect.objectContaining({ out_biz_no: 'R2', refund_fee: '99.00', trade_status: 'TRADE_CLOSED' }),
      ]),
    );
    const found = { out_trade_no: no, out_request_no: 'R1' };
    expect(await alipay.ask('alipay.trade.fastpay.refund.query', found)).toMatchObject({
      refund_status: 'REFUND_SUCCESS',
      refund_amount: '40.00',
      total_amount: '99.00',
    });
    const unknown = await alipay.ask('alipay.trade.fastpay.refund.query', { ...found, out_request_no: 'R3' });
    expect(unknown).toEqual({ node: 'alipay_trade_fastpay_refund_query_response', code: '10000', msg: 'Success' });
  });

  it('needs a paid trade', async () => {
    const no = orderNo();
    expect(await alipay.refund(no)).toMatchObject({ sub_code: 'ACQ.TRADE_NOT_EXIST' });
    await alipay.pay(no);
    expect(await alipay.refund(no)).toMatchObject({ sub_code: 'ACQ.TRADE_STATUS_ERROR' });
  });
});

describe('a request to the gateway', () => {
  const flip = (text: string, at: number) =>
    text.slice(0, at) + String.fromCharCode(text.charCodeAt(at) ^ 1) + text.slice(at + 1);

  it('is rejected when any byte was changed', async () => {
    for (const name of ['biz_content', 'notify_url', 'timestamp', 'charset', 'format']) {
      const value = alipay.common('alipay.trade.query', { out_trade_no: 'x' })[name] ?? '';
      for (let at = 0; at < value.length; at += 1) {
        const answer = await alipay.ask('alipay.trade.query', { out_trade_no: 'x' }, (fields) => ({
          ...fields,
          [name]: flip(fields[name] ?? '', at),
        }));
        expect([name, at, answer['code']]).toEqual([name, at, '40002']);
      }
    }
  }, 30_000);

  it.each<[string, Record<string, string>, string]>([
    ['another app', { app_id: '2021000000000002' }, 'isv.invalid-app-id'],
    ['no app', { app_id: '' }, 'isv.missing-app-id'],
    ['no signature', { sign: '' }, 'isv.missing-signature'],
    ['no time', { timestamp: '' }, 'isv.missing-timestamp'],
    ['no version', { version: '' }, 'isv.missing-version'],
    ['no signature type', { sign_type: '' }, 'isv.missing-signature-type'],
    ['the weaker signature', { sign_type: 'RSA' }, 'isv.invalid-signature-type'],
    ['another charset', { charset: 'utf-16' }, 'isv.invalid-charset'],
    ['something added', { extra: '1' }, 'isv.invalid-signature'],
  ])('is rejected with %s', async (_what, changes, code) => {
    const tamper = (fields: Record<string, string>) => ({ ...fields, ...changes });
    expect(await alipay.ask('alipay.trade.query', { out_trade_no: 'x' }, tamper)).toMatchObject({ sub_code: code });
  });

  it('is rejected with a duplicate parameter, which the signature cannot distinguish', async () => {
    const { biz_content = '', ...rest } = alipay.signed(alipay.common('alipay.trade.query', { out_trade_no: 'x' }));
    const query = new URLSearchParams({ ...rest, biz_content }).toString();
    const answer = await fetch(`${merchant.sandbox.url}/gateway.do?${query}`, {
      method: 'POST',
      body: new URLSearchParams({ biz_content: '{"out_trade_no":"y"}' }),
    });
    expect(await answer.text()).toContain('"sub_code":"isv.invalid-parameter"');
  });

  it('is answered in bytes that must be verified unchanged: slashes are escaped', async () => {
    const no = await paid();
    await alipay.refund(no, { out_request_no: 'SLASH', refund_reason: 'a/b' });
    const asked = alipay.common('alipay.trade.fastpay.refund.query', { out_trade_no: no, out_request_no: 'SLASH' });
    const text = await (await alipay.post(alipay.signed(asked))).text();
    expect(text).toContain(String.raw`"refund_reason":"a\/b"`);
  });

  it('is rejected when signed but invalid', async () => {
    const late = alipay.signed({ ...alipay.common('alipay.trade.query', {}), timestamp: '2026-02-30 00:00:00' });
    expect(await (await alipay.post(late)).text()).toContain('isv.invalid-timestamp');
    expect(await alipay.ask('alipay.trade.create', {})).toMatchObject({ sub_code: 'isv.invalid-method' });
    expect(await alipay.ask('alipay.trade.query', [])).toMatchObject({ sub_code: 'ACQ.INVALID_PARAMETER' });
    expect(await alipay.ask('alipay.trade.query', {})).toMatchObject({ sub_code: 'ACQ.INVALID_PARAMETER' });
    const { method, ...rest } = alipay.common('alipay.trade.query', {});
    const answer = await (await alipay.post(alipay.signed(rest))).text();
    expect([method, answer]).toEqual([method, expect.stringContaining('{"error_response":{"code":"40001"')]);
  });

  it('may be a form in GBK, as long as its bytes are signed', async () => {
    const [ascii, chinese] = [orderNo(), orderNo()];
    expect((await alipay.pay(ascii, {}, { charset: 'GBK' })).status).toBe(302);
    // “会员” in GBK, while UTF-8 was signed.
    const fields = alipay.signed(alipay.common('alipay.trade.page.pay', alipay.payment(chinese, { subject: '会员' })));
    const { biz_content = '', ...common } = fields;
    const written = encodeURIComponent(biz_content).replace(encodeURIComponent('会员'), '%BB%E1%D4%B1');
    const answer = await fetch(`${merchant.sandbox.url}/gateway.do?${new URLSearchParams(common).toString()}`, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: `biz_content=${written}`,
    });
    expect([answer.status, (await answer.text()).includes('isv.invalid-signature')]).toEqual([400, true]);
  });
});
