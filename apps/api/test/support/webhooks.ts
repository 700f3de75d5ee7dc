import { createHmac } from 'node:crypto';
import { EntityManager } from '@mikro-orm/postgresql';
import { CommandBus } from '@nestjs/cqrs';
import type { Request, Response } from '@yiqiao/contracts/endpoint';
import { listWebhookDeliveries, saveWebhook } from '@yiqiao/contracts/webhooks';
import type { DomainEvent, EventOf } from '@yiqiao/domain/events';
import { Outbox } from '../../src/platform/outbox.js';
import { WatchBalances } from '../../src/members/reminders/watch-balances.js';
import type { TestApi } from './api.js';
import { stubServer, type StubAnswer, type StubRequest } from './stub-server.js';
import type { TestMember } from './test-members.js';
import { waitUntil } from './wait-until.js';

/** Receivers of tests are on this machine. */
export const ON_THIS_MACHINE = { WEBHOOK_ALLOW_PRIVATE: '1', PUBLIC_URL: 'https://yiqiao.example' };

/** Another endpoint's server, whose answers a test sets. */
export type Receiver = {
  url: string;
  asked: StubRequest[];
  /** The bodies received so far. */
  told: () => { type: string; timestamp: string; data: Record<string, unknown> }[];
  answer: (asked: StubRequest) => StubAnswer | Promise<StubAnswer>;
  close: () => Promise<void>;
};

export async function openReceiver(): Promise<Receiver> {
  const server = await stubServer((asked) => receiver.answer(asked));
  const receiver: Receiver = {
    ...server,
    told: () => server.asked.map(({ body }) => JSON.parse(body) as ReturnType<Receiver['told']>[number]),
    answer: () => ({ status: 204 }),
  };
  return receiver;
}

type Form = Request<typeof saveWebhook>;

export const form = (url: string, but: Partial<Form> = {}): Form => ({
  name: '订单系统',
  url,
  format: 'standard',
  language: 'zh',
  events: [
    'order.paid',
    'order.refunded',
    'quota.low',
    'quota.exhausted',
    'package.expiring',
    'key.capped',
    'glossary.imported',
  ],
  enabled: 1,
  ...but,
});

/** An endpoint for everything; with its secret. */
export async function addWebhook(
  who: TestMember,
  url: string,
  but: Partial<Form> = {},
): Promise<{ id: number; secret: string }> {
  const { webhook, secret } = await who.client.call(saveWebhook, form(url, but));
  return { id: webhook.id, secret: secret ?? '' };
}

export type Delivery = Response<typeof listWebhookDeliveries>['rows'][number];

/** The log of an endpoint, newest first. */
export const deliveriesOf = async (who: TestMember, id: number): Promise<Delivery[]> =>
  (await who.client.call(listWebhookDeliveries, { webhookId: String(id), pageSize: '100' })).rows;

/** The log once every delivery has this state. */
export const untilAll = (who: TestMember, id: number, state: Delivery['state'], count = 1): Promise<Delivery[]> =>
  waitUntil(
    () => deliveriesOf(who, id),
    (all) => all.length >= count && all.every((one) => one.state === state),
  );

/** Records an event as its feature does; the worker works it off. */
export const happen = (api: TestApi, event: DomainEvent): Promise<void> =>
  api.app
    .get(EntityManager)
    .fork()
    .transactional((em) => api.app.get(Outbox).record(em, event));

let months = 0;

/** A key of `who` reached its cap; each time another month. */
export const capped = (who: TestMember, apiKeyId = 7, apiKeyName = '店铺'): EventOf<'ApiKeyCapped'> => {
  const { userId } = who.session;
  const renewsAt = Date.UTC(2030, ++months, 1);
  return {
    type: 'ApiKeyCapped',
    apiKeyId,
    apiKeyName,
    apiKeyPrefix: 'yq_ab12cd34',
    familyId: userId,
    userId,
    period: 'month',
    cap: 100_000,
    renewsAt,
    at: Date.now(),
  };
};

/** Looks at the balances now, as a scheduled job does twice a minute. */
export const watchBalances = (api: TestApi): Promise<void> => api.app.get(CommandBus).execute(new WatchBalances());

/** Nobody waits for the pause between two attempts. */
export const retryNow = (api: TestApi, who: TestMember): Promise<unknown> =>
  api.db.query(`UPDATE webhook_delivery SET next_at = now() WHERE family_id = $1 AND state = 'waiting'`, [
    who.session.userId,
  ]);

/** Feishu's and DingTalk's signatures as their documentation computes them. */
export const feishuSign = (secret: string, timestamp: string): string =>
  createHmac('sha256', `${timestamp}\n${secret}`).digest('base64');
export const dingtalkSign = (secret: string, timestamp: string): string =>
  createHmac('sha256', secret).update(`${timestamp}\n${secret}`).digest('base64');
