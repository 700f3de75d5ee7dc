import { createHash, createSign, createVerify } from 'node:crypto';

import { denseTime } from '../src/payments/beijing-time.js';
import type { Merchant, Received } from './merchant.js';

/** A signed request that a test may change before it is sent. */
export interface Draft {
  body: string;
  headers: Record<string, string>;
}

/** A merchant client, independent of the sandbox's code, that verifies the signature of every response. */
export function lianlianMerchant(merchant: Merchant) {
  const { mchId } = merchant.keys.lianlian;
  const md5 = (text: string) => createHash('md5').update(text).digest('hex');
  const verified = (text: string, signature: string) =>
    createVerify('RSA-MD5').update(md5(text)).verify(merchant.gatewayKey, signature, 'base64');

  async function ask(path: string, body: unknown, tamper = (_draft: Draft): unknown => undefined) {
    const text = typeof body === 'string' ? body : JSON.stringify(body);
    const headers = {
      'content-type': 'application/json;charset=UTF-8',
      timestamp: denseTime(Date.now()),
      mch_id: mchId,
      'signature-type': 'RSA',
      'signature-data': createSign('RSA-MD5').update(md5(text)).sign(merchant.privateKey, 'base64'),
    };
    const draft: Draft = { body: text, headers };
    tamper(draft);
    const response = await fetch(merchant.sandbox.url + path, {
      method: 'POST',
      headers: draft.headers,
      body: draft.body,
    });
    const answer = await response.text();
    if (!verified(answer, response.headers.get('signature-data') ?? '')) {
      throw new Error(`The answer is not signed: ${response.status} ${answer}`);
    }
    return JSON.parse(answer) as Record<string, unknown>;
  }

  const payment = (orderNo: string, changes: Record<string, unknown> = {}) => ({
    mch_id: mchId,
    user_id: '7',
    busi_type: '100001',
    txn_seqno: orderNo,
    txn_time: denseTime(Date.now()),
    order_amount: '99.00',
    order_info: '会员套餐',
    notify_url: merchant.notifyUrl,
    pay_expire: 15,
    payee_infos: [{ payee_uid: mchId, payee_accttype: 'MCHOWN', payee_type: 'MCH', payee_amount: '99.00' }],
    pay_method_infos: [{ pay_type: 'WECHAT_NATIVE', amount: '99.00' }],
    ...changes,
  });

  return {
    ask,
    payment,
    create: async (orderNo: string, changes: Record<string, unknown> = {}) =>
      ask('/mch/v1/ipay/createpay', payment(orderNo, changes)),
    query: async (orderNo: string) => ask('/query/v1/ipay/orderquery', { mch_id: mchId, txn_seqno: orderNo }),
    close: async (orderNo: string) => ask('/mch/v1/ipay/close', { mch_id: mchId, txn_seqno: orderNo }),
    refund: async (orderNo: string, changes: Record<string, unknown> = {}) =>
      ask('/mch/v1/ipay/refund', {
        mch_id: mchId,
        refund_seqno: `R${orderNo}`,
        refund_time: denseTime(Date.now()),
        txn_seqno: orderNo,
        refund_amount: '99.00',
        notify_url: merchant.notifyUrl,
        ...changes,
      }),
    queryRefund: async (no: string) => ask('/query/v1/ipay/refundquery', { mch_id: mchId, refund_seqno: no }),
    /** The content of a notification; throws when its signature is wrong. */
    read(notice: Received): Record<string, unknown> {
      if (!verified(notice.body, String(notice.headers['signature-data']))) throw new Error('It is not signed');
      return JSON.parse(notice.body) as Record<string, unknown>;
    },
  };
}
