import type { WebhookMessageType } from '@yiqiao/domain/webhooks';

/** The `data` of each message: part of the product's interface. Money is integer fen, times are ISO 8601 in UTC. */
export type MessageData = {
  'order.paid': {
    orderId: number;
    orderNo: string;
    userId: number;
    packageName: { zh: string; en: string };
    quantity: number;
    amount: number;
    currency: 'CNY';
    paidAt: string;
  };
  /** `refundAmount`: of this refund; `refundedTotal`: of all so far, `amount`: of the order. */
  'order.refunded': {
    orderId: number;
    orderNo: string;
    userId: number;
    refundNo: string | null;
    refundAmount: number;
    refundedTotal: number;
    amount: number;
    currency: 'CNY';
    refundedAt: string;
  };
  'quota.low': { userId: number; charNum: number; threshold: number };
  'quota.exhausted': { userId: number };
  'package.expiring': { userId: number; expireAt: string };
  /** `apiKeyPrefix`: the readable beginning of the secret. Name and prefix are those of that moment. */
  'key.capped': {
    apiKeyId: number;
    apiKeyName: string;
    apiKeyPrefix: string;
    userId: number;
    period: 'day' | 'month';
    cap: number;
    renewsAt: string;
  };
  'glossary.imported': { added: number; changed: number; unchanged: number; removed: number };
  test: { webhookId: number };
};

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
