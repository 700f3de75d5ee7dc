import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import type { Answer, Input } from '@yiqiao/contracts/endpoint';
import type { previewOrder } from '@yiqiao/contracts/orders';
import { type Holdings, Members } from '../members/members.js';
import { Clock } from '../platform/clock.js';
import { rechargeOf } from './order-recharge.js';
import { PriceQuotes } from './price-quotes.js';

type Preview = Answer<typeof previewOrder>;

export class PreviewOrder extends Query<Preview> {
  constructor(
    readonly userId: number,
    readonly input: Input<typeof previewOrder>,
  ) {
    super();
  }
}

/** The balances that a purchase paid now would leave, by the functions that credit it (decisions §4). */
@QueryHandler(PreviewOrder)
export class PreviewOrderHandler implements IQueryHandler<PreviewOrder> {
  constructor(
    private readonly quotes: PriceQuotes,
    private readonly members: Members,
    private readonly clock: Clock,
  ) {}

  async execute({ userId, input }: PreviewOrder): Promise<Preview> {
    const quote = await this.quotes.quotePackage(input);
    const recharge = rechargeOf({ ...quote, userId, no: 'preview', id: null });
    const { before, after } = await this.members.previewRecharge(recharge);
    return { before: this.#onWire(before), after: this.#onWire(after) };
  }

  #onWire({ billingMode, expireAt, ...holdings }: Holdings): Preview['before'] {
    const expireDateTime = expireAt === null ? null : this.clock.toWire(new Date(expireAt));
    return { ...holdings, translationBillingMode: billingMode, expireDateTime };
  }
}
