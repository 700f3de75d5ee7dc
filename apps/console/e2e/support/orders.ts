/** The order list: messages, locators, and orders placed over the API. */
import type { Locator, Page } from 'playwright-core';
import { getAs, postAs } from './api.js';
import type { Language } from './browser.js';
import { gotoAs, type SignedIn } from './members.js';

export const ORDERS = {
  zh: {
    W: '待支付',
    P: '已支付',
    T: '已超时关闭',
    C: '已取消',
    refunded: '已退款',
    columns: [
      '订单号',
      '套餐 / 计费方式',
      '购买内容',
      '数量',
      '金额（元）',
      '支付方式',
      '状态',
      '创建时间',
      '支付时间',
      '操作',
    ],
    pay: /^继续支付订单/,
    flush: /^刷新：向支付网关核对订单/,
    cancel: /^取消订单/,
    show: /^查看订单/,
    copy: /^复制订单号/,
    copied: '复制成功',
    left: /^剩余 1[0-5]:\d\d$/,
    chars: '400 万字符',
    char: '按字符',
    month: '1 个月',
    time: '按时长',
    wechat: '微信支付',
    alipay: '支付宝',
    standard: '标准版',
    confirmCancel: '确认取消',
    cancelled: '订单已取消',
    notOpen: '订单不是待支付状态',
    notPaidYet: '支付网关还没有收到这笔付款',
    paidNow: (no: string) => `订单 ${no} 已支付，额度已到账`,
    havePaid: '我已支付',
    timeline: '订单进程',
    byNotification: ['创建订单', '已展示付款码', '支付网关通知已付款', '额度到账'],
    byQuery: ['创建订单', '已展示付款码', '向支付网关查询，确认已付款', '额度到账'],
    ledger: '查看账变',
    print: '打印收据',
    receipt: '付款收据',
    seller: '译桥科技（示例主体）',
    brand: '译桥',
    empty: '还没有充值订单',
    recharge: '去充值',
    failed: '订单加载失败',
    reload: '重新加载',
    noPermission: '当前账号不能查看此页',
    success: '支付成功',
  },
  en: {
    W: 'Awaiting payment',
    P: 'Paid',
    T: 'Timed out',
    C: 'Canceled',
    refunded: 'Refunded',
    columns: [
      'Order number',
      'Package, billing',
      'Bought',
      'Qty',
      'Amount (¥)',
      'Method',
      'Status',
      'Created',
      'Paid',
      'Actions',
    ],
    pay: /^Pay order/,
    flush: /^Refresh: ask the gateway about order/,
    cancel: /^Cancel order/,
    show: /^Details of order/,
    copy: /^Copy order number/,
    copied: 'Copied',
    left: /^1[0-5]:\d\d left$/,
    chars: '4,000k characters',
    char: 'per character',
    month: '1 month',
    time: 'per period',
    wechat: 'WeChat Pay',
    alipay: 'Alipay',
    standard: 'Standard',
    confirmCancel: 'Cancel the order',
    cancelled: 'Order canceled',
    notOpen: 'This order is no longer awaiting payment.',
    notPaidYet: 'The gateway has not received this payment yet',
    paidNow: (no: string) => `Order ${no} is paid and its quota has arrived`,
    havePaid: 'I have paid',
    timeline: 'Order history',
    byNotification: ['Order placed', 'Payment code shown', 'The gateway reported the payment', 'Quota credited'],
    byQuery: ['Order placed', 'Payment code shown', 'The gateway confirmed the payment when asked', 'Quota credited'],
    ledger: 'Account log entry',
    print: 'Print receipt',
    receipt: 'Payment receipt',
    seller: 'Yiqiao Technology (sample company)',
    brand: 'Yiqiao',
    empty: 'No recharge orders yet',
    recharge: 'Recharge',
    failed: 'The orders couldn’t be loaded',
    reload: 'Reload',
    noPermission: 'This account cannot open this page',
    success: 'Payment received',
  },
} as const;

type Plan = { id: number; name: string; translationBillingMode: 'char' | 'time'; num: number; salePrice: number };
export type Placed = { orderId: number; orderNo: string; plan: Plan };
type Wish = { mode?: 'char' | 'time'; salesNum?: number; payChannel?: 'WC_NATIVE' | 'ALI_NATIVE' };

/** Places an order for the first package with this billing mode. */
export async function createOrder(who: SignedIn, wish: Wish = {}): Promise<Placed> {
  const { mode = 'char', salesNum = 1, payChannel = 'WC_NATIVE' } = wish;
  const plans = await getAs<Plan[]>(who, '/memberGroup/saleList');
  const plan = plans.find(({ translationBillingMode }) => translationBillingMode === mode);
  if (!plan) throw new Error(`nothing on sale by ${mode}`);
  const order = await postAs<{ orderId: number; orderNo: string }>(who, '/orderByMemberGroup/pay', {
    memberGroupId: plan.id,
    salesNum,
    payChannel,
  });
  return { ...order, plan };
}

export const yuan = (fen: number): string =>
  (fen / 100).toLocaleString('en-US', { minimumFractionDigits: 2, maximumFractionDigits: 2 });

/** Opens the member's order list and waits for it. */
export async function openOrders(who: SignedIn, lang: Language): Promise<Page> {
  const page = await gotoAs('/UserCenterOrder', who, lang);
  await page.locator('.od-table .ant-table-row, .empty-state').first().waitFor();
  return page;
}

export const rowOf = (page: Page, no: string): Locator => page.locator('.ant-table-row', { hasText: no });

/** Opens the details of an order and waits for the timeline. */
export async function openDetails(page: Page, no: string, lang: Language): Promise<Locator> {
  await rowOf(page, no).getByRole('button', { name: ORDERS[lang].show }).click();
  const drawer = page.getByRole('dialog');
  await drawer.getByRole('listitem').first().waitFor();
  return drawer;
}

/** The texts of a timeline, once it has `length` items. */
export async function timelineOf(drawer: Locator, length: number): Promise<string[]> {
  // Loaded items have a time; placeholders are list items, too.
  const items = drawer.getByRole('listitem').filter({ has: drawer.page().locator('time') });
  await items.nth(length - 1).waitFor();
  return items.locator('span').allInnerTexts();
}
