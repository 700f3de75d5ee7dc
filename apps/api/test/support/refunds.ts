import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { flushOrder } from '@yiqiao/contracts/orders';
import { getUser } from '@yiqiao/contracts/user';
import { ExecuteRefund, ListExceptions, StartRefund } from '../../src/orders/orders.js';
import { startApi, type TestApi } from './api.js';
import type { TestMember } from './test-members.js';
import { FakeGateway } from './fake-gateway.js';
import { onlyGateway, openOrder, orderOf, STANDARD } from './orders.js';

export type Bought = { id: number; no: string; paymentId: number };

/** An api with its own gateway, and an operator who refunds. */
export class RefundFixture {
  private constructor(
    readonly api: TestApi,
    readonly gateway: FakeGateway,
    private readonly managerId: number,
  ) {}

  static async open(env: Record<string, string> = {}): Promise<RefundFixture> {
    const gateway = await FakeGateway.open();
    const api = await startApi({ ...onlyGateway(gateway.env), ...env });
    const { rows } = await api.db.query<{ id: number }>("INSERT INTO manager (name) VALUES ('周敏') RETURNING id");
    return new RefundFixture(api, gateway, Number(rows[0]?.id));
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

  start(paymentId: number) {
    const { managerId } = this;
    return this.api.app.get(CommandBus).execute(new StartRefund(paymentId, { managerId, reason: '客户申请' }));
  }

  carryOut(paymentId: number) {
    return this.api.app.get(CommandBus).execute(new ExecuteRefund(paymentId));
  }

  exceptions() {
    return this.api.app.get(QueryBus).execute(new ListExceptions());
  }
}

/** The balances of an account, and its plan. */
export const accountOf = async (who: TestMember) => {
  const { memberAccount, memberGroupId } = await who.client.call(getUser, {});
  return { ...memberAccount, memberGroupId };
};
