import { createCipheriv, randomBytes } from 'node:crypto';

import { zonedTime } from '../beijing-time.js';
import type { Disguise, Message } from '../gateway.js';
import type { WechatKeys } from '../gateway-keys.js';
import type { Notification, Trade } from '../trade.js';
import { vouchingHeaders } from './wechat-signature.js';
import { refundNotice, transactionView } from './wechat-views.js';

/** The encrypted and signed message of an event. `serial`: the name of the key it is signed with. */
export function wechatNotice(
  trade: Trade,
  notification: Notification,
  { keys, serial, amount, signature }: Disguise & { keys: WechatKeys; serial: string },
): Message {
  const refund = trade.refunds.find(({ no }) => no === notification.refund);
  const [kind, plain] = refund
    ? (['refund', refundNotice(trade, { refund, keys })] as const)
    : // It tells of the payment as it happened, whatever has been given back since.
      (['transaction', transactionView({ ...trade, refunds: [] }, { keys, amount })] as const);
  const body = JSON.stringify({
    id: notification.id,
    create_time: zonedTime(notification.createdAt),
    resource_type: 'encrypt-resource',
    event_type: refund ? 'REFUND.SUCCESS' : 'TRANSACTION.SUCCESS',
    summary: refund ? '退款成功' : '支付成功',
    resource: { original_type: kind, ...sealed(JSON.stringify(plain), { key: keys.v3Key, associated: kind }) },
  });
  const headers = vouchingHeaders(body, { privateKey: keys.privateKey, serial, signature });
  return { headers: { 'content-type': 'application/json', 'user-agent': 'Mozilla/4.0', ...headers }, body };
}

/** AES-256-GCM with the merchant's APIv3 key; the tag follows the ciphertext. */
export function sealed(plain: string, { key, associated }: { key: string; associated: string }) {
  const nonce = randomBytes(9).toString('base64url');
  const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(associated));
  const ciphertext = Buffer.concat([cipher.update(plain), cipher.final(), cipher.getAuthTag()]).toString('base64');
  return { algorithm: 'AEAD_AES_256_GCM', ciphertext, associated_data: associated, nonce };
}
