import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { FAMILIES_TOPIC, Live } from '../platform/live.js';
import { OrderBook } from './order-book.js';

export class TellOrder extends Command<void> {
  constructor(readonly orderId: number) {
    super();
  }
}

/** Tells the browsers of the family where an order stands now, and to look at the account again (decisions §9). */
@CommandHandler(TellOrder)
export class TellOrderHandler implements ICommandHandler<TellOrder> {
  constructor(
    private readonly book: OrderBook,
    private readonly live: Live,
  ) {}

  async execute({ orderId }: TellOrder): Promise<void> {
    const order = await this.book.find(orderId);
    if (!order) return;
    const { id, familyId, payStatus } = order;
    await this.live.publish(FAMILIES_TOPIC, { familyId, event: 'order', data: { id, payStatus } });
    if (payStatus === 'P') await this.live.publish(FAMILIES_TOPIC, { familyId, event: 'account', data: {} });
  }
}
