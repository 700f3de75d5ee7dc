import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { FAMILIES_TOPIC, Live } from '../platform/live.js';
import { OrderRepository } from './order-repository.js';

export class PublishOrderUpdate extends Command<void> {
  constructor(readonly orderId: number) {
    super();
  }
}

/** Publishes the order's status to the family's streams, and an account update when it is paid (decisions §9). */
@CommandHandler(PublishOrderUpdate)
export class PublishOrderUpdateHandler implements ICommandHandler<PublishOrderUpdate> {
  constructor(
    private readonly orders: OrderRepository,
    private readonly live: Live,
  ) {}

  async execute({ orderId }: PublishOrderUpdate): Promise<void> {
    const order = await this.orders.find(orderId);
    if (!order) return;
    const { id, familyId, payStatus } = order;
    await this.live.publish(FAMILIES_TOPIC, { familyId, event: 'order', data: { id, payStatus } });
    if (payStatus === 'P') await this.live.publish(FAMILIES_TOPIC, { familyId, event: 'account', data: {} });
  }
}
