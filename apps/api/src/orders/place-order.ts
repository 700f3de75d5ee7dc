import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { Caller, ClientInfo } from '../platform/endpoint.js';
import { Idempotency } from '../platform/idempotency.js';
import { RateLimits } from '../platform/rate-limits.js';
import { NewOrders } from './new-orders.js';
import { Offers, type Payable } from './offers.js';
import { Quotations, type Wish } from './quotations.js';

export class PlaceOrder extends Command<Payable> {
  constructor(
    readonly wish: Wish,
    readonly caller: Pick<Caller, 'userId' | 'familyId'>,
    readonly client: Pick<ClientInfo, 'idempotencyKey'>,
  ) {
    super();
  }
}

/**
 * Buys a package: writes the order down at the server's price, then makes it payable at its gateway. A request that is repeated under
 * its Idempotency-Key, after a crash or without an answer of the gateway, goes on with the same order.
 */
@CommandHandler(PlaceOrder)
export class PlaceOrderHandler implements ICommandHandler<PlaceOrder> {
  constructor(
    private readonly quotations: Quotations,
    private readonly newOrders: NewOrders,
    private readonly offers: Offers,
    private readonly idempotency: Idempotency,
    private readonly limits: RateLimits,
  ) {}

  async execute({ wish, caller, client }: PlaceOrder): Promise<Payable> {
    await this.limits.take('pays', `pay:${caller.userId}`);
    const request = {
      ...{ userId: caller.userId, route: '/orderByMemberGroup/pay', key: client.idempotencyKey, body: wish },
    };
    return this.idempotency.once(request, async (payCmd) => {
      const buyer = { userId: caller.userId, familyId: caller.familyId, payCmd };
      const earlier = await this.newOrders.placedBy(buyer);
      return this.offers.show(earlier ?? (await this.newOrders.place(await this.quotations.quote(wish), buyer)));
    });
  }
}
