import { createDecipheriv, createSign, createVerify, randomUUID } from 'node:crypto';

import type { Merchant, Received } from './merchant.js';

/** A signed request that a test may change before it is sent. */
export interface Draft {
  method: string;
  path: string;
  body: string;
  headers: Record<string, string>;
}

export interface Answer {
  readonly status: number;
  readonly json: Record<string, unknown>;
  readonly headers: Headers;
}

/** A WeChat Pay v3 client, independent of the sandbox's code, that verifies the signature of every response. */
export function wechatMerchant(merchant: Merchant) {
  const { mchId, serial, publicKeyId, appId } = merchant.keys.wechat;

  const verified = (headers: Headers, text: string) =>
    createVerify('sha256')
      .update(`${headers.get('wechatpay-timestamp')}\n${headers.get('wechatpay-nonce')}\n${text}\n`)
      .verify(merchant.gatewayKey, headers.get('wechatpay-signature') ?? '', 'base64');

  async function ask(
    method: string,
    path: string,
    {
      body,
      tamper,
      nonce = randomUUID(),
      at = Date.now(),
      more = { 'wechatpay-serial': publicKeyId },
    }: RequestOptions = {},
  ): Promise<Answer> {
    const text = typeof body === 'string' ? body : body === undefined ? '' : JSON.stringify(body);
    const timestamp = String(Math.floor(at / 1000));
    const signature = createSign('sha256')
      .update(`${method}\n${path}\n${timestamp}\n${nonce}\n${text}\n`)
      .sign(merchant.privateKey, 'base64');
    const authorization =
      `WECHATPAY2-SHA256-RSA2048 mchid="${mchId}",nonce_str="${nonce}",timestamp="${timestamp}",` +
      `serial_no="${serial}",signature="${signature}"`;
    const draft: Draft = { method, path, body: text, headers: { authorization, accept: 'application/json', ...more } };
    if (method === 'POST') draft.headers['content-type'] = 'application/json';
    tamper?.(draft);
    const response = await fetch(merchant.sandbox.url + draft.path, {
      method,
      headers: draft.headers,
      ...(method === 'POST' ? { body: draft.body } : {}),
    });
    const answer = await response.text();
    if (!verified(response.headers, answer)) throw new Error(`The answer is not signed: ${answer}`);
    const json = answer === '' ? {} : (JSON.parse(answer) as Record<string, unknown>);
    return { status: response.status, json, headers: response.headers };
  }

  return {
    ask,
    publicKeyId,
    prepayBody: (orderNo: string, changes: Record<string, unknown> = {}) => ({
      appid: appId,
      mchid: mchId,
      description: '会员套餐-100万字符',
      out_trade_no: orderNo,
      notify_url: merchant.notifyUrl,
      amount: { total: 9900, currency: 'CNY' },
      ...changes,
    }),
    prepay(orderNo: string, changes: Record<string, unknown> = {}) {
      return ask('POST', '/v3/pay/transactions/native', { body: this.prepayBody(orderNo, changes) });
    },
    query: (orderNo: string) => ask('GET', `/v3/pay/transactions/out-trade-no/${orderNo}?mchid=${mchId}`),
    close: (orderNo: string) =>
      ask('POST', `/v3/pay/transactions/out-trade-no/${orderNo}/close`, { body: { mchid: mchId } }),
    refund: (orderNo: string, changes: Record<string, unknown> = {}) =>
      ask('POST', '/v3/refund/domestic/refunds', {
        body: {
          out_trade_no: orderNo,
          out_refund_no: `R${orderNo}`,
          amount: { refund: 9900, total: 9900, currency: 'CNY' },
          ...changes,
        },
      }),
    /** The content of a notification; throws when its signature is wrong. */
    read(notice: Received): { event: string; plain: Record<string, unknown> } {
      const { headers, body } = notice;
      const signed = `${String(headers['wechatpay-timestamp'])}\n${String(headers['wechatpay-nonce'])}\n${body}\n`;
      const signature = String(headers['wechatpay-signature']);
      if (!createVerify('sha256').update(signed).verify(merchant.gatewayKey, signature, 'base64')) {
        throw new Error('The notification is not signed');
      }
      const { event_type, resource } = JSON.parse(body) as {
        event_type: string;
        resource: { ciphertext: string; nonce: string; associated_data: string };
      };
      return { event: event_type, plain: JSON.parse(decrypt(resource, merchant.keys.wechat.v3Key)) as never };
    },
  };
}

interface RequestOptions {
  readonly body?: unknown;
  readonly tamper?: (draft: Draft) => void;
  readonly nonce?: string;
  readonly at?: number;
  readonly more?: Record<string, string>;
}

/** Decrypts with the APIv3 key; throws when the tag is wrong. */
export function decrypt(sealed: { ciphertext: string; nonce: string; associated_data: string }, key: string): string {
  const bytes = Buffer.from(sealed.ciphertext, 'base64');
  const decipher = createDecipheriv('aes-256-gcm', key, sealed.nonce)
    .setAuthTag(bytes.subarray(-16))
    .setAAD(Buffer.from(sealed.associated_data));
  return Buffer.concat([decipher.update(bytes.subarray(0, -16)), decipher.final()]).toString('utf8');
}
