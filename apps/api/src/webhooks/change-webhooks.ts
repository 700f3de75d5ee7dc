import { EntityManager, raw } from '@mikro-orm/postgresql';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { Answer } from '@yiqiao/contracts/endpoint';
import type { deleteWebhook, resendWebhookDelivery } from '@yiqiao/contracts/webhooks';
import { Refusal } from '@yiqiao/domain/errors';
import { RateLimits } from '../platform/rate-limits.js';
import { WebhookDelivery, WebhookEndpoint } from './webhook.entity.js';
import { type DeliveryRow, type WebhookRow, Webhooks } from './webhooks.js';

/** A delivery with all its attempts before it. */
const NEVER_TRIED = {
  attempts: 0,
  firstTriedAt: null,
  httpStatus: null,
  milliseconds: null,
  failure: null,
  answer: null,
};

/** Deletes endpoints with their logs, all or none. Throws NOT_FOUND. */
export class DeleteWebhooks extends Command<Answer<typeof deleteWebhook>> {
  constructor(
    readonly familyId: number,
    readonly ids: readonly number[],
  ) {
    super();
  }
}

@CommandHandler(DeleteWebhooks)
export class DeleteWebhooksHandler implements ICommandHandler<DeleteWebhooks> {
  constructor(private readonly em: EntityManager) {}

  async execute({ familyId, ids }: DeleteWebhooks): Promise<Answer<typeof deleteWebhook>> {
    const wanted = [...new Set(ids)];
    const count = await this.em.fork().transactional(async (em) => {
      const deleted = await em.nativeDelete(WebhookEndpoint, { familyId, id: { $in: wanted } });
      if (deleted !== wanted.length) throw new Refusal('NOT_FOUND');
      return deleted;
    });
    return { count };
  }
}

/** Ends a pause. Throws NOT_FOUND. */
export class ResumeWebhook extends Command<WebhookRow> {
  constructor(
    readonly familyId: number,
    readonly id: number,
  ) {
    super();
  }
}

@CommandHandler(ResumeWebhook)
export class ResumeWebhookHandler implements ICommandHandler<ResumeWebhook> {
  constructor(
    private readonly em: EntityManager,
    private readonly webhooks: Webhooks,
  ) {}

  execute({ familyId, id }: ResumeWebhook): Promise<WebhookRow> {
    return this.em.fork().transactional(async (em) => {
      const endpoint = await this.webhooks.lock(em, familyId, id);
      const wasPaused = endpoint.pausedAt !== null;
      Object.assign(endpoint, { pausedAt: null, pauseReason: null, failingSince: null });
      await em.flush();
      // As if they had never been tried: in order, with all their attempts.
      if (wasPaused)
        await em.nativeUpdate(
          WebhookDelivery,
          { endpointId: id, state: 'waiting' },
          { ...NEVER_TRIED, nextAt: raw('now()') },
        );
      return this.webhooks.rowOf(endpoint);
    });
  }
}

/** Sends a message once more. Throws NOT_FOUND, WEBHOOK_STOPPED, TOO_MANY_REQUESTS. */
export class ResendWebhook extends Command<Answer<typeof resendWebhookDelivery>> {
  constructor(
    readonly familyId: number,
    readonly id: number,
  ) {
    super();
  }
}

@CommandHandler(ResendWebhook)
export class ResendWebhookHandler implements ICommandHandler<ResendWebhook> {
  constructor(
    private readonly em: EntityManager,
    private readonly webhooks: Webhooks,
    private readonly limits: RateLimits,
  ) {}

  async execute({ familyId, id }: ResendWebhook): Promise<DeliveryRow> {
    await this.limits.take('webhookResends', String(familyId));
    return this.em.fork().transactional(async (em) => {
      const found = await em.findOne(WebhookDelivery, { id, familyId }, { disableIdentityMap: true });
      if (!found) throw new Refusal('NOT_FOUND');
      const { enabled, pausedAt } = await this.webhooks.lock(em, familyId, found.endpointId);
      if (!enabled || pausedAt !== null) throw new Refusal('WEBHOOK_STOPPED');
      // An attempt under way goes on: its lease keeps a second one from starting beside it.
      const again = { state: 'waiting' as const, nextAt: raw('now()') };
      const fresh = found.state === 'waiting' ? {} : NEVER_TRIED;
      await em.nativeUpdate(WebhookDelivery, { id }, { ...again, ...fresh });
      const sent = await em.findOneOrFail(WebhookDelivery, { id }, { disableIdentityMap: true });
      return this.webhooks.deliveryOf(sent);
    });
  }
}
