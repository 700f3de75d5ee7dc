/** Money in the operator console: a statement and its differences, settling one, closing one, a refund of two persons (operators §10). */
import { describe, expect } from '@jest/globals';
import type { Page } from 'playwright-core';
import { ownQuota } from './support/api.js';
import { seriousViolations } from './support/axe.js';
import { journey, withBrowser } from './support/browser.js';
import { SANDBOX_URL } from './support/environment.js';
import { newMember, type SignedIn } from './support/members.js';
import { newOperator, openOperators, totpOf } from './support/operators.js';
import { createOrder } from './support/orders.js';

const SAYS = {
  zh: {
    import: '导入网关账单',
    file: '账单文件（CSV）',
    go: '导入并核对',
    found: /^对账 #\d+ 的差异$/,
    search: '整个订单号或交易号',
    missing: '网关已收款，这里没有入账',
    amount: '金额不符',
    unknown: '这里没有这个订单',
    settle: '入账',
    settled: '已按网关入账',
    close: '结案',
    reason: '原因',
    notOne: /不是支付宝业务明细/,
    refund: '退款',
    memberPage: '会员页',
    why: '原因（会员与批准人会读到，10–500 字）',
    type: '输入金额以确认',
    request: '申请退款',
    waits: '等待审批',
  },
  en: {
    import: 'Import a statement',
    file: 'Statement (CSV)',
    go: 'Import and compare',
    found: /^Differences of run #\d+$/,
    search: 'A whole order or transaction number',
    missing: 'Paid at the gateway, not credited here',
    amount: 'Amounts differ',
    unknown: 'No such order here',
    settle: 'Credit',
    settled: 'Credited from the gateway',
    close: 'Close',
    reason: 'Reason',
    notOne: /is neither Alipay’s business details/,
    refund: 'Refund',
    memberPage: 'Member',
    why: 'Reason (the member and the approver read it, 10–500 characters)',
    type: 'Type the amount to confirm',
    request: 'Request refund',
    waits: 'Waiting for approval',
  },
} as const;

const sandbox = async (path: string, body?: object): Promise<Response> => {
  const json = { headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) };
  const answer = await fetch(SANDBOX_URL + path, { method: 'POST', ...(body ? json : {}) });
  if (!answer.ok) throw new Error(await answer.text());
  return answer;
};
const order = async (buyer: SignedIn): Promise<string> =>
  (await createOrder(buyer, { payChannel: 'WC_NATIVE' })).orderNo;
