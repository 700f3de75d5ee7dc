/** Requests for tax invoices, over HTTP and answered on the command line (docs/decisions/0048). */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { listInvoices, requestInvoice } from '@yiqiao/contracts/invoices';
import { deleteUser } from '@yiqiao/contracts/user';
import { invoicesIssue, invoicesList, invoicesReject } from '../src/operator/invoices.js';
import type { OperatorTask } from '../src/operator/operator-app.js';
import { UsageError } from '../src/platform/cli-messages.js';
import type { TestApi } from './support/api.js';
import { makeMain, makeSub } from './support/family.js';
import { listManagers, runTask, type Ran } from './support/operator.js';
import { type Bought, openOrder, OrderFixture } from './support/orders.js';
import { mailsTo, type TestMember } from './support/test-members.js';
import { startWorker } from './support/worker.js';

let fixture: OrderFixture;
let api: TestApi;
let worker: Awaited<ReturnType<typeof startWorker>>;
let buyer: TestMember;
let order: Bought;

beforeAll(async () => {
  fixture = await OrderFixture.open();
  api = fixture.api;
  worker = await startWorker(api.env);
  await listManagers(api.db, 'ops');
});
beforeEach(async () => {
  buyer = await makeMain(api);
  order = await fixture.buy(buyer);
});
afterAll(async () => {
  await worker.stop();
  await fixture.close();
});

const COMPANY = {
  kind: 'company',
  title: ' 深圳译桥有限公司 ',
  taxNo: '9144 0300 7152 6726 xg',
  email: 'tax@example.com',
};
const ask = (form: object = COMPANY, who = buyer) => who.client.send(requestInvoice, { id: order.id, ...form });
const list = () => buyer.client.call(listInvoices, { id: String(order.id) });
const run = (task: OperatorTask): Promise<Ran> => runTask(api.env, () => task, 'zh_CN.UTF-8');
const newestId = async (): Promise<string> => String((await list())[0]?.id);

describe('a request', () => {
  it('of a company is kept with its normalised tax number, once', async () => {
    expect(await list()).toEqual([]);
    const answers = await Promise.all([ask(), ask(), ask()]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409]);
    expect(await list()).toEqual([
      {
        id: expect.any(Number),
        state: 'requested',
        kind: 'company',
        title: '深圳译桥有限公司',
        taxNo: '9144030071526726XG',
        email: 'tax@example.com',
        amount: 8_800,
        invoiceNo: null,
        reason: null,
        requestDateTime: expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/),
        answerDateTime: null,
      },
    ]);
    expect((await ask()).body).toMatchObject({ code: 'INVOICE_EXISTS' });
  });

  it.each([
    ['a wrong check digit', { ...COMPANY, taxNo: '9144030071526726XH' }, 'taxNo', 'TAX_NUMBER_FORMAT'],
    ['no tax number', { ...COMPANY, taxNo: undefined }, 'taxNo', 'REQUIRED'],
    ['a person’s tax number', { ...COMPANY, kind: 'personal' }, 'taxNo', 'UNKNOWN_FIELD'],
    ['no title', { ...COMPANY, title: '  ' }, 'title', 'REQUIRED'],
    ['a title with controls', { ...COMPANY, title: 'a\u202Eb' }, 'title', 'UNSAFE_TEXT'],
    ['a wrong address', { ...COMPANY, email: 'nobody' }, 'email', 'EMAIL_FORMAT'],
    ['another kind', { ...COMPANY, kind: 'church' }, 'kind', 'WRONG_VALUE'],
  ])('with %s is refused', async (_, form, path, code) => {
    const { status, body } = await ask(form);
    expect(status).toBe(422);
    expect(body).toMatchObject({ errors: [{ path, code }] });
    expect(await list()).toEqual([]);
  });

  it('of an unpaid, a refunded, or somebody else’s order is refused, and of a sub-account', async () => {
    const unpaid = await openOrder(api, buyer);
    expect((await ask({ ...COMPANY, id: unpaid })).body).toMatchObject({ code: 'INVOICE_NOT_POSSIBLE' });
    expect((await ask(COMPANY, await makeMain(api))).body).toMatchObject({ code: 'NOT_FOUND' });
    expect((await ask(COMPANY, await makeSub(api, buyer))).body).toMatchObject({ code: 'MAIN_ACCOUNT_ONLY' });
    await fixture.startRefund(order.paymentId);
    await fixture.executeRefund(order.paymentId);
    expect((await ask()).body).toMatchObject({ code: 'INVOICE_NOT_POSSIBLE' });
  });
});

