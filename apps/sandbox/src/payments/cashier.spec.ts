import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';

import { alipayMerchant } from '../../test-support/alipay-merchant.js';
import type { CashierRow } from './browser/cashier-row.js';
import { CASHIER_TEXTS } from './browser/cashier-texts.js';
import { money, orderStatus, timeLeft } from './browser/cashier-view.js';
import { startMerchant, type Merchant } from '../../test-support/merchant.js';
import { wechatMerchant } from '../../test-support/wechat-merchant.js';

const BROWSER = 'text/html,application/xhtml+xml,*/*;q=0.8';
let merchant: Merchant;

beforeAll(async () => {
  merchant = await startMerchant();
});
beforeEach(() => {
  merchant.received.length = 0;
});
afterAll(async () => merchant.close());

const get = async (path: string, headers: Record<string, string> = {}) =>
  fetch(merchant.sandbox.url + path, { headers });

describe('the cashier', () => {
  it('lists pending and paid orders, newest first, and returns 304 when nothing changed', async () => {
    const [alipay, wechat] = [alipayMerchant(merchant), wechatMerchant(merchant)];
    await wechat.prepay('LIST0001');
    await alipay.pay('LIST0002', {}, { return_url: 'http://localhost:1/PaySuccess' });
    await merchant.call('POST', '/cashier/LIST0002/pay');
    await merchant.waitForNotifications(1);
    await merchant.call('POST', '/payments/forward', { seconds: 0 });
    const answer = await get('/cashier');
    const rows = (await answer.json()) as CashierRow[];
    expect(rows).toMatchObject([
      { orderNo: 'LIST0002', gateway: 'alipay', wallet: 'alipay', amount: 9900, state: 'paid' },
      { orderNo: 'LIST0001', gateway: 'wechat', wallet: 'wechat', amount: 9900, state: 'waiting', notifications: [] },
    ]);
    expect(rows[0]?.returnUrl).toMatch(/^http:\/\/localhost:1\/PaySuccess\?charset=/);
    expect(rows[0]?.notifications).toMatchObject([{ event: 'paid', tries: [{ status: 200, answer: 'success' }] }]);
    expect(rows[1]?.returnUrl).toBeNull();
    const tag = answer.headers.get('etag') ?? '';
    expect((await get('/cashier', { 'if-none-match': tag })).status).toBe(304);
    expect((await merchant.call('GET', '/cashier/LIST0001')).json).toEqual(rows[1]);
    expect(await merchant.call('GET', '/cashier/LIST0003')).toEqual({
      status: 404,
      json: { error: 'No gateway knows an order LIST0003' },
    });
  });

  it('dates trades, payments and expiry by a set clock, and by its own again afterwards', async () => {
    const at = Date.parse('2026-01-05T02:30:00.000Z');
    await merchant.call('POST', '/payments/clock', { at });
    await wechatMerchant(merchant).prepay('CLOCK001');
    await merchant.call('POST', '/payments/clock', { at: at + 60_000 });
    await merchant.call('POST', '/cashier/CLOCK001/pay?notify=0');
    await merchant.call('POST', '/payments/clock', { at: null });
    const before = Date.now();
    await wechatMerchant(merchant).prepay('CLOCK002');
    const tradeOf = async (no: string) =>
      ((await (await get(`/payments/trades?orderNo=${no}`)).json()) as Record<string, number>[])[0];
    expect(await tradeOf('CLOCK001')).toMatchObject({ createdAt: at, state: 'paid', paidAt: at + 60_000 });
    expect((await tradeOf('CLOCK002'))?.['createdAt']).toBeGreaterThanOrEqual(before);
  });

  it('is an HTML page without any external data', async () => {
    const unknown = `/cashier/${encodeURIComponent('<script>alert(1)</script>')}`;
    for (const path of ['/cashier', unknown, '/cashier/LIST0001']) {
      const answer = await get(path, { accept: BROWSER, 'accept-language': 'en' });
      const page = await answer.text();
      expect([path, answer.status]).toEqual([path, path === unknown ? 404 : 200]);
      expect(page).toContain('<html lang="en">');
      expect(page).not.toContain('alert');
      expect(page).not.toContain('LIST0001');
      expect(answer.headers.get('content-security-policy')).toContain("form-action 'none'");
      const scripts = [...page.matchAll(/src="([^"]+)"/g)].map(([, address]) => address ?? '');
      for (const address of scripts) expect((await get(address)).status).toBe(200);
      expect(scripts).toHaveLength(1);
    }
  });

  it('serves every module that its pages import', async () => {
    const seen = new Set<string>();
    const waiting = ['/payments/browser/cashier-list.js', '/payments/browser/cashier-order.js'];
    for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
      if (seen.has(path)) continue;
      seen.add(path);
      const answer = await get(path);
      expect([path, answer.status]).toEqual([path, 200]);
      const script = await answer.text();
      for (const [, name = ''] of script.matchAll(/from '([^']+)'/g)) {
        waiting.push(new URL(name, `http://x${path}`).pathname);
      }
    }
    expect(seen.size).toBe(6);
  });

  it('ignores other fields in a payment', async () => {
    const wechat = wechatMerchant(merchant);
    await wechat.prepay('BODY0001');
    const headers = { 'content-type': 'application/json' };
    const answer = await fetch(`${merchant.sandbox.url}/cashier/BODY0001/pay`, { method: 'POST', headers });
    expect(answer.status).toBe(200);
  });
});

describe('the USDT page', () => {
  it('escapes its values as text', async () => {
    const query = new URLSearchParams({ userId: '7', nickname: '<b>李 & 王</b>' });
    const page = await (await get(`/usdt?${query.toString()}`, { accept: BROWSER })).text();
    expect(page).toContain('<dt><code>userId</code></dt><dd>7</dd>');
    expect(page).toContain('<dd>&lt;b&gt;李 &amp; 王&lt;/b&gt;</dd>');
    expect(await (await get('/usdt')).text()).toContain('没有参数');
  });
});

describe('the text of the pages', () => {
  it.each([
    [1, '¥0.01'],
    [9900, '¥99.00'],
    [123456789, '¥1,234,567.89'],
  ])('%d fen is %s', (fen, text) => {
    expect(money(fen)).toBe(text);
  });

  it('shows no negative time left, and hours only if there are any', () => {
    const now = Date.parse('2026-01-01T00:00:00Z');
    expect(timeLeft('2026-01-01T00:04:09Z', now)).toBe('4:09');
    expect(timeLeft('2026-01-02T02:00:01Z', now)).toBe('26:00:01');
    expect(timeLeft('2025-12-31T00:00:00Z', now)).toBe('0:00');
  });

  it('shows an order past its time as expired, and a refunded one as refunded', () => {
    const row = { state: 'waiting', expiresAt: '2026-01-01T00:00:00Z', refunded: 0 } as const;
    expect(orderStatus(row, Date.parse('2025-12-31T23:59:59Z'))).toBe('waiting');
    expect(orderStatus(row, Date.parse('2026-01-01T00:00:00Z'))).toBe('expired');
    expect(orderStatus({ ...row, state: 'paid', refunded: 1 }, 0)).toBe('refunded');
    expect(orderStatus({ ...row, state: 'closed' }, 0)).toBe('closed');
  });

  it('has every text in both languages', () => {
    expect(Object.keys(CASHIER_TEXTS.en)).toEqual(Object.keys(CASHIER_TEXTS.zh));
    for (const words of Object.values(CASHIER_TEXTS.en)) expect(words).not.toMatch(/\p{Script=Han}/u);
  });
});
