import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import { afterEach, describe, expect, it } from '@jest/globals';
import { Logger } from '@nestjs/common';
import type { PayChannel } from '../src/orders/pay-channels/pay-channel.js';
import { PayChannels } from '../src/orders/pay-channels/pay-channels.js';
import { signatureData } from '../src/orders/pay-channels/lianlian.js';
import { signed } from '../src/orders/pay-channels/rsa-signature.js';
import { loadConfig } from '../src/platform/config.js';
import { stubServer, type StubAnswer } from './support/stub-server.js';
import { someOrder } from './support/sandbox-gateways.js';

const keys = generateKeyPairSync('rsa', { modulusLength: 2048 });
const pem = (key: KeyObject, type: 'spki' | 'pkcs8'): string => key.export({ type, format: 'pem' }).toString();
const [privateKey, publicKey] = [pem(keys.privateKey, 'pkcs8'), pem(keys.publicKey, 'spki')];

/** A gateway's response, signed when it is sent. */
type Saying = () => StubAnswer;
const alipay = (method: string, node: object): Saying => {
  const text = JSON.stringify(node);
  const body = `{"${method}_response":${text},"sign":"${signed('RSA-SHA256', text, keys.privateKey)}"}`;
  return () => ({ body });
};
const wechat =
  (status: number, content: object): Saying =>
  () => {
    const [body, timestamp] = [JSON.stringify(content), String(Math.floor(Date.now() / 1000))];
    const signature = signed('RSA-SHA256', `${timestamp}\nn\n${body}\n`, keys.privateKey);
    const headers = { Timestamp: timestamp, Nonce: 'n', Serial: 'PUB_KEY_ID_1', Signature: signature };
    const named = Object.entries(headers).map(([name, value]) => [`Wechatpay-${name}`, value] as const);
    return { status, body, headers: Object.fromEntries(named) };
  };
const lianlian = (content: object): Saying => {
  const body = JSON.stringify(content);
  return () => ({ body, headers: { 'Signature-Data': signatureData(body, keys.privateKey) } });
};

/** The response of each gateway when it refuses a refund, and to a query of an unknown one. */
const GATEWAYS = {
  ALI_NATIVE: {
    no: alipay('alipay_trade_refund', {
      code: '40004',
      sub_code: 'ACQ.SELLER_BALANCE_NOT_ENOUGH',
      sub_msg: '卖家余额不足',
    }),
    none: alipay('alipay_trade_fastpay_refund_query', { code: '10000', msg: 'Success' }),
    denied: alipay('alipay_trade_fastpay_refund_query', {
      code: '40006',
      sub_code: 'isv.insufficient-isv-permissions',
    }),
    isRefund: (body: string) => body.includes('refund_amount'),
    why: 'ACQ.SELLER_BALANCE_NOT_ENOUGH 卖家余额不足',
  },
  WC_NATIVE: {
    no: wechat(403, { code: 'NOT_ENOUGH', message: '基本账户余额不足' }),
    none: wechat(404, { code: 'RESOURCE_NOT_EXISTS', message: '退款单不存在' }),
    denied: wechat(403, { code: 'NO_AUTH' }),
    isRefund: (body: string) => body !== '',
    why: 'NOT_ENOUGH 基本账户余额不足',
  },
  WC_LIAN: {
    no: lianlian({ ret_code: '5006', ret_msg: '余额不足' }),
    none: lianlian({ ret_code: '9901', ret_msg: '未查询到记录' }),
    denied: lianlian({ ret_code: '3010', ret_msg: '没有权限' }),
    isRefund: (body: string) => body.includes('refund_amount'),
    why: '5006 余额不足',
  },
} as const;

describe.each(['ALI_NATIVE', 'WC_NATIVE', 'WC_LIAN'] as const)('a refund by %s', (code) => {
  const { no, none, denied, isRefund, why } = GATEWAYS[code];
  let logged: unknown[];
  const keep = (line: unknown) => void logged.push(line);
  let gateway: Awaited<ReturnType<typeof stubServer>> | undefined;
  afterEach(() => gateway?.close());

  /** `first`: the response to the first refund request. `lookedUp`: the response to its query. */
  const channel = async (first: Saying, lookedUp: Saying = none): Promise<PayChannel> => {
    logged = [];
    Logger.overrideLogger({ log: keep, error: keep, warn: keep, debug: () => null });
    let asked = 0;
    gateway = await stubServer(({ body }) => (isRefund(body) ? (asked++ === 0 ? first : no) : lookedUp)());
    const { url } = gateway;
    const env = {
      DATABASE_URL: 'postgresql://none',
      REDIS_URL: 'redis://none',
      SMTP_URL: 'smtp://none',
      APP_SECRET: '0'.repeat(64),
      ALIPAY_GATEWAY_URL: `${url}/gateway.do`,
      ALIPAY_APP_ID: '2021',
      ALIPAY_SELLER_ID: '2088',
      ALIPAY_PRIVATE_KEY: privateKey,
      ALIPAY_PUBLIC_KEY: publicKey,
      WECHAT_PAY_URL: url,
      WECHAT_PAY_APP_ID: 'wx1',
      WECHAT_PAY_MCH_ID: '19',
      WECHAT_PAY_SERIAL: 'S',
      WECHAT_PAY_PRIVATE_KEY: privateKey,
      WECHAT_PAY_V3_KEY: 'k'.repeat(32),
      WECHAT_PAY_PUBLIC_KEY_ID: 'PUB_KEY_ID_1',
      WECHAT_PAY_PUBLIC_KEY: publicKey,
      LIANLIAN_URL: url,
      LIANLIAN_MCH_ID: '40',
      LIANLIAN_PRIVATE_KEY: privateKey,
      LIANLIAN_PUBLIC_KEY: publicKey,
    };
    return new PayChannels(loadConfig(env)).channel(code);
  };
  const order = someOrder(code);
  const refund = { order, tradeNo: '1', refundNo: 'R1', amount: 9900, total: 9900, reason: '' };

  it('returns a refusal in the gateway’s own words', async () => {
    expect(await (await channel(no)).refund(refund)).toEqual({ state: 'refused', why });
    const [refusedBy, words] = why.split(' ');
    expect(logged).toEqual([expect.objectContaining({ call: 'refund', orderNo: order.no, code: refusedBy, words })]);
  });

  it('is never reported as refused while an earlier attempt may still be running', async () => {
    const lost = await channel(() => ({ status: 502 }));
    // LianLian gets no immediate retry, because repeating a number is not documented as safe.
    if (code === 'WC_LIAN') await expect(lost.refund(refund)).rejects.toMatchObject({ code: 'GATEWAY_UNKNOWN' });
    else expect(await lost.refund(refund)).toEqual({ state: 'pending' });
    expect(await lost.refund(refund)).toEqual({ state: 'refused', why });
  });

  it('is never reported as refused when it cannot be looked up', async () => {
    await expect((await channel(no, denied)).refund(refund)).rejects.toMatchObject({ code: 'GATEWAY_UNKNOWN' });
  });

  it('truncates its reason to what every gateway accepts', async () => {
    const reason = '𠮷'.repeat(200);
    await (await channel(no)).refund({ ...refund, reason });
    const sent = gateway?.asked.find(({ body }) => isRefund(body))?.body ?? '';
    const text = code === 'ALI_NATIVE' ? (new URLSearchParams(sent).get('biz_content') ?? '') : sent;
    expect(/𠮷+/u.exec(text)?.[0]).toBe('𠮷'.repeat(80));
  });
});
