/** Buying: messages of the pages, the sandbox's cashier, and the account afterwards. */
import type { Page } from 'playwright-core';
import { getAs } from './api.js';
import type { Language } from './browser.js';
import { SANDBOX_URL } from './environment.js';
import type { SignedIn } from './members.js';

export const SAYS = {
  zh: {
    standard: /^标准版/,
    standardMonthly: /^标准包月/,
    high: /^高级版/,
    wechat: '微信支付',
    alipay: '支付宝',
    quantity: '数量',
    pay: '立即支付',
    needMethod: '请选择支付方式',
    needQuantity: '数量请填 1–999 的整数',
    waiting: '等待支付，完成后自动跳转',
    close: '关闭',
    ask: '支付完成了吗？',
    recharged: '已支付',
    notRecharged: '未支付',
    notFound: '还没有查到这笔付款',
    paid: '支付成功',
    confirming: '支付确认中',
    unknown: '没有可以核对的订单',
    visitor: '登录后查看支付结果',
    orders: '充值订单',
    toTime: '现有字符按等值折算成时长',
    noPermission: '当前账号不能查看此页',
    badForm: '付款页无法识别，没有提交任何内容',
    inTab: '付款页已在新标签页打开',
    openTab: '打开支付宝付款页',
    noMethods: '暂无可用的支付方式',
    logIn: '登录',
    notOnSale: '该套餐已停售，请刷新页面后重新选择',
    needPlan: '请选择套餐',
    closedItself: '支付窗口已自动关闭',
    select: '选用并免费试用',
    selectMember: '选用并充值',
  },
  en: {
    standard: /^Standard 2,000k/,
    standardMonthly: /^Standard Monthly/,
    high: /^Premium/,
    wechat: 'WeChat Pay',
    alipay: 'Alipay',
    quantity: 'Quantity',
    pay: 'Pay now',
    needMethod: 'Choose a payment method',
    needQuantity: 'Enter a whole number from 1 to 999',
    waiting: 'Waiting for payment; this page continues automatically',
    close: 'Close',
    ask: 'Did you pay?',
    recharged: 'Paid',
    notRecharged: 'Not paid',
    notFound: 'This payment has not been found yet',
    paid: 'Payment received',
    confirming: 'Confirming the payment',
    unknown: 'There is no order to check',
    visitor: 'Sign in to see how the payment went',
    orders: 'Recharge orders',
    toTime: 'your characters become time of equal value',
    noPermission: 'This account cannot open this page',
    badForm: 'The payment page could not be read, and nothing was submitted',
    inTab: 'The payment page is open in a new tab',
    openTab: 'Open Alipay',
    noMethods: 'No payment method is available. Customer service',
    logIn: 'Sign in',
    notOnSale: 'This package is not on sale',
    needPlan: 'Choose a package',
    closedItself: 'The payment window closed automatically',
    select: 'Choose and start free test',
    selectMember: 'Choose and top up',
  },
} as const;

export type Account = {
  memberGroupId: number;
  memberGroup: { translationBillingMode: 'char' | 'time' };
  memberAccount: {
    usableCharNum: number;
    usableVoiceNum: number;
    usableImageNum: number;
    rechargeAmountTotal: number;
    expireDateTime: string;
  };
};
export type Order = {
  id: number;
  no: string;
  payChannel: string;
  payStatus: string;
  num: number;
  salesNum: number;
  amount: number;
};
export type Entry = {
  logType: string;
  amount: number;
  charChangeNum: number;
  minChangeNum: number;
  beforeCharNum: number;
  lastCharNum: number;
  lastExpireDateTime: string;
  rechargeOrderByMemberGroupNo: string | null;
};

export const accountOf = (who: SignedIn): Promise<Account> => getAs<Account>(who, '/user/get');
export const ordersOf = async (who: SignedIn): Promise<Order[]> =>
  (await getAs<{ rows: Order[] }>(who, '/orderByMemberGroup/page')).rows;
/** Newest first. */
export const entriesOf = async (who: SignedIn): Promise<Entry[]> =>
  (await getAs<{ rows: Entry[] }>(who, '/memberAccountLog/page')).rows;

/** Waits for the packages on the recharge page. */
export const waitForPackages = async (page: Page): Promise<void> =>
  page.getByRole('radiogroup').first().getByRole('radio').first().waitFor();

/** The balances after the payment as the page previews them, in its order. */
export async function previewed(page: Page): Promise<string[]> {
  const preview = page.locator('[aria-busy=false] > .purchase-preview, .price-worth > .purchase-preview');
  await preview.waitFor();
  return preview.locator('b').allInnerTexts();
}

/** Presses pay with this method and returns the order number in the dialog. */
export async function placeOrder(page: Page, language: Language, method: 'wechat' | 'alipay' = 'wechat') {
  const say = SAYS[language];
  await page.getByRole('radio', { name: say[method], exact: true }).check();
  await page.getByRole('button', { name: say.pay }).click();
  return orderNoIn(page);
}

export async function orderNoIn(page: Page): Promise<string> {
  const no = await page
    .getByRole('dialog')
    .getByText(/^YQ\d{22}$/)
    .innerText();
  return no;
}

/** The return URL of the gateway's page, or null. */
export type Paid = { returnUrl: string | null };

/** Pays at the sandbox's cashier, as if the code was scanned; `silently`: without a notification from the gateway. */
export async function payAtCashier(orderNo: string, how: 'telling' | 'silently' = 'telling'): Promise<Paid> {
  const order = `${SANDBOX_URL}/cashier/${orderNo}`;
  // Its number is shown before the frame with the code has asked the gateway for one.
  await waitUntil(async () => (await fetch(order)).ok);
  const address = `${order}/pay${how === 'silently' ? '?notify=0' : ''}`;
  const response = await fetch(address, { method: 'POST' });
  if (!response.ok) throw new Error(`${address}: ${response.status} ${await response.text()}`);
  return (await response.json()) as Paid;
}

/** Polls until the condition is true; throws after a minute. */
export async function waitUntil(isSo: () => Promise<boolean>): Promise<void> {
  for (const end = Date.now() + 60_000; !(await isSo()); await new Promise((resolve) => setTimeout(resolve, 200)))
    if (Date.now() > end) throw new Error(`it never became so: ${isSo.toString()}`);
}

/** A wire time `minutes` later. */
export const addMinutes = (wireTime: string, minutes: number): string =>
  new Date(Date.parse(`${wireTime.replace(' ', 'T')}Z`) + minutes * 60_000)
    .toISOString()
    .slice(0, 19)
    .replace('T', ' ');
