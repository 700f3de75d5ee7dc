/** The operator's payment commands: their findings, effects and output in both languages. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { deleteUser, getUser } from '@yiqiao/contracts/user';
import { errors, Refusal } from '@yiqiao/domain/errors';
import { paymentsExceptions } from '../src/operator/payments-exceptions.js';
import { paymentsReconcile } from '../src/operator/payments-reconcile.js';
import { paymentsRecordRefund } from '../src/operator/payments-refund.js';
import { paymentsRefund } from '../src/operator/payments-refund.js';
import { paymentsShow } from '../src/operator/payments-show.js';
import type { OperatorTask } from '../src/operator/operator-app.js';
import { CommandError, UsageError } from '../src/platform/cli-messages.js';
import type { TestApi } from './support/api.js';
import { listManagers } from './support/operator.js';
import { makeMain, setChars } from './support/family.js';
import type { TestMember } from './support/test-members.js';
import { notify, openOrder, OrderFixture, orderOf, paymentFor, rechargesOf, settle } from './support/orders.js';
import type { FakeGateway } from './support/fake-gateway.js';

let fixture: OrderFixture;
let gateway: FakeGateway;
let api: TestApi;
let buyer: TestMember;

beforeAll(async () => {
  fixture = await OrderFixture.open();
  ({ gateway, api } = fixture);
  await listManagers(api.db, '王芳');
});
afterAll(() => fixture.close());
beforeEach(async () => {
  gateway.mode = 'up';
  buyer = await makeMain(api);
});

/** The output of a command and its exit code. */
async function ran(work: OperatorTask, language: 'zh' | 'en' = 'en'): Promise<{ out: string; failed: string | null }> {
  const lines: string[] = [];
  const told = (error: unknown): string => {
    if (error instanceof CommandError || error instanceof UsageError) return error.text[language];
    if (error instanceof Refusal) return errors[error.code][language];
    throw error;
  };
  const failed = await work({ app: await api.commandLine(), language, print: (line) => void lines.push(line) }).then(
    () => null,
    told,
  );
  return { out: lines.join('\n'), failed };
}
const order = async (): Promise<{ id: number; no: string; amount: number }> => {
  const id = await openOrder(api, buyer, { payChannel: 'ALI_NATIVE' });
  const { no, amount } = await orderOf(api, id);
  return { id, no, amount };
};
/** Paid at the gateway; credited when it was reported. */
const paid = async (reported = true): Promise<{ id: number; no: string; amount: number; tradeNo: string }> => {
  const made = await order();
  gateway.pay(made.no, made.amount);
  const tradeNo = gateway.tradeNoOf(made.no);
  if (reported) expect(await settle(api, await paymentFor(api, made.id, { tradeNo }))).toBe('credit');
  return { ...made, tradeNo };
};
const chars = async (): Promise<number> => (await buyer.client.call(getUser, {})).memberAccount.usableCharNum;
const refund = (no: string, ...more: string[]): OperatorTask =>
  paymentsRefund([no, '--reason', '误购', '--by', '王芳', ...more]);

describe('payments exceptions', () => {
  it('lists every kind with instructions, in either language', async () => {
    expect((await ran(paymentsExceptions([]))).out).toBe('No payments need attention.');
    expect((await ran(paymentsExceptions([]), 'zh')).out).toBe('没有需要处理的付款');
    const double = await paid();
    await settle(api, await paymentFor(api, double.id, { tradeNo: 'SECOND' }));
    const wrong = await order();
    await settle(api, await paymentFor(api, wrong.id, { amount: 1 }));
    const forged = gateway.notification(wrong.no).replace(/sign=[^&]{10}/, 'sign=AAAAAAAAAA');
    for (let times = 0; times < 3; times++) await notify(api, forged);
    await notify(api, gateway.notification('YQ2026010100000099999999'));
    await notify(api, gateway.notification(wrong.no, { seller_id: '2088999999999999' }));
    const { out } = await ran(paymentsExceptions([]));
    expect(out).toMatch(/^what\s+time\s+gateway\s+order\s+trade\s+amount \(yuan\)\s+times/);
    expect(out).toMatch(new RegExp(`^paid twice .* Alipay\\s+${double.no}\\s+SECOND\\s+88\\.00\\s+1$`, 'm'));
    expect(out).toMatch(new RegExp(`^wrong amount .* ${wrong.no}\\s+\\S+\\s+0\\.01\\s+1$`, 'm'));
    expect(out).toMatch(/^forged notification .* Alipay\s+–\s+–\s+–\s+3$/m);
    expect(out).toMatch(/^unknown order .* YQ2026010100000099999999 /m);
    expect(out).toMatch(/^another merchant’s notification /m);
    expect(out).toMatch(/^paid twice: refund the second payment: payments refund/m);
    expect((await ran(paymentsExceptions([]), 'zh')).out).toMatch(/^重复付款: 退还第二笔/m);
    expect(() => paymentsExceptions(['x'])).toThrow(UsageError);
  });
});

