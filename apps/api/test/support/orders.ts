import { EntityManager } from '@mikro-orm/postgresql';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { flushOrder, payOrder } from '@yiqiao/contracts/orders';
import { getUser } from '@yiqiao/contracts/user';
import { PAY_CHANNELS, type OrderChannel } from '@yiqiao/domain/orders';
import { ExecuteRefund, ListExceptions, StartRefund } from '../../src/orders/orders.js';
import { OrderPlacement } from '../../src/orders/place-order.js';
import { RechargeOrder } from '../../src/orders/recharge-order.entity.js';
import { snapshotOf } from '../../src/orders/price-quotes.js';
import type { GatewayPayment } from '../../src/orders/pay-channels/pay-channel.js';
import { SettlePayment, type SettlementOutcome } from '../../src/orders/settle-payment.js';
import type { SeenBy } from '../../src/orders/payments.js';
import { uuid7 } from '../../src/platform/uuid7.js';
import { Plans } from '../../src/plans/plans.js';
import { startApi, type TestApi } from './api.js';
import { FakeGateway } from './fake-gateway.js';
import type { TestMember } from './test-members.js';

/** Packages of the seeded price list. */
export const [STANDARD, PROFESSIONAL, MONTHLY] = [2, 3, 7];

/** Fen: one unit of the standard package. */
export const AMOUNT = 8_800;

/** One unit of the standard package through Alipay. */
export const STANDARD_ORDER = { memberGroupId: STANDARD, salesNum: 1, payChannel: 'ALI_NATIVE' } as const;

/** Orders it over HTTP as the member. */
export async function placeOrder(buyer: TestMember): Promise<{ id: number; no: string }> {
  const { orderId, orderNo } = await buyer.client.call(payOrder, STANDARD_ORDER);
  return { id: orderId, no: orderNo };
}

type Wanted = { memberGroupId?: number; salesNum?: number; payChannel?: OrderChannel };

/** A waiting order, stored like the product does, without its gateway. Returns its id. */
export async function openOrder(api: TestApi, buyer: TestMember, wanted: Wanted = {}): Promise<number> {
  const { memberGroupId = STANDARD, salesNum = 1, payChannel = 'WC_NATIVE' } = wanted;
  const em = api.app.get(EntityManager).fork();
  const group = await api.app.get(Plans, { strict: false }).group(em, memberGroupId);
  const snapshot = snapshotOf(await api.app.get(Plans, { strict: false }).current(em, memberGroupId));
  const { userId } = buyer.session;
  const order = await api.app.get(OrderPlacement, { strict: false }).place(
    {
      ...snapshot,
      payChannel,
      memberGroupId,
      groupName: group.name,
      groupEnName: group.enName,
      salesNum,
      amount: snapshot.salePrice * salesNum,
    },
    { userId, familyId: userId, payCmd: uuid7() },
  );
  return order.id;
}

export const orderOf = (api: TestApi, id: number): Promise<RechargeOrder> =>
  api.app.get(EntityManager).fork().findOneOrFail(RechargeOrder, { id });

let trades = 0;

/** A payment of the whole order, as its gateway would report it. */
export async function paymentFor(api: TestApi, id: number, but: Partial<GatewayPayment> = {}): Promise<GatewayPayment> {
  const { no, amount, payChannel } = await orderOf(api, id);
  const { gateway } = PAY_CHANNELS[payChannel];
  const tradeNo = `T${Date.now()}${++trades}`;
  return { gateway, tradeNo, amount, currency: 'CNY', orderNo: no, paidAt: new Date(), ...but };
}

export const settle = (
  api: TestApi,
  payment: GatewayPayment,
  seenBy: SeenBy = 'notification',
): Promise<SettlementOutcome> => api.app.get(CommandBus).execute(new SettlePayment(payment, seenBy));

