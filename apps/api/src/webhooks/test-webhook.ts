import { EntityManager, raw } from '@mikro-orm/postgresql';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { Answer } from '@yiqiao/contracts/endpoint';
import type { testWebhook } from '@yiqiao/contracts/webhooks';
import { Clock } from '../platform/clock.js';
import { RateLimits } from '../platform/rate-limits.js';
import { uuid7 } from '../platform/uuid7.js';
import { WebhookDelivery, WebhookEndpoint, WebhookMessage } from './webhook.entity.js';
import { type Attempt, WebhookSender } from './webhook-sender.js';
import { Webhooks, wireIdOf } from './webhooks.js';

type Tested = Answer<typeof testWebhook>;

/** Sends a `test` message now, once. Throws NOT_FOUND, TOO_MANY_REQUESTS. */
export class TestWebhook extends Command<Tested> {
  constructor(
    readonly familyId: number,
    readonly id: number,
  ) {
    super();
  }
}

@CommandHandler(TestWebhook)
export class TestWebhookHandler implements ICommandHandler<TestWebhook> {
  constructor(
    private readonly em: EntityManager,
    private readonly webhooks: Webhooks,
    private readonly sender: WebhookSender,
    private readonly limits: RateLimits,
    private readonly clock: Clock,
  ) {}

  async execute({ familyId, id }: TestWebhook): Promise<Tested> {
    const endpoint = await this.webhooks.find(familyId, id);
    await this.limits.take('webhookTests', String(familyId));
    const happenedAt = this.clock.now();
    const messageId = uuid7();
    const data = { webhookId: id };
    const result = await this.sender.send(endpoint, { id: wireIdOf(messageId), type: 'test', data, happenedAt });
    const message = { id: messageId, familyId, type: 'test' as const, subject: 'test', data, happenedAt };
    await this.em.fork().transactional(async (em) => {
      // It works again: what it failed before is no reason to pause it.
      if (result.failure === null)
        await em.nativeUpdate(WebhookEndpoint, { id, failingSince: { $ne: null } }, { failingSince: null });
      await log(em, { endpointId: id, message }, result);
    });
    const { failure, httpStatus, milliseconds, answer } = result;
    return { delivered: failure === null, failure, httpStatus, milliseconds, answer };
  }
}

type Logged = {
  endpointId: number;
  message: Pick<WebhookMessage, 'id' | 'familyId' | 'type' | 'subject' | 'data' | 'happenedAt'>;
};

/** In the log it is a delivery like the others, and may be sent again. Nothing if the endpoint was deleted meanwhile. */
async function log(em: EntityManager, { endpointId, message }: Logged, result: Attempt): Promise<void> {
  const { id: messageId, familyId, type, subject, happenedAt } = message;
  if ((await em.count(WebhookEndpoint, { id: endpointId })) === 0) return;
  await em.insert(WebhookMessage, message);
  await em.insert(WebhookDelivery, {
    messageId,
    endpointId,
    familyId,
    type,
    subject,
    state: result.failure === null ? 'delivered' : 'failed',
    attempts: 1,
    firstTriedAt: happenedAt,
    lastTriedAt: raw('now()'),
    ...result,
  });
}