describe('payments show', () => {
  it('shows everything known about an order, and no secrets', async () => {
    const { id, no, amount } = await order();
    gateway.pay(no, amount);
    await notify(api, gateway.notification(no, { buyer_id: '2088111122223333', buyer_logon_id: 'secret@payer' }));
    expect(await rechargesOf(api, id)).toHaveLength(1);
    const forged = gateway.notification(no, { total_amount: '9.99' }).replace(/sign=[^&]{10}/, 'sign=AAAAAAAAAA');
    await notify(api, forged);
    const { out } = await ran(paymentsShow([no]));
    expect(out).toMatch(new RegExp(`^Order ${no} · Paid · 88\\.00 yuan · Alipay · Standard × 1$`, 'm'));
    expect(out).toMatch(/^Order placed .*\n.*The gateway reported the payment .*\nQuota credited /m);
    expect(out).toMatch(
      new RegExp(`^Alipay\\s+${gateway.tradeNoOf(no)}\\s+88\\.00 .* notification\\s+credited\\s+–$`, 'm'),
    );
    expect(out).toMatch(/^\d+\s+recharge\s+88\.00\s+2,000,000\s+0\s+60\s+60 /m);
    expect(out).toMatch(/ yes\s+credit\s+1\s+.*trade_status=TRADE_SUCCESS .*total_amount=88\.00/);
    expect(out).toMatch(/ forged\s+forged\s+1\s+.*total_amount=9\.99/);
    expect(out).not.toMatch(/sign=|buyer_id|2088111122223333|secret@payer/);
    expect((await ran(paymentsShow([no]), 'zh')).out).toMatch(/^订单 \S+ · 已支付 · 88\.00 元 · 支付宝 · 标准版 × 1$/m);
  });

  it('removes control characters of others from the terminal output', async () => {
    const { no } = await order();
    const body = new URLSearchParams({ out_trade_no: no, trade_status: '\u001b[31mred\u202e', sign: 'x' }).toString();
    await notify(api, body);
    const { out } = await ran(paymentsShow([no]));
    expect(out).toContain('trade_status=?[31mred?');
  });

  it('reports a missing order', async () => {
    expect((await ran(paymentsShow(['YQ0']))).failed).toBe('No such order: YQ0');
    expect(() => paymentsShow([])).toThrow(UsageError);
  });
});

