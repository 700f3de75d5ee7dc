/**
 * Whatever happens to orders, in any order and at the same time, ends correctly (decisions §5): paid means exactly one recharge of the same
 * amount, every fen that was really paid is credited, refunded or listed as an exception, and nothing is duplicated.
 */
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { CommandBus, QueryBus, type ICommand } from '@nestjs/cqrs';
import { cancelOrder, continueOrder, flushOrder } from '@yiqiao/contracts/orders';
import { deleteUser, getUser } from '@yiqiao/contracts/user';
import { yuanOf } from '@yiqiao/domain/orders';
import fc from 'fast-check';
import { auditLedger } from '../src/ledger/audit/audit.js';
import { PollGateway } from '../src/orders/poll-gateway.js';
import { CancelOpenOrders } from '../src/orders/cancel-open-orders.js';
import { RetryRefunds } from '../src/orders/retry-refunds.js';
import { ExecuteRefund, ListExceptions, StartRefund } from '../src/orders/orders.js';
import { TimeOutOrder } from '../src/orders/time-out-order.js';
import { ProcessPendingNotifications } from '../src/orders/process-pending-notifications.js';
import type { TestApi } from './support/api.js';
import { makeMain } from './support/family.js';
import { giveReason } from './support/operator.js';
import type { TestMember } from './support/test-members.js';
import type { FakeGateway, Trade } from './support/fake-gateway.js';
import { AMOUNT, notify, OrderFixture, orderOf, placeOrder } from './support/orders.js';

const CHARS = 2_000_000;
const TRIAL = 5_000;

let fixture: OrderFixture;
let gateway: FakeGateway;
let api: TestApi;

beforeAll(async () => {
  const limits = { LIMIT_FLUSH_PER_MINUTE: '100000', LIMIT_FORGED_NOTIFICATIONS_PER_HOUR: '100000' };
  fixture = await OrderFixture.open({ ...limits, LIMIT_PAY_PER_MINUTE: '100000' });
  ({ gateway, api } = fixture);
});
afterAll(() => fixture.close());

type Step = { do: string; order: number };
type Run = { buyer: TestMember; ids: number[]; nos: string[] };

const execute = (command: ICommand): Promise<unknown> => api.app.get(CommandBus).execute(command);

type PaymentRow = {
  id: number;
  tradeNo: string;
  amount: number;
  verdict: string;
  refund: string | null;
  orderId: number;
};

const paymentsOf = async (ids: number[]): Promise<PaymentRow[]> => {
  const { rows } = await api.db.query<PaymentRow>(
    `SELECT id, trade_no AS "tradeNo", amount, verdict, refund_state AS refund, order_id AS "orderId" FROM payment
     WHERE order_id = ANY ($1::bigint[]) ORDER BY id`,
    [ids],
  );
  return rows;
};

const messageOf = (trade: Trade, but: Record<string, string> = {}): string =>
  gateway.notification(trade.orderNo, { trade_no: trade.tradeNo, total_amount: yuanOf(trade.amount), ...but });

