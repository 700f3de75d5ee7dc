import type { MessageData } from '@yiqiao/domain/webhook-messages';
import type { WebhookMessageType } from '@yiqiao/domain/webhooks';

/** A message before it is stored. `key`: names what happened; the same is told once. */
export type NewMessage = {
  [T in WebhookMessageType]: {
    readonly type: T;
    readonly key: string;
    readonly subject: string;
    readonly data: MessageData[T];
    readonly happenedAt: Date;
  };
}[WebhookMessageType];
