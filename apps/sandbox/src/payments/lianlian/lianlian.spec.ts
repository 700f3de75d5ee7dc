import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';

import { denseTime } from '../beijing-time.js';
import { startMerchant, type Merchant } from '../../../test-support/merchant.js';
import { lianlianMerchant, type Draft } from '../../../test-support/lianlian-merchant.js';

let merchant: Merchant;
let lianlian: ReturnType<typeof lianlianMerchant>;
let count = 0;

beforeAll(async () => {
  merchant = await startMerchant();
  lianlian = lianlianMerchant(merchant);
});
beforeEach(() => {
  merchant.received.length = 0;
  merchant.answer = { status: 200, body: 'Success' };
});
afterAll(async () => merchant.close());

const orderNo = () => `YQ2026010108000000${String((count += 1)).padStart(6, '0')}`;
const paid = async () => {
  const no = orderNo();
  await lianlian.create(no);
  await merchant.call('POST', `/cashier/${no}/pay?notify=0`);
  return no;
};

describe('a payment', () => {
  it('goes from its payment code to paid, with a signed notification', async () => {
    const no = orderNo();
    const made = await lianlian.create(no, { order_amount: 99 });
    expect(made).toMatchObject({ ret_code: '0000', payload: `${merchant.sandbox.url}/cashier/${no}` });
    expect(await lianlian.query(no)).toMatchObject({ ret_code: '0000', txn_status: 'WAITING', order_amount: '99.00' });
    await merchant.call('POST', `/cashier/${no}/pay`);
    const [notice] = await merchant.waitForNotifications(1);
    const said = lianlian.read(notice!);
    expect(said).toMatchObject({
      mch_id: '402000000000000001',
      txn_seqno: no,
      platform_txno: made['platform_txno'],
      order_amount: '99.00',
      txn_status: 'SUCCESS',
      pay_method_infos: [{ pay_type: 'WECHAT_NATIVE', amount: '99.00' }],
    });
    expect(said['success_time']).toMatch(/^\d{14}$/);
    expect(await lianlian.query(no)).toMatchObject(said);
  });

  it('can be created again, but with the same terms only', async () => {
    const no = orderNo();
    const made = await lianlian.create(no);
    expect(await lianlian.create(no)).toEqual(made);
    const other = { pay_method_infos: [{ pay_type: 'ALIPAY_NATIVE', amount: '99.00' }] };
    expect(await lianlian.create(no, other)).toMatchObject({ ret_code: '1002' });
    expect((await merchant.trade(no)).wallet).toBe('wechat');
    expect(await lianlian.create(await paid())).toMatchObject({ ret_code: '2007' });
  });

  it('can be closed only while unpaid, and closes when its time is over', async () => {
    const [no, late] = [orderNo(), orderNo()];
    expect(await lianlian.close(no)).toMatchObject({ ret_code: '9901' });
    expect(await lianlian.query(no)).toMatchObject({ ret_code: '9901' });
    await lianlian.create(no);
    expect(await lianlian.close(no)).toMatchObject({ ret_code: '0000', txn_seqno: no });
    expect(await lianlian.query(no)).toMatchObject({ txn_status: 'CLOSED' });
    expect(await lianlian.close(no)).toMatchObject({ ret_code: '2006' });
    expect(await lianlian.create(no)).toMatchObject({ ret_code: '2006' });
    expect((await merchant.call('POST', `/cashier/${no}/pay`)).status).toBe(409);
    expect(await lianlian.close(await paid())).toMatchObject({ ret_code: '2007' });
    await lianlian.create(late, { pay_expire: 5 });
    await merchant.call('POST', '/payments/forward', { seconds: 301, expiry: true });
    expect(await lianlian.query(late)).toMatchObject({ txn_status: 'CLOSED' });
    expect((await merchant.call('POST', `/cashier/${late}/pay`)).status).toBe(409);
  });

  it.each<[string, Record<string, unknown>, string]>([
    ['another merchant', { mch_id: '1' }, '3001'],
    ['no number', { txn_seqno: undefined }, '1004'],
    ['no user', { user_id: '' }, '1004'],
    ['a time that never was', { txn_time: '20260230000000' }, '1004'],
    ['nothing to pay', { order_amount: '0.00' }, '7017'],
    ['half a fen', { order_amount: 0.005 }, '7017'],
    ['a method of another amount', { pay_method_infos: [{ pay_type: 'WECHAT_NATIVE', amount: '98.00' }] }, '7017'],
    ['a method that is not there', { pay_method_infos: [{ pay_type: 'CASH', amount: '99.00' }] }, '1004'],
    ['no payee', { payee_infos: [] }, '1004'],
    ['a payee of another amount', { payee_infos: [{ payee_amount: '1.00' }] }, '7017'],
    ['half a minute', { pay_expire: 0.5 }, '1004'],
    ['nowhere to notify', { notify_url: 'here' }, '1004'],
  ])('is rejected with %s', async (_what, changes, code) => {
    const no = orderNo();
    expect(await lianlian.create(no, changes)).toMatchObject({ ret_code: code });
    expect((await merchant.call('GET', `/payments/trades?orderNo=${no}`)).json).toEqual([]);
  });
});