describe('payments refund', () => {
  it('takes the quota back and refunds the money, once', async () => {
    const { no } = await paid();
    expect(await chars()).toBe(2_005_000);
    const first = await ran(refund(no));
    expect(first).toMatchObject({
      failed: null,
      out: expect.stringMatching(/^Order \S+, refund RF\d+: 88\.00 yuan\n {2}The money was refunded\.$/),
    });
    expect(await chars()).toBe(5_000);
    expect((await ran(refund(no), 'zh')).out).toContain('已退款');
    expect(gateway.refundsOf(no)).toBe(1);
    expect((await ran(paymentsShow([no]))).out).toMatch(/refunded 88\.00 RF\d+ 误购/);
  });

  it('refunds the unused part, and says that it is partial', async () => {
    const { no } = await paid();
    await setChars(api, buyer.session.userId, 1_000_000);
    expect(await ran(refund(no))).toMatchObject({
      failed: null,
      out: expect.stringMatching(/: 44\.00 yuan \(the unused part of 88\.00\)\n {2}The money was refunded\.$/),
    });
    expect(await chars()).toBe(0);
    expect(gateway.backFor(no)).toBe(4_400);
    expect((await ran(paymentsShow([no]))).out).toMatch(/refunded 44\.00 RF\d+ 误购/);
  });

  it('is refused when everything was used, and changes nothing', async () => {
    const { no } = await paid();
    await setChars(api, buyer.session.userId, 0);
    expect((await ran(refund(no))).failed).toBe(errors.REFUND_NOT_POSSIBLE.en);
    expect(gateway.refundsOf(no)).toBe(0);
    expect((await ran(paymentsShow([no]))).out).not.toContain('Refund started');
  });

  it('with several payments asks which, and refunds only that one', async () => {
    const { id, no, tradeNo, amount } = await paid();
    gateway.pay(no, amount);
    const second = gateway.tradeNoOf(no);
    expect(await settle(api, await paymentFor(api, id, { tradeNo: second }))).toBe('double');
    const asked = await ran(refund(no));
    expect(asked.failed).toContain(`${tradeNo} ¥88.00 credited`);
    expect(asked.failed).toContain(`${second} ¥88.00 paid twice`);
    expect((await ran(refund(no, '--trade', 'nonsense'))).failed).toContain('No such trade nonsense');
    expect((await ran(refund(no, '--trade', second))).failed).toBeNull();
    expect(await chars()).toBe(2_005_000);
  });

  it('that the gateway refuses restores the quota; one without a response continues', async () => {
    const refused = await paid();
    gateway.mode = 'no-refunds';
    expect((await ran(refund(refused.no))).failed).toContain('The gateway refused the refund');
    expect(await chars()).toBe(2_005_000);
    expect((await ran(paymentsExceptions([]))).out).toMatch(new RegExp(`^refund refused .*${refused.no}`, 'm'));
    gateway.mode = 'down';
    const open = await paid();
    const later = await ran(refund(open.no));
    expect(later).toMatchObject({ failed: null, out: expect.stringContaining('The gateway has not decided yet') });
    expect((await ran(paymentsExceptions([]))).out).toMatch(new RegExp(`^refund not finished .*${open.no}`, 'm'));
  });

  it('after log-off needs no account', async () => {
    const { id, no, amount } = await order();
    await buyer.client.call(deleteUser, { userPassword: buyer.password });
    gateway.pay(no, amount);
    expect(await settle(api, await paymentFor(api, id, { tradeNo: gateway.tradeNoOf(no) }))).toBe('afterLogOff');
    expect((await ran(refund(no))).failed).toBeNull();
    expect(gateway.refundsOf(no)).toBe(1);
    await api.db.query(`UPDATE recharge_order SET created_at = now() - interval '60 days' WHERE id <> $1`, [id]);
    expect(await ran(paymentsReconcile([]))).toMatchObject({ failed: null });
  });

  it('requires a reason and a paid order', async () => {
    const { no } = await order();
    expect(() => paymentsRefund([no])).toThrow(UsageError);
    expect((await ran(refund(no))).failed).toBe('This order has no payments.');
  });
});

