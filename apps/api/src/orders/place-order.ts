import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { Refusal } from '@yiqiao/domain/errors';
import { OPEN_ORDERS_MAX } from '@yiqiao/domain/limits';
import type { Caller, ClientInfo } from '../platform/endpoint.js';
import { Idempotency } from '../platform/idempotency.js';
import { RateLimits } from '../platform/rate-limits.js';
import { beginTrace, traceOf } from '../platform/telemetry/tracing.js';
import { Members } from '../members/members.js';
import { Clock } from '../platform/clock.js';
import { Config } from '../platform/config.js';
import { failpoint } from '../platform/failpoint.js';
import { Checkout, type Payable } from './checkout.js';
import { PriceQuotes, type OrderRequest, type PriceQuote } from './price-quotes.js';
import { OrderRepository } from './order-repository.js';
import { numberAt } from './order-number.js';
import { rechargeOf } from './order-recharge.js';
import { RechargeOrder } from './recharge-order.entity.js';

export type Buyer = { userId: number; familyId: number; payCmd: string };

/** Creates orders together with the event that schedules their polling. */
@Injectable()
export class OrderPlacement {
  readonly #lifeMs: number;

  constructor(
    private readonly em: EntityManager,
    private readonly members: Members,
    private readonly orders: OrderRepository,
    private readonly clock: Clock,
    config: Config,
  ) {
    this.#lifeMs = config.env.ORDER_LIFE_SECONDS * 1000;
  }

  /** The order that an earlier run of the same command placed. */
  placedBy({ payCmd, userId }: Buyer): Promise<RechargeOrder | null> {
    return this.em.fork().findOne(RechargeOrder, { payCmd, userId });
  }

  /** Throws QUOTA_TOO_LARGE when the accounts could not hold the package, TOO_MANY_OPEN_ORDERS, NOT_FOUND after log-off. */
  async place(quote: PriceQuote, buyer: Buyer): Promise<RechargeOrder> {
    const createdAt = this.clock.now();
    const snapshot = { ...quote, ...buyer, no: numberAt(this.clock.toWire(createdAt)) };
    await this.members.previewRecharge(rechargeOf({ ...snapshot, id: null }));
    const order = await this.em.fork().transactional(async (em) => {
      // Under the member's lock, so that concurrent orders count each other.
      if (!(await this.members.lock(em, buyer.userId))) throw new Refusal('NOT_FOUND');
      const earlier = await em.findOne(RechargeOrder, { payCmd: buyer.payCmd });
      if (earlier) return earlier;
      if ((await em.count(RechargeOrder, { userId: buyer.userId, payStatus: 'W' })) >= OPEN_ORDERS_MAX)
        throw new Refusal('TOO_MANY_OPEN_ORDERS');
      const expiresAt = new Date(createdAt.getTime() + this.#lifeMs);
      const id = await em.insert(RechargeOrder, {
        ...snapshot,
        payStatus: 'W',
        qrCode: null,
        queryCount: 0,
        paidBy: null,
        groupBefore: null,
        paidAt: null,
        createdAt,
        expiresAt,
      });
      const placed = await em.findOneOrFail(RechargeOrder, { id: Number(id) });
      await this.orders.recordEvents(em, placed, ['created']);
      await this.orders.schedulePolling(em, placed);
      return placed;
    });
    failpoint('after-order-commit');
    beginTrace(traceOf(`order ${order.id}`), 'place order', { since: createdAt.getTime() })?.end();
    return order;
  }
}

export class PlaceOrder extends Command<Payable> {
  constructor(
    readonly input: OrderRequest,
    readonly caller: Pick<Caller, 'userId' | 'familyId'>,
    readonly client: Pick<ClientInfo, 'idempotencyKey'>,
  ) {
    super();
  }
}

/**
 * Places an order at the server's price, then makes it payable at its gateway. A repetition under the same Idempotency-Key, after a crash
 * or without an answer of the gateway, continues the same order.
 */
@CommandHandler(PlaceOrder)
export class PlaceOrderHandler implements ICommandHandler<PlaceOrder> {
  constructor(
    private readonly quotes: PriceQuotes,
    private readonly placement: OrderPlacement,
    private readonly checkout: Checkout,
    private readonly idempotency: Idempotency,
    private readonly limits: RateLimits,
  ) {}

  async execute({ input, caller, client }: PlaceOrder): Promise<Payable> {
    await this.limits.take('pays', `pay:${caller.userId}`);
    const request = {
      userId: caller.userId,
      route: '/orderByMemberGroup/pay',
      key: client.idempotencyKey,
      body: input,
    };
    return this.idempotency.once(request, async (payCmd) => {
      const buyer = { userId: caller.userId, familyId: caller.familyId, payCmd };
      const earlier = await this.placement.placedBy(buyer);
      return this.checkout.show(earlier ?? (await this.placement.place(await this.quotes.quote(input), buyer)));
    });
  }
}