describe('a refund', () => {
  it('is made once per number, can be queried, and is notified', async () => {
    const no = await paid();
    const made = await lianlian.refund(no);
    expect(made).toMatchObject({ ret_code: '0000', refund_seqno: `R${no}` });
    expect(await lianlian.refund(no)).toEqual(made);
    expect(await lianlian.refund(no, { refund_amount: '1.00' })).toMatchObject({ ret_code: '1002' });
    expect(await lianlian.refund(no, { refund_seqno: `S${no}` })).toMatchObject({ ret_code: '5003' });
    const found = await lianlian.queryRefund(`R${no}`);
    expect(found).toMatchObject({ refund_status: 'SUCCESS', refund_amount: '99.00' });
    const [notice] = await merchant.waitForNotifications(1);
    expect(found).toMatchObject(lianlian.read(notice!));
    expect((await merchant.trade(no)).refunds).toHaveLength(1);
  });

  it('needs a known paid order', async () => {
    const no = orderNo();
    expect(await lianlian.refund(no)).toMatchObject({ ret_code: '9901' });
    await lianlian.create(no);
    expect(await lianlian.refund(no)).toMatchObject({ ret_code: '5008' });
    expect(await lianlian.queryRefund('none')).toMatchObject({ ret_code: '9901' });
  });
});

describe('a request to the gateway', () => {
  const flip = (text: string, at: number) =>
    text.slice(0, at) + String.fromCharCode(text.charCodeAt(at) ^ 1) + text.slice(at + 1);
  const path = '/query/v1/ipay/orderquery';
  const body = { mch_id: '402000000000000001', txn_seqno: 'x' };

  it('is rejected when any byte of its body was changed', async () => {
    for (let at = 0; at < JSON.stringify(body).length; at += 1) {
      const answer = await lianlian.ask(path, body, (draft) => (draft.body = flip(draft.body, at)));
      expect([at, answer['ret_code']]).toEqual([at, '1001']);
    }
  }, 20_000);

  it.each<[string, Record<string, string>, string]>([
    ['another merchant', { mch_id: '1' }, '3001'],
    ['no signature', { 'signature-data': '' }, '1001'],
    ['another way of signing', { 'signature-type': 'SM2' }, '1001'],
    ['a clock half an hour away', { timestamp: denseTime(Date.now() - 31 * 60_000) }, '1004'],
    ['no time', { timestamp: '' }, '1004'],
  ])('is rejected with %s', async (_what, headers, code) => {
    const tamper = (draft: Draft) => Object.assign(draft.headers, headers);
    expect(await lianlian.ask(path, body, tamper)).toMatchObject({ ret_code: code });
  });

  it('is rejected when it is not an object', async () => {
    expect(await lianlian.ask(path, '[1]')).toMatchObject({ ret_code: '1004' });
    expect(await lianlian.ask(path, '{')).toMatchObject({ ret_code: '1004' });
  });
});