const waitFor = async (isDone: () => Promise<boolean>): Promise<void> => {
  for (let tries = 0; tries < 600; tries++) {
    if (await isDone()) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error('it did not happen within a minute');
};
const charsOf = async (buyer: SignedIn): Promise<number> => (await ownQuota(buyer)).usableCharNum;
const paid = async (buyer: SignedIn): Promise<string> => {
  const before = await charsOf(buyer);
  const no = await order(buyer);
  await sandbox(`/cashier/${no}/pay`);
  await waitFor(async () => (await charsOf(buyer)) > before);
  return no;
};
/** Paid, but neither the notification nor an answer reaches us. */
const unheard = async (buyer: SignedIn): Promise<string> => {
  const no = await order(buyer);
  await sandbox('/payments/faults', { mode: 'error-5xx', call: 'query', orderNo: no });
  await sandbox(`/cashier/${no}/pay?notify=0`);
  return no;
};
/** The statement of these orders, with another amount for `wrong` and a line of an order that nobody knows. */
async function statementOf(orders: readonly string[], wrong: string, stranger: string): Promise<Buffer> {
  const query = new URLSearchParams(orders.map((no): [string, string] => ['orderNo', no]));
  const answer = await fetch(`${SANDBOX_URL}/payments/wechat-statement?${query.toString()}`);
  const lines = Buffer.from(await answer.arrayBuffer())
    .toString('utf8')
    .split('\r\n');
  const changed = lines.map((line) => (line.includes(wrong) ? line.replaceAll('`88.00', '`87.00') : line));
  const copy = changed.find((line) => line.includes(wrong)) ?? '';
  const strange = copy.replace(wrong, stranger).replace(/(?<=,`)42\d{20,}/, `42${stranger.slice(2)}0000`);
  const totals = changed.findIndex((line) => line.startsWith('总交易单数'));
  const counted = (changed[totals + 1] ?? '').replace(/^`\d+/, `\`${orders.length + 1}`);
  return Buffer.from([...changed.slice(0, totals), strange, changed[totals], counted, ''].join('\r\n'));
}
/** Until the page, which follows a new width in the next frames, does not scroll sideways. */
const untilItFits = (page: Page): Promise<unknown> =>
  page.waitForFunction(() => document.documentElement.scrollWidth <= document.documentElement.clientWidth);

describe.each(['zh', 'en'] as const)('payments in %s', (language) => {
  const say = SAYS[language];
  withBrowser();

  journey('a statement is imported, its differences settled and closed, and a refund approved by another', async () => {
    const [maker, checker, buyer] = [await newOperator('finance'), await newOperator('finance'), await newMember()];
    const used = totpOf(checker.secret);
    const [good, wrong, lost] = [await paid(buyer), await paid(buyer), await unheard(buyer)];
    const stranger = `YQ2026010100000${String(Date.now()).slice(-9)}`;
    const page = await openOperators('/payments/reconciliations', { operator: maker, language });
    const upload = async (name: string, buffer: Buffer): Promise<void> => {
      await page.getByLabel(say.file).setInputFiles({ name, mimeType: 'text/csv', buffer });
      await page.getByRole('button', { name: say.go }).click();
    };
    await page.getByRole('button', { name: say.import }).click();
    await upload('notes.csv', Buffer.from('a,b\n1,2\n'));
    await page.getByRole('alert').getByText(say.notOne).waitFor();
    await upload('wechat.csv', await statementOf([good, wrong, lost], wrong, stranger));
    await page.getByRole('heading', { name: say.found }).waitFor();
    const row = (no: string) => page.getByRole('row').filter({ hasText: no });
    // The statement lacks what other journeys have paid, so one page does not hold every difference.
    const find = async (no: string, text: string): Promise<void> => {
      await page.getByLabel(say.search).fill(no);
      await row(no).getByText(text).waitFor();
    };
    await find(wrong, say.amount);
    await find(stranger, say.unknown);
    await find(lost, say.missing);
    expect(await seriousViolations(page)).toEqual([]);
    for (const width of [1440, 1280, 1024, 390]) {
      await page.setViewportSize({ width, height: 900 });
      await untilItFits(page);
    }
    await page.setViewportSize({ width: 1440, height: 900 });

    await sandbox('/payments/faults', { mode: 'none', orderNo: lost });
    const before = await charsOf(buyer);
    await row(lost).getByRole('button', { name: say.settle, exact: true }).click();
    await waitFor(async () => (await charsOf(buyer)) > before);

    await find(stranger, say.unknown);
    await row(stranger).getByRole('button', { name: say.close, exact: true }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel(say.reason).fill('another system of this merchant');
    await dialog.locator('button[type=submit]').click();
    await dialog.waitFor({ state: 'detached' });
    await find(stranger, 'another system of this merchant');
    await find(lost, say.settled);

    const shown = await openOperators(`/payments/orders/${lost}`, { operator: maker, language });
    await shown.getByRole('link', { name: say.memberPage, exact: true }).click();
    await shown.getByRole('heading', { level: 1, name: buyer.username }).waitFor();
    await shown.getByRole('link', { name: lost }).click();
    await shown.getByRole('heading', { level: 1, name: lost }).waitFor();
    await shown.getByRole('button', { name: say.refund, exact: true }).click();
    await shown.getByLabel(say.why).fill('bought twice by mistake');
    await shown.getByLabel(say.type).fill('88.00');
    expect(await seriousViolations(shown)).toEqual([]);
    const made = shown.waitForResponse((answer) => answer.url().endsWith('/operator-api/requests'));
    await shown.getByRole('button', { name: say.request }).click();
    const { data } = (await (await made).json()) as { data: { id: number } };
    await shown.getByText(say.waits).first().waitFor();
    const held = await charsOf(buyer);
    await waitFor(() => Promise.resolve(totpOf(checker.secret) !== used));
    await checker.post(`/requests/${data.id}/approve`, { reason: 'seen', code: totpOf(checker.secret) });
    await waitFor(async () => (await charsOf(buyer)) === held - 2_000_000);
    for (const path of ['/payments/exceptions', '/payments/orders', '/payments/refunds', `/payments/orders/${good}`]) {
      const list = await openOperators(path, { operator: maker, language });
      await list.getByRole('heading', { level: 1 }).waitFor();
      await list.waitForLoadState('networkidle');
      expect([path, await seriousViolations(list)]).toEqual([path, []]);
      await list.setViewportSize({ width: 390, height: 844 });
      await untilItFits(list);
      await list.close();
    }
  });
});
