import { describe, expect } from '@jest/globals';
import { journey, withBrowser } from './support/browser.js';
import { mailsContaining } from './support/mailbox.js';
import { newMember, waitForText } from './support/members.js';
import { runOperator } from './support/operator.js';
import { createOrder, openDetails, openOrders, ORDERS, rowOf } from './support/orders.js';
import { payAtCashier } from './support/payment.js';

withBrowser();

const SAYS = {
  zh: {
    ask: '申请发票',
    title: '发票抬头',
    taxNo: '税号',
    email: '接收邮箱',
    personal: '个人',
    submit: '提交申请',
    wrongTaxNo: '税号不正确',
    noTitle: '此项必填',
    requested: '待开具',
    rejected: '未通过',
    again: '重新申请',
    issued: '已开具',
    reasonMail: '您的开票申请未通过',
    issuedMail: '您申请的发票已开具',
  },
  en: {
    ask: 'Request an invoice',
    title: 'Name on the invoice',
    taxNo: 'Tax number',
    email: 'Send it to',
    personal: 'Individual',
    submit: 'Send the request',
    wrongTaxNo: 'Please check the tax number',
    noTitle: 'This field is required',
    requested: 'Requested',
    rejected: 'Declined',
    again: 'Request it again',
    issued: 'Issued',
    reasonMail: 'We could not issue the invoice',
    issuedMail: 'The invoice that you requested has been issued',
  },
} as const;

describe.each(['zh', 'en'] as const)('the invoice of an order (%s)', (lang) => {
  const say = SAYS[lang];

  journey('is requested, declined with a reason, corrected, issued, and mailed about', async () => {
    const member = await newMember();
    const order = await createOrder(member);
    await payAtCashier(order.orderNo);
    const page = await openOrders(member, lang);
    await rowOf(page, order.orderNo).getByText(ORDERS[lang].P, { exact: true }).waitFor();
    const drawer = await openDetails(page, order.orderNo, lang);

    await drawer.getByRole('button', { name: say.ask }).click();
    await drawer.getByLabel(say.taxNo, { exact: true }).fill('9144030071526726X1');
    await drawer.getByRole('button', { name: say.submit }).click();
    await waitForText(page, say.wrongTaxNo);
    await waitForText(page, say.noTitle);
    expect(await drawer.getByLabel(say.email, { exact: true }).inputValue()).toBe(member.email);
    await drawer.getByLabel(say.title, { exact: true }).fill('深圳市译桥测试有限公司');
    await drawer.getByLabel(say.taxNo, { exact: true }).fill('9144 0300 7152 6726 xg');
    await drawer.getByRole('button', { name: say.submit }).click();
    const section = drawer.getByRole('region', { name: lang === 'zh' ? '发票' : 'Invoice' });
    await section.getByText(say.requested, { exact: true }).waitFor();
    expect(await section.innerText()).toContain('9144030071526726XG');
    expect(await section.getByRole('button').count()).toBe(0);

    const idOf = async (): Promise<string> => {
      const list = await runOperator('invoices', 'list');
      const line = list.split('\n').find((row) => row.includes(order.orderNo)) ?? '';
      return /^\s*(\d+)/.exec(line)?.[1] ?? '';
    };
    await runOperator('invoices', 'reject', await idOf(), '--reason', '抬头与营业执照不一致');
    // The open page learns it without being asked.
    await section.getByText(say.rejected, { exact: true }).waitFor();
    await section.getByText('抬头与营业执照不一致').waitFor();
    expect((await mailsContaining(member.email, '抬头与营业执照不一致'))[0]?.text).toContain(
      lang === 'zh' ? say.reasonMail : SAYS.zh.reasonMail,
    );

    await section.getByRole('button', { name: say.again }).click();
    await drawer.getByText(say.personal, { exact: true }).click();
    expect(await drawer.getByLabel(say.taxNo, { exact: true }).count()).toBe(0);
    await drawer.getByLabel(say.title, { exact: true }).fill('王小明');
    await drawer.getByRole('button', { name: say.submit }).click();
    await section.getByText(say.requested, { exact: true }).waitFor();
    await runOperator('invoices', 'issue', await idOf(), '--number', '26442000000123456789');
    await section.getByText(say.issued, { exact: true }).waitFor();
    expect(await section.innerText()).toContain('26442000000123456789');
    await mailsContaining(member.email, '26442000000123456789');
  });
});
