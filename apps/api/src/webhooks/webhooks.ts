import { EntityManager, LockMode } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import type { Answer } from '@yiqiao/contracts/endpoint';
import type { listWebhookDeliveries, listWebhooks } from '@yiqiao/contracts/webhooks';
import { Refusal } from '@yiqiao/domain/errors';
import { WEBHOOK_EVENTS, type WebhookEvent } from '@yiqiao/domain/webhooks';
import { Clock } from '../platform/clock.js';
import { WebhookSecrets } from './secrets.js';
import { type WebhookDelivery, WebhookEndpoint } from './webhook.entity.js';

export type WebhookRow = Answer<typeof listWebhooks>['rows'][number];
export type DeliveryRow = Answer<typeof listWebhookDeliveries>['rows'][number];

const EVENTS = Object.keys(WEBHOOK_EVENTS) as WebhookEvent[];

/** The webhooks of families, in the shape of the contract. Every reader names the family. */
@Injectable()
export class Webhooks {
  constructor(
    private readonly em: EntityManager,
    private readonly secrets: WebhookSecrets,
    private readonly clock: Clock,
  ) {}

  /** Throws NOT_FOUND, also for another family's. */
  async find(familyId: number, id: number): Promise<WebhookEndpoint> {
    const endpoint = await this.em.fork().findOne(WebhookEndpoint, { id, familyId });
    if (!endpoint) throw new Refusal('NOT_FOUND');
    return endpoint;
  }

  /** The same, locked until the caller's transaction ends. Lock order: endpoint, its deliveries. */
  async lock(em: EntityManager, familyId: number, id: number): Promise<WebhookEndpoint> {
    const endpoint = await em.findOne(
      WebhookEndpoint,
      { id, familyId },
      { lockMode: LockMode.PESSIMISTIC_WRITE, refresh: true },
    );
    if (!endpoint) throw new Refusal('NOT_FOUND');
    return endpoint;
  }

  rowOf(endpoint: WebhookEndpoint): WebhookRow {
    const { format, sealedSecret, oldSecretUntil } = endpoint;
    const now = this.clock.now();
    return {
      id: endpoint.id,
      name: endpoint.name,
      url: this.secrets.unseal(endpoint.sealedUrl) ?? '',
      events: EVENTS.filter((event) => endpoint.events[event] !== undefined),
      format,
      language: endpoint.language,
      enabled: endpoint.enabled ? 1 : 0,
      hasSignSecret: format !== 'standard' && sealedSecret !== null ? 1 : 0,
      pausedDateTime: this.#wire(endpoint.pausedAt),
      pauseReason: endpoint.pauseReason,
      failingSinceDateTime: this.#wire(endpoint.failingSince),
      oldSecretUntilDateTime: oldSecretUntil !== null && oldSecretUntil > now ? this.#wire(oldSecretUntil) : null,
      createDateTime: this.clock.toWire(endpoint.createdAt),
    };
  }

  deliveryOf(delivery: WebhookDelivery): DeliveryRow {
    return {
      id: delivery.id,
      messageId: wireIdOf(delivery.messageId),
      type: delivery.type,
      state: delivery.state,
      attempts: delivery.attempts,
      httpStatus: delivery.httpStatus,
      milliseconds: delivery.milliseconds,
      failure: delivery.failure,
      answer: delivery.answer,
      lastDateTime: this.#wire(delivery.lastTriedAt),
      nextDateTime: this.#wire(delivery.nextAt),
      createDateTime: this.clock.toWire(delivery.createdAt),
    };
  }

  #wire(date: Date | null): string | null {
    return date === null ? null : this.clock.toWire(date);
  }
}

/** The `webhook-id` of a message. */
export const wireIdOf = (messageId: string): string => `msg_${messageId.replaceAll('-', '')}`;