/** All possible steps. A step may be refused, fail or do nothing: only the final state counts. */
const STEPS: Record<string, (run: Run, id: number, no: string) => unknown> = {
  show: (_, __, no) => gateway.show(no, AMOUNT),
  pay: (_, __, no) => gateway.pay(no, AMOUNT),
  payWrongAmount: (_, __, no) => gateway.pay(no, AMOUNT - 1),
  notify: async (_, __, no) => {
    for (const trade of gateway.paidFor(no)) await notify(api, messageOf(trade));
  },
  notifyTwiceAtOnce: (_, __, no) =>
    Promise.all(gateway.paidFor(no).flatMap((trade) => [1, 2].map(() => notify(api, messageOf(trade))))),
  notifyWrongAmount: async (_, __, no) => {
    for (const trade of gateway.paidFor(no)) await notify(api, messageOf(trade, { total_amount: '0.01' }));
  },
  forge: (_, __, no) => notify(api, gateway.notification(no).replace(/sign=.{8}/, 'sign=AAAAAAAA')),
  ofAnotherSeller: (_, __, no) => notify(api, gateway.notification(no, { seller_id: '2088000000000009' })),
  query: async (_, id) => execute(new PollGateway(id, (await orderOf(api, id)).queryCount)),
  flush: ({ buyer }, id) => buyer.client.send(flushOrder, { id: String(id) }),
  cancel: ({ buyer }, id) => buyer.client.send(cancelOrder, { id }),
  continue: ({ buyer }, id) => buyer.client.send(continueOrder, { id }),
  timeOut: (_, id) => execute(new TimeOutOrder(id)),
  refund: async (_, id) => {
    const { rows } = await api.db.query<{ user_id: number }>('SELECT user_id FROM recharge_order WHERE id = $1', [id]);
    const by = {
      managerId: await giveReason(api.db, { cmdId: crypto.randomUUID(), userId: Number(rows[0]?.user_id) }),
    };
    for (const payment of await paymentsOf([id]))
      await execute(new StartRefund(Number(payment.id), { ...by, reason: 'asked for' })).catch(() => undefined);
  },
  carryOut: async (_, id) => {
    for (const payment of await paymentsOf([id])) await execute(new ExecuteRefund(Number(payment.id)));
  },
  gatewayDown: () => (gateway.mode = 'down'),
  gatewayRefusesRefunds: () => (gateway.mode = 'no-refunds'),
  gatewayUp: () => (gateway.mode = 'up'),
  /** Aborts the database transactions in flight, as when the process or the server crashes. */
  crash: () =>
    api.db.query(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
       WHERE datname = current_database() AND application_name = 'yiqiao' AND state <> 'idle'`,
    ),
  /** The process died between storing a message and processing it. */
  forget: (_, __, no) =>
    api.db.query(
      `UPDATE pay_notification SET outcome = NULL, last_at = now() - interval '1 minute'
       WHERE order_no = $1 AND payment IS NOT NULL`,
      [no],
    ),
  workOff: () => execute(new ProcessPendingNotifications()),
};

const step = fc.record({ do: fc.constantFrom(...Object.keys(STEPS)), order: fc.nat(1) });
/** The steps of one round run at the same time. */
const story = fc.record({
  rounds: fc.array(fc.array(step, { minLength: 1, maxLength: 3 }), { minLength: 2, maxLength: 14 }),
  logsOff: fc.option(fc.nat(14), { freq: 6 }),
});

async function begin(): Promise<Run> {
  gateway.mode = 'up';
  const buyer = await makeMain(api);
  const placed = [await placeOrder(buyer), await placeOrder(buyer)];
  return { buyer, ids: placed.map(({ id }) => id), nos: placed.map(({ no }) => no) };
}

const play = (run: Run, { do: name, order }: Step): Promise<unknown> =>
  Promise.resolve(STEPS[name]?.(run, run.ids[order] ?? 0, run.nos[order] ?? '')).catch(() => undefined);

/** What the worker and the gateways eventually do: everything due is done, every message arrives. */
async function comeToRest({ buyer, ids, nos }: Run, loggedOff: boolean): Promise<void> {
  gateway.mode = 'up';
  if (loggedOff) await execute(new CancelOpenOrders(buyer.session.userId));
  await api.db.query("UPDATE pay_notification SET last_at = now() - interval '1 minute' WHERE outcome IS NULL");
  await execute(new ProcessPendingNotifications());
  for (const no of nos)
    for (const trade of gateway.paidFor(no)) {
      const answer = await notify(api, messageOf(trade));
      expect(answer.text).toBe(trade.amount === AMOUNT ? 'success' : answer.text);
    }
  for (const id of ids) await execute(new TimeOutOrder(id));
  await execute(new RetryRefunds());
}

async function mustBeRight({ buyer, ids, nos }: Run, loggedOff: boolean): Promise<void> {
  const payments = await paymentsOf(ids);
  const { rows: entries } = await api.db.query<{ id: number; status: string; entries: number; amount: number | null }>(
    `SELECT o.id, o.pay_status AS status, count(e.id)::int AS entries, sum(e.amount)::bigint AS amount FROM recharge_order o
     LEFT JOIN account_log e ON e.order_id = o.id AND e.log_type = 1 WHERE o.id = ANY ($1::bigint[]) GROUP BY o.id ORDER BY o.id`,
    [ids],
  );
  for (const { id, status, entries: count, amount } of entries) {
    const credited = payments.filter((row) => Number(row.orderId) === Number(id) && row.verdict === 'credit');
    if (status === 'P') {
      expect([count, Number(amount)]).toEqual([1, AMOUNT]);
      expect(credited).toMatchObject([{ amount: AMOUNT }]);
    } else {
      expect(['T', 'C']).toContain(status);
      expect([count, credited.length]).toEqual([0, 0]);
    }
  }
  const listed = await api.app.get(QueryBus).execute(new ListExceptions());
  for (const trade of nos.flatMap((no) => gateway.paidFor(no))) {
    const known = payments.filter(({ tradeNo }) => tradeNo === trade.tradeNo);
    // Real money is accounted for once, with its true amount: credited, refunded, or listed.
    expect(known).toMatchObject([{ amount: trade.amount }]);
    const [{ verdict, refund, id } = { verdict: '', refund: null, id: 0 }] = known;
    expect(trade.refunds.size).toBe(refund === 'done' ? 1 : 0);
    const isListed = listed.some(({ paymentId }) => paymentId === Number(id));
    expect(isListed).toBe(refund !== 'done' && (verdict !== 'credit' || refund !== null));
  }
  expect(payments).toHaveLength(nos.flatMap((no) => gateway.paidFor(no)).length);
  if (loggedOff) return;
  const kept = payments.filter(({ verdict, refund }) => verdict === 'credit' && refund !== 'done').length;
  const { memberAccount } = await buyer.client.call(getUser, {});
  expect(memberAccount).toMatchObject({ usableCharNum: TRIAL + kept * CHARS, rechargeAmountTotal: kept * AMOUNT });
}

it('reaches the right final state in any order of events', async () => {
  const property = fc.asyncProperty(story, async ({ rounds, logsOff }) => {
    const run = await begin();
    let loggedOff = false;
    for (const [at, round] of rounds.entries()) {
      if (at === logsOff)
        loggedOff = (await run.buyer.client.send(deleteUser, { userPassword: run.buyer.password })).status === 200;
      await Promise.all(round.map((each) => play(run, each)));
    }
    await comeToRest(run, loggedOff);
    await mustBeRight(run, loggedOff);
    expect((await auditLedger(api.db, {})).difference).toBeNull();
  });
  await fc.assert(property, {
    seed: Number(process.env['SEED'] ?? 5),
    numRuns: Number(process.env['STORIES'] ?? 30),
    endOnFailure: true,
  });
}, 240_000);
