/** Mail about money and access: receipts, refunds, closed accounts, new devices (docs/decisions/0047). */
import { CommandBus } from '@nestjs/cqrs';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { login, register, sendVCode } from '@yiqiao/contracts/login';
import { deleteUser } from '@yiqiao/contracts/user';
import { SendMail } from '../src/platform/outgoing-mail.js';
import { Site } from '../src/site/site.js';
import type { TestApi } from './support/api.js';
import { TestClient } from './support/client.js';
import { makeMain, makeSub } from './support/family.js';
import type { FakeGateway } from './support/fake-gateway.js';
import { FlakyMailProxy } from './support/flaky-mail-proxy.js';
import { tester } from './support/operator.js';
import { MONTHLY, openOrder, OrderFixture, paymentFor, settle, STANDARD } from './support/orders.js';
import { codeMailedTo, freshName, mailsTo, type TestMember } from './support/test-members.js';
import { waitUntil } from './support/wait-until.js';
import { startWorker } from './support/worker.js';

const CHROME =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Safari/537.36';
const SAFARI =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.6 Mobile/15E148 Safari/604.1';

let fixture: OrderFixture;
let api: TestApi;
let gateway: FakeGateway;
let worker: Awaited<ReturnType<typeof startWorker>>;
let proxy: FlakyMailProxy;
let buyer: TestMember;

beforeAll(async () => {
  proxy = await FlakyMailProxy.start();
  fixture = await OrderFixture.open({ SMTP_URL: proxy.url, PUBLIC_URL: 'https://yiqiao.example' });
  ({ api, gateway } = fixture);
  worker = await startWorker(api.env);
});
beforeEach(async () => {
  gateway.mode = 'up';
  buyer = await makeMain(api);
});
afterEach(() => {
  proxy.dropsLeft = 0;
});
afterAll(async () => {
  await worker.stop();
  await fixture.close();
  proxy.close();
});

const signIn = (who: TestMember, headers: Record<string, string> = {}) =>
  new TestClient(api.url, null, headers).call(login, { account: who.username, password: who.password });

/** Signs in in a language, which the mails of the account are in from then on. */
const speak = (who: TestMember, language: string) => signIn(who, { 'Accept-Language': language });

const buy = async (memberGroupId = STANDARD, salesNum = 1): Promise<string> => {
  const id = await openOrder(api, buyer, { memberGroupId, salesNum });
  const payment = await paymentFor(api, id);
  // Reported three times: by two notifications and a query.
  await Promise.all([settle(api, payment), settle(api, payment), settle(api, payment, 'query')]);
  return payment.orderNo;
};

/** The mails of a member after everything recorded so far was sent. The worker erases a mail's content after the mail server took it. */
const mailsOf = async (who: { account: string; session: { userId: number } }, count = 1) => {
  const content = 'SELECT FROM outgoing_mail WHERE user_id = $1 AND sealed IS NOT NULL';
  const left = async () => (await api.db.query(content, [who.session.userId])).rowCount;
  await waitUntil(left, (rows) => rows === 0);
  const mails = await mailsTo(who.account, count);
  expect(mails).toHaveLength(count);
  return mails;
};

describe('a receipt', () => {
  it.each([
    [
      'zh-CN',
      '译桥 付款收据',
      ['收款方：', '套餐：', '到账：4,000,000 字符', '数量：2', '支付方式：微信支付', '不是税务发票'],
    ],
    [
      'en-US',
      'Your Yiqiao receipt',
      ['Seller: ', 'Package: ', 'Credited: 4,000,000 characters', 'Quantity: 2', 'Paid with: WeChat Pay'],
    ],
  ])('comes once for a paid order, in the language of the last sign-in (%s)', async (language, subject, parts) => {
    await speak(buyer, language);
    const no = await buy(STANDARD, 2);
    const [mail] = await mailsOf(buyer);
    expect(mail?.subject).toContain(subject);
    for (const part of [...parts, no, '¥176.00']) expect(mail?.text).toContain(part);
    expect(mail?.html).toContain(no);
    expect(mail?.html).toContain('https://yiqiao.example/UserCenterOrder');
    expect(mail?.text).not.toContain(buyer.password);
  });

  it('of a monthly package says the time credited, and names the configured seller', async () => {
    const site = api.app.get(Site);
    const before = await site.config('SITE_INFO');
    const info = {
      brand: { zh: '译桥', en: 'Yiqiao' },
      company: { zh: '', en: '' },
      copyright: { zh: '', en: '' },
      seller: { zh: '甲乙 <科技> 有限公司', en: 'Jiayi Tech Ltd.' },
      record: null,
      logo: '',
    };
    await site.set({ id: 'SITE_INFO', valued: info }, tester);
    await buy(MONTHLY);
    const [mail] = await mailsOf(buyer);
    expect(mail?.text).toContain('收款方：甲乙 <科技> 有限公司');
    expect(mail?.html).toContain('甲乙 &lt;科技&gt; 有限公司');
    expect(mail?.text).toContain('到账：30 天');
    await site.set({ id: 'SITE_INFO', valued: before }, tester);
  });

  it('comes once after the mail server failed, and a job that runs again sends nothing', async () => {
    proxy.dropsLeft = 2;
    await buy();
    await mailsOf(buyer);
    expect(proxy.dropsLeft).toBe(0);
    const { rows } = await api.db.query<{ id: string; sealed: string | null }>(
      'SELECT id, sealed FROM outgoing_mail WHERE user_id = $1',
      [buyer.session.userId],
    );
    expect(rows).toEqual([{ id: expect.anything(), sealed: null }]);
    await Promise.all([1, 2, 3].map(() => api.app.get(CommandBus).execute(new SendMail(Number(rows[0]?.id)))));
    await mailsOf(buyer);
  });
});

