import { createSign, createVerify } from 'node:crypto';

import type { Merchant, Received } from './merchant.js';

/** A merchant client, independent of the sandbox's code, that verifies the signature of every response. */
export function alipayMerchant(merchant: Merchant) {
  const { appId } = merchant.keys.alipay;

  function signed(fields: Record<string, string>): Record<string, string> {
    const names = Object.keys(fields).filter((name) => fields[name] !== '');
    const text = names
      .sort()
      .map((name) => `${name}=${fields[name]}`)
      .join('&');
    return { ...fields, sign: createSign('sha256').update(text).sign(merchant.privateKey, 'base64') };
  }

  const common = (method: string, business: object): Record<string, string> => ({
    app_id: appId,
    method,
    format: 'JSON',
    charset: 'utf-8',
    sign_type: 'RSA2',
    timestamp: '2026-01-01 08:00:00',
    version: '1.0',
    notify_url: merchant.notifyUrl,
    biz_content: JSON.stringify(business),
  });

  async function post(fields: Record<string, string>): Promise<Response> {
    const { biz_content = '', ...rest } = fields;
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    return fetch(`${merchant.sandbox.url}/gateway.do?${new URLSearchParams(rest).toString()}`, {
      method: 'POST',
      headers,
      body: new URLSearchParams({ biz_content }).toString(),
      redirect: 'manual',
    });
  }

  /** `tamper` changes the request after signing. */
  async function ask(method: string, business: object, tamper = untampered): Promise<Record<string, string>> {
    const response = await post(tamper(signed(common(method, business))));
    if (response.status !== 200) throw new Error(`HTTP ${response.status}`);
    const text = await response.text();
    const [, name, node = '', sign = ''] = /^\{"(\w+)":(\{.*\}),"sign":"([^"]+)"\}$/.exec(text) ?? [];
    if (!createVerify('sha256').update(node).verify(merchant.gatewayKey, sign, 'base64')) {
      throw new Error(`The answer is not signed: ${text}`);
    }
    return { ...(JSON.parse(node) as Record<string, string>), node: name ?? '' };
  }

  const payment = (orderNo: string, changes: Record<string, unknown> = {}) => ({
    out_trade_no: orderNo,
    total_amount: '99.00',
    subject: orderNo,
    product_code: 'FAST_INSTANT_TRADE_PAY',
    ...changes,
  });

  return {
    ask,
    post,
    signed,
    payment,
    common,
    /** Posts the form as the buyer's browser does, without following the redirect. */
    pay: async (orderNo: string, changes: Record<string, unknown> = {}, more: Record<string, string> = {}) =>
      post(signed({ ...common('alipay.trade.page.pay', payment(orderNo, changes)), ...more })),
    query: async (orderNo: string) => ask('alipay.trade.query', { out_trade_no: orderNo }),
    close: async (orderNo: string) => ask('alipay.trade.close', { out_trade_no: orderNo }),
    refund: async (orderNo: string, changes: Record<string, unknown> = {}) =>
      ask('alipay.trade.refund', { out_trade_no: orderNo, refund_amount: '99.00', ...changes }),
    /** The content of a notification; throws when its signature is wrong. */
    read(notice: Received): Record<string, string> {
      const { sign = '', sign_type, ...fields } = Object.fromEntries(new URLSearchParams(notice.body));
      const text = Object.keys(fields)
        .sort()
        .map((name) => `${name}=${fields[name]}`)
        .join('&');
      const right = createVerify('sha256').update(text).verify(merchant.gatewayKey, sign, 'base64');
      if (!right || sign_type !== 'RSA2') throw new Error('The notification is not signed');
      return fields;
    },
  };
}

const untampered = (fields: Record<string, string>) => fields;
