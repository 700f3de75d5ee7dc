import { hash } from 'node:crypto';
import { EntityManager } from '@mikro-orm/postgresql';
import { Command, CommandBus, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { Refusal } from '@yiqiao/domain/errors';
import type { Gateway } from '@yiqiao/domain/orders';
import { failpoint } from '../platform/failpoint.js';
import { RateLimits } from '../platform/rate-limits.js';
import { markNotification, storeNotification, type NotificationOutcome } from './notifications.js';
import type { NotificationAnswer, RawNotification, VerifiedNotification } from './pay-channels/pay-channel.js';
import { PayChannels } from './pay-channels/pay-channels.js';
import { SettlePayment } from './settle-payment.js';

export class ReceiveNotification extends Command<NotificationAnswer> {
  constructor(
    readonly gateway: Gateway,
    readonly raw: RawNotification,
  ) {
    super();
  }
}

/** Outcomes after which the gateway need not send the message again. */
const ACCEPTED: ReadonlySet<NotificationOutcome> = new Set<NotificationOutcome>([
  'credit',
  'again',
  'double',
  'afterLogOff',
  'tooLarge',
  'other',
]);

/**
 * Verifies, stores, processes and answers a notification (docs/decisions/0013). A forged message is stored for operators and changes
 * nothing. Throws NOT_FOUND for a gateway without keys in this installation.
 */
@CommandHandler(ReceiveNotification)
export class ReceiveNotificationHandler implements ICommandHandler<ReceiveNotification> {
  constructor(
    private readonly em: EntityManager,
    private readonly channels: PayChannels,
    private readonly limits: RateLimits,
    private readonly commands: CommandBus,
  ) {}

  async execute({ gateway, raw }: ReceiveNotification): Promise<NotificationAnswer> {
    const reader = this.channels.notifications(gateway);
    if (!reader) throw new Refusal('NOT_FOUND');
    const outcome = await this.#process(gateway, raw, await reader.read(raw));
    return ACCEPTED.has(outcome) ? reader.accepted : reader.refused;
  }

  async #process(gateway: Gateway, raw: RawNotification, reading: VerifiedNotification): Promise<NotificationOutcome> {
    if (reading.kind === 'forged') return this.#storeForged(gateway, raw);
    const { kind, subject } = reading;
    const message = { gateway, raw, genuine: true };
    if (kind !== 'payment') {
      const { orderNo } = reading;
      await storeNotification(this.em.fork(), { ...message, subject, orderNo, payment: null, outcome: kind });
      return kind;
    }
    const { payment } = reading;
    const id = await storeNotification(this.em.fork(), {
      ...message,
      // A different amount of the same transaction is a different message.
      subject: `${subject} ${payment.orderNo} ${payment.amount} ${payment.currency}`,
      orderNo: payment.orderNo,
      payment,
      outcome: null,
    });
    failpoint('after-notification-commit');
    const outcome = await this.commands.execute(new SettlePayment(payment, 'notification'));
    await markNotification(this.em.fork(), id, outcome);
    return outcome;
  }

  /** Rate-limited, so that forged messages cannot fill the table. */
  async #storeForged(gateway: Gateway, raw: RawNotification): Promise<NotificationOutcome> {
    const isAllowed = await this.limits.take('forgedNotifications', gateway).then(
      () => true,
      (error: unknown) => {
        if (error instanceof Refusal) return false;
        throw error;
      },
    );
    if (isAllowed) {
      const digest = hash('sha256', raw.body, 'hex');
      const message = { gateway, raw, genuine: false, subject: digest, orderNo: null, payment: null };
      await storeNotification(this.em.fork(), { ...message, outcome: 'forged' });
    }
    return 'forged';
  }
}
