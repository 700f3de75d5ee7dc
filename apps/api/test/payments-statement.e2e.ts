/** Payments and refunds over the gateways' real protocols, compared with their statements. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { CommandBus } from '@nestjs/cqrs';
import { flushOrder, payOrder } from '@yiqiao/contracts/orders';
import { yuanOf } from '@yiqiao/domain/orders';
import { paymentsReconcile } from '../src/operator/payments-reconcile.js';
import { paymentsRecordRefund, paymentsRefund } from '../src/operator/payments-refund.js';
import type { OperatorTask } from '../src/operator/operator-app.js';
import { ExecuteRefund } from '../src/orders/orders.js';
import { PayChannels } from '../src/orders/pay-channels/pay-channels.js';
import { startApi, type TestApi } from './support/api.js';
import { makeMain } from './support/family.js';
import { listManagers, runTask } from './support/operator.js';
import type { TestMember } from './support/test-members.js';
import { breakFor, openForm, payAtCashier, someOrder, tradeOf } from './support/sandbox-gateways.js';
import { AMOUNT, orderOf, STANDARD } from './support/orders.js';

const BY = ['--reason', '误购', '--by', '王芳'];
const ALWAYS = ['--from', '2020-01-01', '--to', '2099-12-31'];

let api: TestApi;
let buyer: TestMember;
const folder = mkdtempSync(path.join(tmpdir(), 'statements-'));

// A database for each, because a statement lacks the others' payments.
beforeEach(async () => {
  api = await startApi();
  await listManagers(api.db, '王芳');
  buyer = await makeMain(api);
});
afterEach(() => api.stop());
afterAll(() => rmSync(folder, { recursive: true }));

const operator = (read: () => OperatorTask, lang?: string) => runTask(api.env, read, lang);
const reconcile = (args: string[], lang?: string) => operator(() => paymentsReconcile(args), lang);
const file = (name: string, bytes: Buffer | string): string => {
  const at = path.join(folder, name);
  writeFileSync(at, bytes);
  return at;
};

describe.each([
  { channel: 'ALI_NATIVE', gateway: 'alipay', name: { zh: '支付宝', en: 'Alipay' } },
  { channel: 'WC_NATIVE', gateway: 'wechat', name: { zh: '微信支付', en: 'WeChat Pay' } },
] as const)('the statement of $gateway', ({ channel, gateway, name }) => {
  const shown = async (offer: string): Promise<void> => {
    if (channel === 'ALI_NATIVE') expect((await openForm(offer)).status).toBeLessThan(400);
  };
  type Bought = { id: number; no: string; tradeNo: string };
  /** Paid at the gateway, which has not notified us. */
  const pay = async (): Promise<Bought> => {
    const wish = { memberGroupId: STANDARD, salesNum: 1, payChannel: channel };
    const { orderId: id, orderNo: no, scanQRCodeUrl } = await buyer.client.call(payOrder, wish);
    await shown(scanQRCodeUrl);
    expect(await payAtCashier(no)).toBe(true);
    return { id, no, tradeNo: (await tradeOf(no))?.tradeNo ?? '' };
  };
  const ask = ({ id }: Bought) => buyer.client.send(flushOrder, { id: String(id) });
  const buy = async (): Promise<Bought> => {
    const bought = await pay();
    await ask(bought);
    expect((await orderOf(api, bought.id)).payStatus).toBe('P');
    return bought;
  };
  const payChannel = () => api.app.get(PayChannels, { strict: false }).channel(channel);
  /** On the gateway's own pages. */
  const giveBack = async ({ id, no, tradeNo }: Bought, refundNo: string): Promise<void> => {
    const order = { ...someOrder(channel), id, no };
    const part = { order, tradeNo, refundNo, amount: 2_200, total: AMOUNT, reason: 'by hand' };
    for (let tries = 0; tries < 5 && (await payChannel().refund(part)).state !== 'done'; tries++);
    expect((await tradeOf(no))?.refunds).toMatchObject([{ no: refundNo, amount: 2_200 }]);
  };
  const refund = async ({ id, no }: Bought): Promise<string> => {
    expect(await operator(() => paymentsRefund([no, ...BY]))).toMatchObject({ code: 0, err: '' });
    const paidBy = (await orderOf(api, id)).paidBy ?? 0;
    const carryOut = () => api.app.get(CommandBus).execute(new ExecuteRefund(paidBy));
    for (let tries = 0; tries < 5 && (await carryOut()) !== 'done'; tries++);
    return (await tradeOf(no))?.refunds[0]?.no ?? '';
  };
  const statement = async (orders: Pick<Bought, 'no'>[]): Promise<Buffer> => {
    const query = new URLSearchParams(orders.map(({ no }): [string, string] => ['orderNo', no]));
    const answer = await fetch(`${process.env['SANDBOX_URL'] ?? ''}/payments/${gateway}-statement?${query.toString()}`);
    expect(answer.headers.get('content-disposition')).toContain(`${gateway}.csv`);
    return Buffer.from(await answer.arrayBuffer());
  };

  it('matches what happened, and lists differences in either language', async () => {
    const [plain, refunded, byHand] = [await buy(), await buy(), await buy()];
    const refundNo = await refund(refunded);
    await giveBack(byHand, `HAND-${byHand.no}`);
    // The number was not given.
    const recorded = await operator(() => paymentsRecordRefund([byHand.no, '--amount', '22', ...BY]));
    expect(recorded).toMatchObject({ code: 0, err: '' });
    const ours = [plain, refunded, byHand];
    const whole = file(`${gateway}.csv`, await statement(ours));
    expect(await reconcile(['--statement', whole])).toEqual({
      code: 0,
      err: '',
      out: `${name.en}: 5 lines\nEverything matches the statements.\n`,
    });
    // Files may overlap.
    const alone = file(`${gateway}-alone.csv`, await statement([plain]));
    expect(await reconcile(['--statement', whole, alone], 'zh_CN.UTF-8')).toEqual({
      code: 0,
      err: '',
      out: `${name.zh}：5 笔\n与对账单全部一致\n`,
    });

    const stranger = someOrder(channel);
    await shown(await payChannel().createPayment(stranger));
    await payAtCashier(stranger.no);
    const strange = (await tradeOf(stranger.no))?.tradeNo ?? '';
    const unheard = await pay();
    const other = await pay();
    await breakFor(other.no, { mode: 'wrong-amount', in: 'answers', call: 'query' });
    await ask(other);
    const unknown = await buy();
    const manual = `HAND-${unknown.no}`;
    await giveBack(unknown, manual);
    const absent = await buy();

    const bytes = await statement([...ours, stranger, unheard, other, unknown]);
    const lines = new TextDecoder(gateway === 'alipay' ? 'gbk' : 'utf-8').decode(bytes).split('\r\n');
    const edited = lines
      .flatMap((line) => (line.includes(plain.no) ? [line, line] : line.includes(refundNo) ? [] : [line]))
      .join('\r\n')
      .replace('交易合计：7笔', '交易合计：8笔')
      .replace('退款合计：3笔', '退款合计：2笔');
    const differing = ['--statement', file(`${gateway}-other.csv`, edited), ...ALWAYS];
    const sorted = (text: string) => text.trimEnd().split('\n').sort();
    const en = await reconcile(differing);
    expect(en).toMatchObject({ code: 1, err: '7 differences from the statements.\n' });
    const stood = yuanOf(AMOUNT);
    expect(sorted(en.out)).toEqual(
      sorted(
        [
          `${name.en}: 9 lines`,
          `  ${stranger.no}: a payment of 99.00 yuan (transaction ${strange}) belongs to an order that is unknown here`,
          `  ${unheard.no}: a payment of ${stood} yuan (transaction ${unheard.tradeNo}) is unknown here: payments reconcile --settle`,
          `  ${other.no}: the payment is ${stood} yuan in the statement, 88.01 here`,
          `  ${unknown.no}: a refund of 22.00 yuan (${manual}) is unknown here: payments record-refund ${unknown.no} --amount 22.00 --no "${manual}" --reason "…"`,
          `  ${absent.no}: a payment of ${stood} yuan (transaction ${absent.tradeNo}) is missing from the statement`,
          `  ${plain.no}: a payment of ${stood} yuan (transaction ${plain.tradeNo}) appears twice in the statements`,
          `  ${refunded.no}: a refund of ${stood} yuan (${refundNo}) is missing from the statement`,
        ].join('\n'),
      ),
    );
    const zh = await reconcile(differing, 'zh_CN.UTF-8');
    expect(zh).toMatchObject({ code: 1, err: '7 处与对账单不一致\n' });
    expect(sorted(zh.out)).toEqual(
      sorted(
        [
          `${name.zh}：9 笔`,
          `  ${stranger.no}: 对账单有收款 99.00 元（交易 ${strange}），这里没有这个订单`,
          `  ${unheard.no}: 对账单有收款 ${stood} 元（交易 ${unheard.tradeNo}），这里没有这笔付款：payments reconcile --settle`,
          `  ${other.no}: 收款在对账单为 ${stood} 元，这里为 88.01 元`,
          `  ${unknown.no}: 对账单有退款 22.00 元（${manual}），这里没有：payments record-refund ${unknown.no} --amount 22.00 --no "${manual}" --reason "…"`,
          `  ${absent.no}: 这里有收款 ${stood} 元（交易 ${absent.tradeNo}），对账单没有`,
          `  ${plain.no}: 收款 ${stood} 元（交易 ${plain.tradeNo}）在对账单中重复出现`,
          `  ${refunded.no}: 这里有退款 ${stood} 元（${refundNo}），对账单没有`,
        ].join('\n'),
      ),
    );
    // Paid after the last line and on its day.
    const early = await reconcile(['--statement', whole]);
    expect(early).toMatchObject({ code: 1, out: expect.stringContaining(`${absent.no}: a payment of`) });
  });

  it('matches nothing when empty, unless its days are given', async () => {
    await buy();
    const empty = file(`${gateway}-empty.csv`, await statement([{ no: 'nobody' }]));
    const { code, err } = await reconcile(['--statement', empty]);
    expect({ code, err }).toEqual({ code: 1, err: expect.stringContaining('has no lines') });
    expect((await reconcile(['--statement', empty, '--from', '2020-01-01', '--to', '2020-01-31'])).code).toBe(0);
    const lacking = { code: 1, out: expect.stringContaining('is missing from the statement') };
    expect(await reconcile(['--statement', empty, ...ALWAYS])).toMatchObject(lacking);
  });
});

it('requires existing files and both ends of their days, and never settles', async () => {
  for (const args of [['nowhere.csv'], ['a.csv', '--settle'], ['a.csv', '--from', '2026-01-01']])
    expect((await reconcile(['--statement', ...args])).code).toBe(2);
});