describe('a refund notice', () => {
  it.each([
    ['zh-CN', '译桥 退款通知', '本次退款：¥88.00'],
    ['en-US', 'Your Yiqiao refund', 'Refunded now: ¥88.00'],
  ])('comes once when the gateway has returned the money (%s)', async (language, subject, amount) => {
    await speak(buyer, language);
    const { no, paymentId } = await fixture.buy(buyer);
    await mailsOf(buyer, 1);
    const { refundNo } = await fixture.startRefund(paymentId);
    await Promise.all([1, 2].map(() => fixture.executeRefund(paymentId)));
    const [mail] = await mailsOf(buyer, 2);
    expect(mail?.subject).toContain(subject);
    for (const part of [no, refundNo, amount]) expect(mail?.text).toContain(part);
  });

  it('does not come for a refund that the gateway refused', async () => {
    const { paymentId } = await fixture.buy(buyer);
    await fixture.startRefund(paymentId);
    gateway.mode = 'no-refunds';
    expect(await fixture.executeRefund(paymentId)).toBe('refused');
    await mailsOf(buyer, 1);
  });
});

describe('the mail about a closed account', () => {
  it.each([
    ['zh-CN', '译桥 账号已注销', '一并注销的子账号：1 个'],
    ['en-US', 'Your Yiqiao account is closed', 'Sub-accounts closed with it: 1'],
  ])('goes to the address that it had (%s)', async (language, subject, children) => {
    await speak(buyer, language);
    const sub = await makeSub(api, buyer);
    await buyer.client.call(deleteUser, { userPassword: buyer.password });
    const [mail] = await mailsOf(buyer);
    expect(mail?.subject).toBe(subject);
    expect(mail?.text).toContain(children);
    // What is kept of it names nobody.
    const { rows } = await api.db.query(
      'SELECT m.sealed, b.language FROM outgoing_mail m JOIN member b ON b.id = m.user_id WHERE b.family_id = $1',
      [buyer.session.userId],
    );
    expect(rows).toEqual([{ sealed: null, language: null }]);
    const devices = 'SELECT FROM member_device WHERE user_id = ANY ($1)';
    expect((await api.db.query(devices, [[buyer.session.userId, sub.session.userId]])).rowCount).toBe(0);
  });

  it('is the only one: mail that was not sent yet is dropped with the account', async () => {
    const { rows } = await api.db.query<{ id: string }>(
      "INSERT INTO outgoing_mail (user_id, sealed) VALUES ($1, 'unreadable') RETURNING id",
      [buyer.session.userId],
    );
    await buyer.client.call(deleteUser, { userPassword: buyer.password });
    await mailsOf(buyer);
    await api.app.get(CommandBus).execute(new SendMail(Number(rows[0]?.id)));
  });
});

describe('the mail about a new device', () => {
  it('comes for another browser, once, and never for the first sign-in after registering', async () => {
    const username = freshName();
    const account = `${username}@example.com`;
    const visitor = new TestClient(api.url, null, { 'User-Agent': CHROME });
    await visitor.call(sendVCode, { account });
    const vcode = await codeMailedTo(account);
    const { userId } = await visitor.call(register, { username, account, password: 'secret-123', vcode });
    const who = { username, account, password: 'secret-123', session: { userId, sk: '' }, client: visitor };
    await signIn(who, { 'User-Agent': CHROME });
    await signIn(who, { 'User-Agent': CHROME.replace('141', '142') });
    await mailsOf(who, 1);
    // In the owner's language, whatever the stranger's is.
    await signIn(who, { 'User-Agent': SAFARI, 'Accept-Language': 'en-US' });
    await signIn(who, { 'User-Agent': SAFARI, 'Accept-Language': 'en-US' });
    const [mail] = await mailsOf(who, 2);
    expect(mail?.subject).toBe('译桥 新设备登录提醒');
    for (const part of ['浏览器：Safari 18', '系统：iPhone', 'IP 地址：127.0.0.1']) expect(mail?.text).toContain(part);
    expect(mail?.text).toMatch(/登录时间：\d{4}-\d\d-\d\d \d\d:\d\d:\d\d/);
    const { rows } = await api.db.query<{ digest: string }>('SELECT digest FROM member_device WHERE user_id = $1', [
      userId,
    ]);
    expect(rows.map(({ digest }) => digest.length)).toEqual([64, 64]);
    await signIn(who, { 'User-Agent': '<img src=x>', 'Accept-Language': 'en-US' });
    const [odd] = await mailsOf(who, 3);
    expect(odd?.subject).toBe('New sign-in to your Yiqiao account');
    expect(odd?.text).toContain('Browser: Not recognized');
    expect(odd?.html).not.toContain('img');
  });

  it('does not come for a sub-account, nor for a wrong password', async () => {
    const sub = await makeSub(api, buyer);
    await signIn(sub, { 'User-Agent': SAFARI });
    const wrong = { account: buyer.username, password: 'wrong-123' };
    await new TestClient(api.url, null, { 'User-Agent': SAFARI }).send(login, wrong);
    const { rows } = await api.db.query('SELECT FROM outgoing_mail WHERE user_id = ANY ($1)', [
      [buyer.session.userId, sub.session.userId],
    ]);
    expect(rows).toEqual([]);
  });
});
