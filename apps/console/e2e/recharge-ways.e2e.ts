import { beforeAll, describe, expect } from '@jest/globals';
import type { Page, Route } from 'playwright-core';
import { newChild, postAs, signIn } from './support/api.js';
import { journey, takeViolations, withBrowser } from './support/browser.js';
import { waitForPackages, orderNoIn, ordersOf, payAtCashier, placeOrder, SAYS } from './support/payment.js';
import { newMember, waitForNoDialog, waitForText, type SignedIn, openPageAs, gotoAs } from './support/members.js';

withBrowser();

const answering = async (page: Page, path: string, data: unknown): Promise<void> => {
  const isAsked = (url: URL): boolean => `${url.pathname}${url.search}`.startsWith(`/client-user${path}`);
  await page.route(isAsked, (route) => route.fulfill({ json: { success: true, data, msg: '' } }));
};

describe.each(['zh', 'en'] as const)('other ways to pay (%s)', (lang) => {
  const say = SAYS[lang];
  let member: SignedIn;
  beforeAll(async () => {
    member = await newMember();
  });

  journey('Alipay: the click opens a tab, the form goes there, and the dialog sees the payment', async () => {
    const page = await gotoAs('/UserCenterRecharge', member, lang);
    await waitForPackages(page);
    const opened = page.context().waitForEvent('page');
    const no = await placeOrder(page, lang, 'alipay');
    const tab = await opened;
    await waitForText(page, say.inTab);
    await tab.waitForURL((url) => url.pathname.endsWith(`/cashier/${no}`));
    expect(await tab.evaluate(() => window.opener === null)).toBe(true);
    const [{ returnUrl }] = await Promise.all([payAtCashier(no), waitForText(page, say.paid)]);
    await tab.goto(returnUrl ?? '');
    await waitForText(tab, say.paid);
    expect((await ordersOf(member))[0]).toMatchObject({ no, payChannel: 'ALI_NATIVE', payStatus: 'P' });
  });

  journey('Alipay with pop-ups blocked: the dialog has a button that opens it', async () => {
    const page = await openPageAs(member, lang);
    await page.addInitScript(() => {
      const open = window.open.bind(window);
      let calls = 0;
      window.open = (...given) => (calls++ === 0 ? null : open(...given));
    });
    await page.goto('/UserCenterRecharge');
    await waitForPackages(page);
    const no = await placeOrder(page, lang, 'alipay');
    const opened = page.context().waitForEvent('page');
    await page.getByRole('dialog').getByRole('button', { name: say.openTab, exact: true }).click();
    await (await opened).waitForURL((url) => url.pathname.endsWith(`/cashier/${no}`));
  });

  journey('USDT: opens the configured page with buyer and purchase, without an order', async () => {
    const page = await openPageAs(member, lang);
    const config = JSON.stringify({ enabled: true, url: 'https://usdt.example.com/pay?shop=1' });
    await answering(page, '/payInfo/channel', ['WC_NATIVE', 'USDT']);
    await answering(page, '/dataCus/get?id=USDT_PAY_INFO', { id: 'USDT_PAY_INFO', valued: config });
    await page.context().route('https://usdt.example.com/**', (route) => route.fulfill({ body: 'usdt' }));
    await page.goto('/UserCenterRecharge?memberGroupId=4');
    await waitForPackages(page);
    const before = (await ordersOf(member)).length;
    await page.getByRole('spinbutton', { name: say.quantity }).fill('3');
    await page.getByRole('radio', { name: /^USDT/ }).check();
    const opened = page.context().waitForEvent('page');
    await page.getByRole('button', { name: say.pay }).click();
    const tab = await opened;
    await tab.waitForURL(/usdt\.example\.com/);
    expect(Object.fromEntries(new URL(tab.url()).searchParams)).toEqual({
      shop: '1',
      userId: String(member.userId),
      nickname: member.username,
      username: member.username,
      memberGroupName: '高级版',
      memberGroupId: '4',
      salesNum: '3',
    });
    expect(await tab.evaluate(() => window.opener === null)).toBe(true);
    expect((await ordersOf(member)).length).toBe(before);
  });

  journey('works by keyboard; after five minutes the dialog closes and the order remains', async () => {
    const page = await openPageAs(member, lang);
    await page.clock.install();
    await page.goto('/UserCenterRecharge?memberGroupId=2');
    await waitForPackages(page);
    await page.getByRole('radio', { name: say.standard }).focus();
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('ArrowRight');
    expect(await page.getByRole('radio', { name: say.high }).isChecked()).toBe(true);
    for (const key of ['Tab', 'ArrowUp', 'ArrowUp', 'ArrowDown']) await page.keyboard.press(key);
    expect(await page.getByRole('spinbutton', { name: say.quantity }).inputValue()).toBe('2');
    for (const key of ['Tab', 'Tab', 'ArrowDown', 'Enter']) await page.keyboard.press(key);
    const no = await orderNoIn(page);
    await page.getByRole('dialog').getByText('796.00').waitFor();
    expect((await ordersOf(member))[0]).toMatchObject({ no, salesNum: 2, amount: 79_600, payChannel: 'WC_NATIVE' });

    await page.clock.fastForward(300_000);
    await waitForText(page, say.closedItself);
    await waitForNoDialog(page);
    const asked: string[] = [];
    page.on('request', (request) => asked.push(new URL(request.url()).pathname));
    await page.clock.fastForward(2_000);
    expect(asked.filter((path) => path.endsWith('/getPayInfo'))).toEqual([]);
    expect((await ordersOf(member))[0]).toMatchObject({ no, payStatus: 'W' });
  });

  journey('without any method it says so and points to customer service', async () => {
    const page = await openPageAs(member, lang);
    await answering(page, '/payInfo/channel', []);
    await page.goto('/UserCenterRecharge');
    await waitForText(page, say.noMethods);
    expect(await page.getByRole('button', { name: say.pay }).isDisabled()).toBe(true);
  });
});

