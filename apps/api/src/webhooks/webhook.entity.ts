import { defineEntity, p } from '@mikro-orm/core';
import type { Language } from '@yiqiao/contracts/envelope';
import type {
  WebhookEvent,
  WebhookFailure,
  WebhookFormat,
  WebhookMessageType,
  WebhookPause,
  WebhookState,
} from '@yiqiao/domain/webhooks';

/** By the name of an event, since when it is subscribed to: ms since 1970. */
export type Subscriptions = Partial<Record<WebhookEvent, number>>;

const endpoint = defineEntity({
  name: 'WebhookEndpoint',
  properties: {
    id: p.bigint('number').primary(),
    familyId: p.bigint('number'),
    name: p.string(),
    sealedUrl: p.text(),
    format: p.string().$type<WebhookFormat>(),
    language: p.string().$type<Language>(),
    events: p.json<Subscriptions>(),
    /** Ours for `standard`, the platform's for a robot. */
    sealedSecret: p.text().strictNullable(),
    /** The one before the last rotation, which signs as well until then. */
    oldSealedSecret: p.text().strictNullable(),
    oldSecretUntil: p.datetime().strictNullable(),
    enabled: p.boolean(),
    /** Nothing was delivered since. */
    failingSince: p.datetime().strictNullable(),
    pausedAt: p.datetime().strictNullable(),
    pauseReason: p.string().$type<WebhookPause>().strictNullable(),
    createdAt: p.datetime().defaultRaw('now()'),
  },
});

/** Where a family's messages go. */
export class WebhookEndpoint extends endpoint.class {}
endpoint.setClass(WebhookEndpoint);

const message = defineEntity({
  name: 'WebhookMessage',
  properties: {
    id: p.uuid().primary(),
    familyId: p.bigint('number'),
    type: p.string().$type<WebhookMessageType>(),
    /** Messages about the same subject are delivered in order. */
    subject: p.string(),
    data: p.json<Record<string, unknown>>(),
    happenedAt: p.datetime(),
    createdAt: p.datetime().defaultRaw('now()'),
  },
});

/** What happened, as it is told to every endpoint. */
export class WebhookMessage extends message.class {}
message.setClass(WebhookMessage);

const delivery = defineEntity({
  name: 'WebhookDelivery',
  properties: {
    id: p.bigint('number').primary(),
    messageId: p.uuid(),
    endpointId: p.bigint('number'),
    familyId: p.bigint('number'),
    type: p.string().$type<WebhookMessageType>(),
    subject: p.string(),
    state: p.string().$type<WebhookState>(),
    attempts: p.integer().defaultRaw('0'),
    firstTriedAt: p.datetime().strictNullable(),
    lastTriedAt: p.datetime().strictNullable(),
    /** So long an attempt is under way, unless its process has died. */
    leasedUntil: p.datetime().strictNullable(),
    /** Null: not before its endpoint is resumed, or never again. */
    nextAt: p.datetime().strictNullable(),
    httpStatus: p.integer().strictNullable(),
    milliseconds: p.integer().strictNullable(),
    failure: p.string().$type<WebhookFailure>().strictNullable(),
    answer: p.text().strictNullable(),
    createdAt: p.datetime().defaultRaw('now()'),
  },
});

/** One message on its way to one endpoint. */
export class WebhookDelivery extends delivery.class {}
delivery.setClass(WebhookDelivery);
