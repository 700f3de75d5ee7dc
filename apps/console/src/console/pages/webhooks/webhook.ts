import type { Response } from '@yiqiao/contracts/endpoint';
import type { listWebhookDeliveries, listWebhooks, testWebhook } from '@yiqiao/contracts/webhooks';
import { WEBHOOK_EVENTS } from '@yiqiao/domain/webhooks';
import { language } from '../../../shared/i18n/language.js';
import { messagesOf } from '../../../shared/i18n/messages.js';

export type Webhook = Response<typeof listWebhooks>['rows'][number];
export type Delivery = Response<typeof listWebhookDeliveries>['rows'][number];
export type TestResult = Response<typeof testWebhook>;

/** The tasks of the page; each has its own dialog. `rotated`: the secret replaces another one. */
export type Task =
  | { kind: 'add' }
  | { kind: 'edit' | 'remove' | 'rotate' | 'log'; webhook: Webhook }
  | { kind: 'secret'; secret: string; rotated: boolean }
  | { kind: 'tested'; webhook: Webhook; result: TestResult };

export const typeName = (type: Delivery['type']): string =>
  type === 'test' ? messagesOf('webhooks')('typeTest') : WEBHOOK_EVENTS[type][language];

/** What the list shows of an endpoint's state; the worst of it first. */
export const stateOf = (webhook: Webhook): 'paused' | 'off' | 'failing' | 'on' => {
  if (webhook.pausedDateTime !== null) return 'paused';
  if (webhook.enabled === 0) return 'off';
  return webhook.failingSinceDateTime === null ? 'on' : 'failing';
};
