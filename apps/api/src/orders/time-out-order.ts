import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { Refusal } from '@yiqiao/domain/errors';
import { TIME_OUT_GRACE_MS } from '@yiqiao/domain/limits';
import { Clock } from '../platform/clock.js';
import { Inquiry } from './inquiry.js';
import { OrderBook, type RechargeOrder } from './order-book.js';

export class TimeOutOrder extends Command<void> {
  constructor(readonly orderId: number) {
    super();
  }
}

/**
 * Ends an order whose time is up: asks the gateway, closes it there, and only then says T (decisions §5). While the gateway cannot be
 * asked the order waits on and this throws GATEWAY_UNKNOWN, so that it is tried again; an hour later it ends all the same.
 */
@CommandHandler(TimeOutOrder)
export class TimeOutOrderHandler implements ICommandHandler<TimeOutOrder> {
  constructor(
    private readonly book: OrderBook,
    private readonly inquiry: Inquiry,
    private readonly clock: Clock,
  ) {}

  async execute({ orderId }: TimeOutOrder): Promise<void> {
    const order = await this.book.find(orderId);
    if (order?.payStatus !== 'W') return;
    const closed = await this.#close(order);
    if (!closed && this.clock.now().getTime() < order.expiresAt.getTime() + TIME_OUT_GRACE_MS)
      throw new Refusal('GATEWAY_UNKNOWN');
    // A payment that counts has made it P by now, and then this changes nothing.
    await this.book.end(orderId, 'T', closed ? ['timedOut'] : ['unanswered', 'timedOut']);
  }

  /** False when the gateway did not say that nobody can pay any more. */
  async #close(order: RechargeOrder): Promise<boolean> {
    try {
      const { state } = await this.inquiry.query(order);
      if (state !== 'paid' && state !== 'closed' && state !== 'refunded') await this.inquiry.close(order);
      return true;
    } catch (error) {
      if (error instanceof Refusal) return false;
      throw error;
    }
  }
}