const GOOD = { biz_content: '{"a":1}' };
const hidden = (fields: Record<string, string>): string =>
  Object.entries(fields)
    .map(([name, value]) => `<input type="hidden" name="${name}" value="${value.replaceAll('"', '&quot;')}">`)
    .join('');
const form = (action: string, inside = hidden(GOOD), attributes = ''): string =>
  `<form method="post" action="${action}" ${attributes}>${inside}</form>`;
const SIGNED = 'method=alipay.trade.page.pay&amp;app_id=1&amp;sign=x';

describe('a form that is not the gateway’s', () => {
  const say = SAYS.zh;
  let member: SignedIn;
  let page: Page;
  beforeAll(async () => {
    member = await newMember();
    page = await gotoAs('/UserCenterRecharge', member, 'zh');
    await waitForPackages(page);
    await page.getByRole('radio', { name: say.alipay, exact: true }).check();
  });

  const EVIL: [why: string, html: string][] = [
    ['a script', `${form(`https://evil.example/?${SIGNED}`)}<script>document.forms[0].submit()</script>`],
    ['a handler', form(`https://evil.example/?${SIGNED}`, hidden(GOOD), 'onsubmit="alert(1)"')],
    ['a picture', `${form(`https://evil.example/?${SIGNED}`)}<img src=x onerror=alert(1)>`],
    ['an address without TLS', form(`http://evil.example/?${SIGNED}`)],
    ['an address of script', form(`javascript:alert(1)//?${SIGNED}`)],
    ['an address with a password', form(`https://alipay.com:x@evil.example/?${SIGNED}`)],
    ['an address of our own', form(`/client-user/user/delete?${SIGNED}`)],
    ['no address', `<form method="post">${hidden({ ...GOOD, method: 'a', app_id: '1', sign: 'x' })}</form>`],
    ['GET', form(`https://evil.example/?${SIGNED}`).replace('method="post"', 'method="get"')],
    ['two forms', form(`https://evil.example/?${SIGNED}`).repeat(2)],
    ['no form', '<p>paid</p>'],
    ['nothing', ''],
    ['no signature', form('https://evil.example/?method=alipay.trade.page.pay&amp;app_id=1')],
    ['no content', form(`https://evil.example/?${SIGNED}`, '')],
    ['a field to type in', form(`https://evil.example/?${SIGNED}`, `${hidden(GOOD)}<input name="password">`)],
    [
      'a button that posts elsewhere',
      form(
        `https://evil.example/?${SIGNED}`,
        `${hidden(GOOD)}<input type="hidden" name="b" formaction="https://worse.example">`,
      ),
    ],
    [
      'a field that hides the form’s own methods',
      form('http://evil.example/', hidden({ ...GOOD, getAttribute: 'x', submit: 'x', action: 'x' })),
    ],
  ];

  journey.each(EVIL)('%s: submits nothing and shows an error', async (_why, html) => {
    const abroad: string[] = [];
    const watch = (route: Route): Promise<void> => {
      abroad.push(route.request().url());
      return route.abort();
    };
    await page.context().route(/evil\.example|worse\.example/, watch);
    await answering(page, '/orderByMemberGroup/pay', { orderId: 1, orderNo: 'YQ1', scanQRCodeUrl: html });
    const opened = page.context().waitForEvent('page');
    await page.getByRole('button', { name: say.pay }).click();
    const tab = await opened;
    await page.getByText(say.badForm).waitFor();
    if (!tab.isClosed()) await tab.waitForEvent('close');
    expect(abroad).toEqual([]);
    expect(await page.getByRole('dialog').count()).toBe(0);
    // The browser reports what the policy would refuse although nothing runs where a form is only read.
    expect(takeViolations().filter((line) => !/ · (script|style)-src-attr · inline · /.test(line))).toEqual([]);
    await page.unrouteAll();
    await page.context().unroute(/evil\.example|worse\.example/);
    await page.getByRole('radio', { name: SAYS.zh.wechat, exact: true }).check();
    await page.getByRole('radio', { name: SAYS.zh.alipay, exact: true }).check();
  });
});

describe('who may recharge', () => {
  journey('tells a sub-account that it has no access', async () => {
    const main = await signIn(process.env['DEMO_ACCOUNT'] ?? 'demo', process.env['DEMO_PASSWORD'] ?? '');
    const child = await newChild(main);
    const page = await gotoAs('/UserCenterRecharge', await signIn(child.account, child.password), 'zh');
    await waitForText(page, SAYS.zh.noPermission);
    await postAs(main, '/user/delChild', { userId: child.userId });
  });
});
