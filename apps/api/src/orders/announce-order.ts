import { EntityManager } from '@mikro-orm/postgresql';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { Notice } from '@yiqiao/contracts/notices';
import type { PayStatus } from '@yiqiao/domain/orders';
import { familyTopic, Live } from '../platform/live.js';

/** Tells the family's open pages that an order changed, and with it perhaps the account. */
export class AnnounceOrder extends Command<void> {
  constructor(
    readonly orderId: number,
    readonly familyId: number,
  ) {
    super();
  }
}

@CommandHandler(AnnounceOrder)
export class AnnounceOrderHandler implements ICommandHandler<AnnounceOrder> {
  constructor(
    private readonly em: EntityManager,
    private readonly live: Live,
  ) {}

  /** Says how the order stands now, however late this is said. */
  async execute({ orderId, familyId }: AnnounceOrder): Promise<void> {
    const [order] = await this.em
      .fork()
      .execute<{ pay_status: PayStatus }[]>('SELECT pay_status FROM recharge_order WHERE id = ? AND family_id = ?', [
        orderId,
        familyId,
      ]);
    if (!order) return;
    const news: Notice[] = [
      { event: 'order', data: { id: orderId, payStatus: order.pay_status } },
      { event: 'account', data: {} },
    ];
    for (const notice of news) await this.live.publish(familyTopic(familyId), notice);
  }
}
