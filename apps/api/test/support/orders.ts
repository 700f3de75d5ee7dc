import { EntityManager } from '@mikro-orm/postgresql';
import { CommandBus } from '@nestjs/cqrs';
import { PAY_CHANNELS, type OrderChannel } from '@yiqiao/domain/orders';
import { OrderPlacement } from '../../src/orders/place-order.js';
import { RechargeOrder } from '../../src/orders/recharge-order.entity.js';
import { snapshotOf } from '../../src/orders/price-quotes.js';
import type { GatewayPayment } from '../../src/orders/pay-channels/pay-channel.js';
import { SettlePayment, type SettlementOutcome } from '../../src/orders/settle-payment.js';
import type { SeenBy } from '../../src/orders/payments.js';
import { uuid7 } from '../../src/platform/uuid7.js';
import { Plans } from '../../src/plans/plans.js';
import type { TestApi } from './api.js';
import type { TestMember } from './test-members.js';

/** Packages of the seeded price list. */
export const [STANDARD, PROFESSIONAL, MONTHLY] = [2, 3, 7];

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