describe('payments reconcile', () => {
  const ofToday = async (...more: string[]) => {
    await api.db.query(`UPDATE recharge_order SET created_at = now() - interval '60 days' WHERE user_id <> $1`, [
      buyer.session.userId,
    ]);
    return ran(paymentsReconcile(more));
  };

  it('finds no difference when everything matches, including refunds', async () => {
    await paid();
    const refunded = await paid();
    await ran(refund(refunded.no));
    gateway.show((await order()).no, 8_800);
    expect(await ofToday()).toMatchObject({
      failed: null,
      out: expect.stringMatching(/: 3 orders\nAll 3 orders match\.$/),
    });
  });

  describe('a refund made on the gateway’s own pages', () => {
    const record = (no: string, ...more: string[]): OperatorTask =>
      paymentsRecordRefund([no, '--reason', '后台退款', '--by', '王芳', ...more]);

    it('is found, and matches once it is recorded', async () => {
      const { no, amount } = await paid();
      gateway.refundByHand(no, amount);
      const found = await ofToday();
      expect(found.failed).toBe('1 of 1 orders differ.');
      expect(found.out).toContain(`${no}: the gateway refunded all of it, 0.00 yuan are recorded here`);
      expect(await ran(record(no, '--amount', '1.00'))).toMatchObject({
        failed: expect.stringContaining('88.00 yuan'),
      });
      expect(await ran(record(no))).toEqual({
        failed: null,
        out: `Order ${no}: recorded a refund of 88.00 yuan.\n  2,000,000 characters were taken back.`,
      });
      expect(await chars()).toBe(5_000);
      expect((await buyer.client.call(getUser, {})).memberGroupId).toBe(1);
      expect(await ofToday()).toMatchObject({ failed: null });
      expect(await ran(record(no))).toMatchObject({ failed: 'All of it went back already.' });
      expect(gateway.refundsOf(no)).toBe(1);
    });

    it('takes its share of the quota, names what was used, and leaves the rest refundable', async () => {
      const { no } = await paid();
      await setChars(api, buyer.session.userId, 1_500_000);
      gateway.refundByHand(no, 2_200);
      expect((await ran(record(no))).failed).toContain('--amount');
      expect(await ran(record(no, '--amount', '22', '--no', 'HAND1'))).toMatchObject({
        failed: null,
        out: expect.stringContaining('  500,000 characters were taken back.'),
      });
      // A partial refund out of goodwill does not end the plan.
      expect((await buyer.client.call(getUser, {})).memberGroupId).toBe(2);
      expect(await chars()).toBe(1_000_000);
      expect((await ran(refund(no))).out).toContain('44.00 yuan');
      expect(gateway.backFor(no)).toBe(6_600);
      const used = await paid();
      await setChars(api, buyer.session.userId, 300_000);
      gateway.refundByHand(used.no, used.amount);
      expect((await ran(record(used.no))).out).toBe(
        `Order ${used.no}: recorded a refund of 88.00 yuan.\n  300,000 characters were taken back.\n` +
          '  Another 1,700,000 characters had already been used and cannot be taken back.',
      );
      expect(await chars()).toBe(0);
      expect(await ofToday()).toMatchObject({ failed: null });
    });

    it('is recorded once under its number, whichever payment it is assigned to', async () => {
      const [{ no }, other] = [await paid(), await paid()];
      for (const one of [no, other.no]) gateway.refundByHand(one, 2_200);
      expect((await ran(record(no, '--amount', '22', '--no', 'ONCE1'))).failed).toBeNull();
      const left = await chars();
      for (const one of [no, other.no])
        expect((await ran(record(one, '--amount', '22', '--no', 'ONCE1'))).failed).toBe(
          'Refund ONCE1 is recorded already.',
        );
      expect(await chars()).toBe(left);
      expect((await ran(record(no, '--amount', '22', '--no', 'ONCE2'))).failed).toBeNull();
      expect((await ran(record(no, '--amount', '22', '--no', 'ONCE1'))).failed).toBe(
        'Refund ONCE1 is recorded already.',
      );
    });

    it('is not recorded if the gateway denies it, or by someone who is not on the list', async () => {
      const { no } = await paid();
      expect((await ran(record(no, '--amount', '88.00'))).failed).toBe('The gateway has not given all of it back.');
      expect((await ran(record(no, '--amount', '88.01'))).failed).toContain('0.01 to 88.00');
      gateway.mode = 'down';
      expect((await ran(record(no, '--amount', '1.00'))).failed).toBe(errors.GATEWAY_UNKNOWN.en);
      gateway.mode = 'up';
      const stranger = paymentsRecordRefund([no, '--reason', 'x', '--by', 'Mallory', '--amount', '1']);
      expect((await ran(stranger)).failed).toContain('manager add Mallory');
      expect(() => record(no, '--amount', '1.234')).toThrow(UsageError);
      expect(await chars()).toBe(2_005_000);
    });
  });

  it('finds paid but uncredited orders, and credits them only on request', async () => {
    const { id, no } = await paid(false);
    const looked = await ofToday();
    expect(looked.failed).toBe('1 of 1 orders differ.');
    expect(looked.out).toContain(`${no}: paid at the gateway, not credited here`);
    expect(await rechargesOf(api, id)).toEqual([]);
    const settled = await ofToday('--settle');
    expect(settled).toMatchObject({ failed: null, out: expect.stringContaining('1 orders credited now') });
    expect(await chars()).toBe(2_005_000);
    expect((await ofToday('--settle')).out).toMatch(/All 1 orders match\.$/);
  });

  it('finds other amounts, payments unknown to the gateway, and payments that cannot be queried', async () => {
    const wrong = await order();
    gateway.pay(wrong.no, 1);
    const unknown = await order();
    await settle(api, await paymentFor(api, unknown.id, { tradeNo: 'NOWHERE' }));
    const looked = await ofToday();
    expect(looked.out).toContain(`${wrong.no}: the gateway has 0.01 yuan, the order says 88.00`);
    expect(looked.out).toContain(`${unknown.no}: paid here, the gateway says absent`);
    expect(looked.failed).toBe('2 of 2 orders differ.');
    gateway.mode = 'down';
    expect((await ofToday()).out).toContain(
      `${unknown.no}: the gateway did not answer, so this order could not be checked`,
    );
  });

  it('accepts only days and times', async () => {
    await paid();
    expect(await ran(paymentsReconcile(['--from', '2020-01-01', '--to', '2020-12-31']))).toMatchObject({
      failed: null,
      out: '2020-01-01 00:00:00 to 2020-12-31 23:59:59: 0 orders\nAll 0 orders match.',
    });
    for (const text of ['yesterday', '2020-02-31', '2020-01-01 25:00:00'])
      expect(() => paymentsReconcile(['--from', text])).toThrow(UsageError);
    expect(() => paymentsReconcile(['--settle', 'now'])).toThrow(UsageError);
  });
});
