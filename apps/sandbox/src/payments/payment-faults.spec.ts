import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';

import { alipayMerchant } from '../../test-support/alipay-merchant.js';
import { lianlianMerchant } from '../../test-support/lianlian-merchant.js';
import { startMerchant, type Merchant } from '../../test-support/merchant.js';
import type { Fault, FaultSwitch } from './payment-faults.js';
import { wechatMerchant } from '../../test-support/wechat-merchant.js';

type Gateway = 'alipay' | 'wechat' | 'lianlian';
const GATEWAYS: readonly Gateway[] = ['alipay', 'wechat', 'lianlian'];

let merchant: Merchant;
let wechat: ReturnType<typeof wechatMerchant>;
let alipay: ReturnType<typeof alipayMerchant>;
let lianlian: ReturnType<typeof lianlianMerchant>;
let count = 0;

beforeAll(async () => {
  merchant = await startMerchant();
  [wechat, alipay, lianlian] = [wechatMerchant(merchant), alipayMerchant(merchant), lianlianMerchant(merchant)];
});
beforeEach(async () => {
  await setFault({ mode: 'none' });
  // Flush the pending notifications of earlier tests.
  await forward(31 * 24 * 3600);
  merchant.received.length = 0;
  merchant.answer = { status: 200, body: '' };
});
afterAll(async () => merchant.close());

const setFault = async (fault: FaultSwitch) =>
  ((await merchant.call('POST', '/payments/faults', fault)).json as { faults: Fault[] }).faults;
const faults = async () => ((await merchant.call('GET', '/payments/faults')).json as { faults: Fault[] }).faults;
const forward = async (seconds: number) => merchant.call('POST', '/payments/forward', { seconds });

async function ordered(gateway: Gateway): Promise<string> {
  const no = `YQ2026010108000000${String((count += 1)).padStart(6, '0')}`;
  if (gateway === 'alipay') await alipay.pay(no);
  else await (gateway === 'wechat' ? wechat.prepay(no) : lianlian.create(no));
  return no;
}
async function paid(gateway: Gateway): Promise<string> {
  const no = await ordered(gateway);
  await merchant.call('POST', `/cashier/${no}/pay`);
  return no;
}
/** The amount in a notification; throws when its signature is wrong. */
function amountIn(gateway: Gateway, index: number): unknown {
  const notice = merchant.received[index]!;
  if (gateway === 'alipay') return alipay.read(notice)['total_amount'];
  if (gateway === 'lianlian') return lianlian.read(notice)['order_amount'];
  return (wechat.read(notice).plain['amount'] as { total: number }).total;
}
/** The amount in a query response; throws when it is unsigned or missing. */
async function amountOf(gateway: Gateway, no: string): Promise<unknown> {
  if (gateway === 'alipay') return (await alipay.query(no))['total_amount'];
  if (gateway === 'lianlian') return (await lianlian.query(no))['order_amount'];
  return ((await wechat.query(no)).json['amount'] as { total: number }).total;
}
const RIGHT = { alipay: '99.00', lianlian: '99.00', wechat: 9900 } as const;
const WRONG = { alipay: '99.01', lianlian: '99.01', wechat: 9901 } as const;

describe.each(GATEWAYS)('a notification of %s', (gateway) => {
  it('is dropped', async () => {
    await setFault({ mode: 'never-notify', gateway });
    const no = await paid(gateway);
    await forward(31 * 24 * 3600);
    expect(merchant.received).toEqual([]);
    expect(await merchant.trade(no)).toMatchObject({
      state: 'paid',
      notifications: [{ state: 'withheld', tries: [] }],
    });
    expect(await faults()).toMatchObject([{ mode: 'never-notify', hits: 1, left: null }]);
  });

  it('is sent twice at once', async () => {
    await setFault({ mode: 'notify-twice', gateway, count: 1 });
    await paid(gateway);
    await forward(0);
    expect([amountIn(gateway, 0), amountIn(gateway, 1)]).toEqual([RIGHT[gateway], RIGHT[gateway]]);
    expect(merchant.received).toHaveLength(2);
  });

  it('is delayed', async () => {
    await setFault({ mode: 'notify-late', gateway, delayMs: 600_000 });
    await paid(gateway);
    await forward(595);
    expect(merchant.received).toEqual([]);
    await forward(5);
    expect(merchant.received).toHaveLength(1);
  });

  it('has another amount, while a query returns the right one', async () => {
    await setFault({ mode: 'wrong-amount', gateway });
    const no = await paid(gateway);
    await forward(0);
    expect(amountIn(gateway, 0)).toBe(WRONG[gateway]);
    expect(await amountOf(gateway, no)).toBe(RIGHT[gateway]);
  });

  it('has an invalid signature once, and a valid one the next time', async () => {
    await setFault({ mode: 'bad-signature', gateway, count: 1 });
    merchant.answer = { status: 401, body: '' };
    await paid(gateway);
    await forward(240);
    expect(() => amountIn(gateway, 0)).toThrow('not signed');
    expect(amountIn(gateway, 1)).toBe(RIGHT[gateway]);
    expect((await faults())[0]).toMatchObject({ hits: 1, left: 0 });
  });
});

