import { readFile } from 'node:fs/promises';
import { beforeAll, describe, expect } from '@jest/globals';
import type { Page, Route } from 'playwright-core';
import { newChild, postAs, signIn } from './support/api.js';
import { journey, journeysInTurn, takeViolations, withBrowser } from './support/browser.js';
import { waitForPackages, orderNoIn, ordersOf, payAtCashier, placeOrder, SAYS } from './support/payment.js';
import {
  newMember,
  waitForNoDialog,
  waitForText,
  type SignedIn,
  openPageAs,
  gotoAs,
  overflowsOnPhone,
} from './support/members.js';

withBrowser();

const answering = async (page: Page, path: string, data: unknown): Promise<void> => {
  const isAsked = (url: URL): boolean => `${url.pathname}${url.search}`.startsWith(`/client-user${path}`);
  await page.route(isAsked, (route) => route.fulfill({ json: { success: true, data, msg: '' } }));
};

const PHONE = {
  zh: {
    code: '微信付款二维码',
    openPage: '打开付款页',
    saveCode: '保存二维码图片',
    codeSaved: '二维码图片已保存',
    methods: { ALI_LIAN: '支付宝（连连）', WC_NATIVE: '微信支付' },
  },
  en: {
    code: 'QR code to pay with WeChat',
    openPage: 'Open the payment page',
    saveCode: 'Save the QR code',
    codeSaved: 'QR code saved',
    methods: { ALI_LIAN: 'Alipay (LianLian)', WC_NATIVE: 'WeChat Pay' },
  },
} as const;

/** A picture as the browser decodes it: whether it is a square, and the brightness of its corner. */
const decoded = (page: Page, png: Buffer): Promise<{ square: boolean; corner: number | undefined }> =>
  page.evaluate(async (base64) => {
    const bytes = Uint8Array.from(atob(base64), (char) => char.charCodeAt(0));
    const picture = await createImageBitmap(new Blob([bytes], { type: 'image/png' }));
    const paper = new OffscreenCanvas(picture.width, picture.height).getContext('2d');
    paper?.drawImage(picture, 0, 0);
    const corner = paper?.getImageData(8, 8, 1, 1).data[0];
    return { square: picture.width === picture.height && picture.width > 900, corner };
  }, png.toString('base64'));

describe.each(['zh', 'en'] as const)('other ways to pay (%s)', (lang) => {
  const inTurn = journeysInTurn(lang);
  const say = { ...SAYS[lang], ...PHONE[lang] };
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

  inTurn('Alipay with pop-ups blocked: the dialog has a button that opens it', async () => {
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

  inTurn('USDT: opens the configured page with buyer and purchase, without an order', async () => {
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

  inTurn('on a phone a code is opened or saved, not scanned; a desktop only shows it', async () => {
    const page = await openPageAs(member, lang);
    await page.goto('/UserCenterRecharge');
    await waitForPackages(page);
    const no = await placeOrder(page, lang);
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('img', { name: say.code }).waitFor();
    const openLink = dialog.getByRole('link', { name: say.openPage });
    const saveButton = dialog.getByRole('button', { name: say.saveCode });
    expect([await openLink.count(), await saveButton.count()]).toEqual([0, 0]);

    expect(await overflowsOnPhone(page)).toBe(false);
    const [picture] = await Promise.all([page.waitForEvent('download'), saveButton.click()]);
    expect(picture.suggestedFilename()).toBe(`${no}.png`);
    expect(await decoded(page, await readFile(await picture.path()))).toEqual({ square: true, corner: 255 });
    await waitForText(page, say.codeSaved);
    const opened = page.context().waitForEvent('page');
    await openLink.click();
    const tab = await opened;
    await tab.waitForURL((url) => url.pathname.endsWith(`/cashier/${no}`));
    expect(await tab.evaluate(() => window.opener === null)).toBe(true);
    await Promise.all([payAtCashier(no), waitForText(page, say.paid)]);
  });

  inTurn('on a phone a code of Alipay starts the app, and one of WeChat can only be saved', async () => {
    const page = await openPageAs(member, lang);
    await page.setViewportSize({ width: 390, height: 844 });
    const dialog = page.getByRole('dialog');
    await answering(page, '/orderByMemberGroup/getPayInfo', { id: 1, payStatus: 'W' });
    for (const [channel, code, links] of [
      ['ALI_LIAN', 'https://qr.alipay.com/bax1', ['alipays://platformapi/startapp?saId=10000007&qrcode=']],
      ['WC_NATIVE', 'weixin://wxpay/bizpayurl?pr=1', []],
    ] as const) {
      await answering(page, '/payInfo/channel', [channel]);
      await answering(page, '/orderByMemberGroup/pay', {
        orderId: 1,
        orderNo: `YQ${'1'.repeat(22)}`,
        scanQRCodeUrl: code,
      });
      await page.goto('/UserCenterRecharge');
      await waitForPackages(page);
      await page.getByRole('radio', { name: say.methods[channel], exact: true }).check();
      await page.getByRole('button', { name: say.pay }).click();
      await dialog.getByRole('button', { name: say.saveCode }).waitFor();
      const hrefs = await dialog.getByRole('link').evaluateAll((all) => all.map((link) => link.getAttribute('href')));
      expect(hrefs).toEqual(links.map((start) => start + encodeURIComponent(code)));
    }
  });

  inTurn('works by keyboard; after five minutes the dialog closes and the order remains', async () => {
    const page = await openPageAs(member, lang);
    await page.clock.install();
    await page.goto('/UserCenterRecharge?memberGroupId=2');
    await waitForPackages(page);
    await page.getByRole('radio', { name: say.wechat, exact: true }).waitFor(); // what Tab comes to
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

  inTurn('without any method it says so and points to customer service', async () => {
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
