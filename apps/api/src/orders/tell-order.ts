import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { familyTopic, Live } from '../platform/live.js';
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
    const topic = familyTopic(order.familyId);
    await this.live.publish(topic, { event: 'order', data: { id: order.id, payStatus: order.payStatus } });
    if (order.payStatus === 'P') await this.live.publish(topic, { event: 'account', data: {} });
  }
}