describe('an operator', () => {
  it('sees what waits, declines with a reason, and issues what is requested again', async () => {
    await ask();
    const id = await newestId();
    const { out } = await run(invoicesList([]));
    for (const part of [id, order.no, '88.00', '深圳译桥有限公司', '9144030071526726XG', 'tax@example.com'])
      expect(out).toContain(part);
    expect(await run(invoicesReject([id, '--reason', '抬头不符', '--by', 'nobody']))).toMatchObject({ code: 1 });
    expect(await run(invoicesReject([id, '--reason', '抬头不符', '--by', 'ops']))).toMatchObject({ code: 0 });
    expect(await run(invoicesIssue([id, '--by', 'ops']))).toMatchObject({
      code: 1,
      err: expect.stringContaining('已经处理过'),
    });
    expect((await list())[0]).toMatchObject({ state: 'rejected', reason: '抬头不符' });
    expect((await ask({ kind: 'personal', title: '王小明', email: 'wang@example.com' })).status).toBe(200);
    const again = await newestId();
    const issued = await run(invoicesIssue([again, '--number', '26442000000123456789', '--by', 'ops']));
    expect(issued).toMatchObject({ code: 0, err: '' });
    expect((await list()).map(({ state, invoiceNo }) => [state, invoiceNo])).toEqual([
      ['issued', '26442000000123456789'],
      ['rejected', null],
    ]);
    expect((await ask()).body).toMatchObject({ code: 'INVOICE_EXISTS' });
    // The receipt, and the two answers.
    const mails = await mailsTo(buyer.account, 3);
    expect(mails.map(({ text }) => text).join()).toContain('抬头不符');
    expect(mails.map(({ text }) => text).join()).toContain('发票号码：26442000000123456789');
    const { rows } = await api.db.query(
      `SELECT m.name, target_id, before, after, reason FROM manager_action JOIN manager m ON m.id = manager_id
       WHERE target_kind = 'invoice' AND target_id = ANY ($1) ORDER BY done_at`,
      [[id, again]],
    );
    expect(rows).toEqual([
      { name: 'ops', target_id: id, before: { state: 'requested' }, after: { state: 'rejected' }, reason: '抬头不符' },
      {
        name: 'ops',
        target_id: again,
        before: { state: 'requested', invoiceNo: null },
        after: { state: 'issued', invoiceNo: '26442000000123456789' },
        reason: null,
      },
    ]);
  });

  it('cannot issue what a refund has changed meanwhile', async () => {
    await ask();
    await fixture.startRefund(order.paymentId);
    await fixture.executeRefund(order.paymentId);
    expect(await run(invoicesIssue([await newestId(), '--by', 'ops']))).toMatchObject({
      code: 1,
      err: expect.stringContaining('0.00'),
    });
    expect((await list())[0]).toMatchObject({ state: 'requested' });
  });

  it('is told what a command lacks', () => {
    expect(() => invoicesReject(['1'])).toThrow(UsageError);
    expect(() => invoicesIssue(['x'])).toThrow(UsageError);
    expect(() => invoicesIssue(['1', '--number', '发票'])).toThrow(UsageError);
    expect(() => invoicesList(['--state', 'lost'])).toThrow(UsageError);
  });
});

it('is deleted with the account', async () => {
  await ask();
  await buyer.client.call(deleteUser, { userPassword: buyer.password });
  const { rowCount } = await api.db.query('SELECT FROM invoice_request WHERE user_id = $1', [buyer.session.userId]);
  expect(rowCount).toBe(0);
});