export const eventsOf = async (api: TestApi, id: number): Promise<string[]> => {
  const { rows } = await api.db.query<{ event: string }>(
    'SELECT event FROM order_event WHERE order_id = $1 ORDER BY id',
    [id],
  );
  return rows.map(({ event }) => event);
};

/** The recharges in the ledger for an order. */
export const rechargesOf = async (api: TestApi, id: number): Promise<{ amount: number; chars: number }[]> => {
  const { rows } = await api.db.query<{ amount: number; chars: number }>(
    'SELECT amount, char_change AS chars FROM account_log WHERE order_id = $1 AND log_type = 1',
    [id],
  );
  return rows;
};

/** The settings of an api with only this gateway. */
export const onlyGateway = (env: Record<string, string>): Record<string, string> => ({
  ...Object.fromEntries(
    Object.keys(process.env)
      .filter((name) => /^(ALIPAY|WECHAT_PAY|LIANLIAN)_/.test(name))
      .map((name) => [name, '']),
  ),
  ...env,
});

/** Posts a message to the notification address of a gateway. */
export async function notify(
  api: Pick<TestApi, 'url'>,
  body: string,
  { gateway = 'alipay', type = 'application/x-www-form-urlencoded; charset=utf-8' } = {},
): Promise<{ status: number; text: string }> {
  const init = { method: 'POST', headers: { 'Content-Type': type }, body };
  const answer = await fetch(`${api.url}/pay/notify/${gateway}`, init);
  return { status: answer.status, text: await answer.text() };
}

/** The balances of an account, and its plan. */
export const accountOf = async (who: TestMember) => {
  const { memberAccount, memberGroupId } = await who.client.call(getUser, {});
  return { ...memberAccount, memberGroupId };
};

/** The free characters of an account. */
export const charsOf = async (who: TestMember): Promise<number> => (await accountOf(who)).usableCharNum;

export type Bought = { id: number; no: string; paymentId: number };

/** An api with a fake gateway as its only one, and an operator who refunds. */
export class OrderFixture {
  private constructor(
    readonly api: TestApi,
    readonly gateway: FakeGateway,
  ) {}

  static async open(extra: Record<string, string> = {}): Promise<OrderFixture> {
    const gateway = await FakeGateway.open();
    return new OrderFixture(await startApi(onlyGateway({ ...gateway.env, ...extra })), gateway);
  }

  async close(): Promise<void> {
    await this.api.stop();
    this.gateway.close();
  }

  /** A paid and credited order, with its payment. */
  async buy(buyer: TestMember, memberGroupId = STANDARD, salesNum = 1): Promise<Bought> {
    const id = await openOrder(this.api, buyer, { memberGroupId, salesNum, payChannel: 'ALI_NATIVE' });
    const { no, amount } = await orderOf(this.api, id);
    this.gateway.pay(no, amount);
    await buyer.client.call(flushOrder, { id: String(id) });
    return { id, no, paymentId: await this.lastPaymentOf(id) };
  }

  async lastPaymentOf(orderId: number): Promise<number> {
    const { rows } = await this.api.db.query<{ id: number }>(
      'SELECT id FROM payment WHERE order_id = $1 ORDER BY id DESC LIMIT 1',
      [orderId],
    );
    return Number(rows[0]?.id);
  }

  async startRefund(paymentId: number) {
    const { rows } = await this.api.db.query<{ id: number }>(
      "INSERT INTO manager (name) VALUES ('周敏') ON CONFLICT (name) DO UPDATE SET name = excluded.name RETURNING id",
    );
    const author = { managerId: Number(rows[0]?.id), reason: '客户申请' };
    return this.api.app.get(CommandBus).execute(new StartRefund(paymentId, author));
  }

  executeRefund(paymentId: number) {
    return this.api.app.get(CommandBus).execute(new ExecuteRefund(paymentId));
  }

  exceptions() {
    return this.api.app.get(QueryBus).execute(new ListExceptions());
  }
}