describe.each(GATEWAYS)('a response of %s', (gateway) => {
  it('has another amount', async () => {
    const no = await paid(gateway);
    await setFault({ mode: 'wrong-amount', gateway, in: 'answers', call: 'query', count: 1 });
    expect(await amountOf(gateway, no)).toBe(WRONG[gateway]);
    expect(await amountOf(gateway, no)).toBe(RIGHT[gateway]);
  });

  it('has an invalid signature', async () => {
    const no = await ordered(gateway);
    await setFault({ mode: 'bad-signature', in: 'both', gateway, count: 1 });
    await expect(amountOf(gateway, no)).rejects.toThrow('not signed');
    expect(await amountOf(gateway, no)).toBe(RIGHT[gateway]);
  });

  it('is an error without effect', async () => {
    await setFault({ mode: 'error-5xx', gateway, call: 'pay', count: 1 });
    const no = await ordered(gateway).catch(() => `YQ2026010108000000${String(count).padStart(6, '0')}`);
    expect((await merchant.call('GET', `/payments/trades?orderNo=${no}`)).json).toEqual([]);
    expect((await faults())[0]?.hits).toBe(1);
  });

  it('is truncated, with full effect', async () => {
    await setFault({ mode: 'close-connection', gateway, call: 'pay', count: 1 });
    await expect(ordered(gateway)).rejects.toThrow();
    const no = `YQ2026010108000000${String(count).padStart(6, '0')}`;
    expect((await merchant.trade(no)).state).toBe('waiting');
  });

  it('is slow', async () => {
    const no = await ordered(gateway);
    await setFault({ mode: 'slow', gateway, delayMs: 150 });
    const begin = performance.now();
    await amountOf(gateway, no);
    expect(performance.now() - begin).toBeGreaterThan(140);
  });
});

describe('a switch', () => {
  it('hangs a call until its caller disconnects', async () => {
    const no = await ordered('wechat');
    await setFault({ mode: 'hang', count: 1 });
    const path = `${merchant.sandbox.url}/query/v1/ipay/orderquery`;
    const asked = fetch(path, { method: 'POST', body: '{}', signal: AbortSignal.timeout(200) });
    await expect(asked).rejects.toThrow('timeout');
    expect(await amountOf('wechat', no)).toBe(9900);
  });

  it('may apply to one order only', async () => {
    const [one, other] = [await ordered('wechat'), await ordered('wechat')];
    await setFault({ mode: 'never-notify', orderNo: one });
    await merchant.call('POST', `/cashier/${one}/pay`);
    await merchant.call('POST', `/cashier/${other}/pay`);
    await forward(0);
    expect(merchant.received.map((notice) => wechat.read(notice).plain['out_trade_no'])).toEqual([other]);
  });

  it('recognises that order in every kind of call', async () => {
    const no = await ordered('wechat');
    await merchant.call('POST', `/cashier/${no}/pay?notify=0`);
    const { tradeNo } = await merchant.trade(no);
    await setFault({ mode: 'error-5xx', orderNo: no });
    expect((await wechat.refund(no, { out_trade_no: undefined, transaction_id: tradeNo })).status).toBe(500);
    await setFault({ mode: 'none' });
    await wechat.refund(no, { out_refund_no: 'FOUND1' });
    await setFault({ mode: 'error-5xx', orderNo: no });
    expect((await wechat.ask('GET', '/v3/refund/domestic/refunds/FOUND1')).status).toBe(500);
    expect((await wechat.ask('GET', `/v3/pay/transactions/id/${tradeNo}?mchid=1900000001`)).status).toBe(500);
  });

  it('replaces one of the same kind, coexists with others, and applies by its conditions', async () => {
    await setFault({ mode: 'slow', gateway: 'wechat', delayMs: 1 });
    await setFault({ mode: 'slow', gateway: 'wechat', delayMs: 2, count: 3 });
    await setFault({ mode: 'error-5xx', gateway: 'wechat' });
    expect(await setFault({ mode: 'never-notify', gateway: 'alipay' })).toEqual([
      { mode: 'slow', gateway: 'wechat', in: 'notifications', delayMs: 2, left: 3, hits: 0 },
      { mode: 'error-5xx', gateway: 'wechat', in: 'notifications', delayMs: 0, left: null, hits: 0 },
      { mode: 'never-notify', gateway: 'alipay', in: 'notifications', delayMs: 0, left: null, hits: 0 },
    ]);
    expect((await setFault({ mode: 'none', gateway: 'wechat' })).map(({ mode }) => mode)).toEqual(['never-notify']);
    expect(await setFault({ mode: 'none' })).toEqual([]);
  });

  it.each([
    {},
    { mode: 'sometimes' },
    { mode: 'slow', delay: 1 },
    { mode: 'slow', count: 0 },
    { mode: 'slow', gateway: 'x' },
  ])('is rejected as %j', async (body) => {
    expect((await merchant.call('POST', '/payments/faults', body)).status).toBe(400);
    expect(await faults()).toEqual([]);
  });
});
