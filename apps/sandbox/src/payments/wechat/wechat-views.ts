import { createCipheriv, randomBytes } from 'node:crypto';
import { zonedTime } from '../beijing-time.js';
import type { WechatKeys } from '../gateway-keys.js';
import { refunded, type Refund, type Trade, type Notification } from '../trade.js';
import type { Tampering, NotificationMessage } from '../gateway.js';
import { signatureHeaders } from './wechat-signature.js';

const OPEN_ID = 'oSandboxBuyer0000000000000000';

/** A trade in query responses and notifications. `amount`: the reported amount in fen. */
export function transactionView(trade: Trade, { keys, amount }: { keys: WechatKeys; amount: number }) {
  const paid = trade.state === 'paid';
  const state = stateOf(trade);
  return {
    mchid: keys.mchId,
    appid: keys.appId,
    out_trade_no: trade.orderNo,
    ...(paid ? { transaction_id: trade.tradeNo, trade_type: 'NATIVE' } : {}),
    trade_state: state.code,
    trade_state_desc: state.words,
    ...(paid ? { bank_type: 'OTHERS', success_time: zonedTime(trade.paidAt ?? 0), payer: { openid: OPEN_ID } } : {}),
    attach: trade.echo['attach'] ?? '',
    amount: paid
      ? { total: amount, payer_total: amount, currency: 'CNY', payer_currency: 'CNY' }
      : { total: amount, currency: 'CNY' },
  };
}

function stateOf(trade: Trade): { code: string; words: string } {
  if (trade.state === 'closed') return { code: 'CLOSED', words: '订单已关闭' };
  if (trade.state === 'waiting') return { code: 'NOTPAY', words: '订单未支付' };
  return refunded(trade) > 0 ? { code: 'REFUND', words: '订单发生过退款' } : { code: 'SUCCESS', words: '支付成功' };
}

/** A refund as the gateway reports it: accepted first, then successful, as at the real gateway. */
export function refundView(trade: Trade, { refund, status }: { refund: Refund; status: 'PROCESSING' | 'SUCCESS' }) {
  const done = status === 'SUCCESS' ? { success_time: zonedTime(refund.at) } : {};
  return {
    refund_id: refund.refundNo,
    out_refund_no: refund.no,
    transaction_id: trade.tradeNo,
    out_trade_no: trade.orderNo,
    channel: 'ORIGINAL',
    user_received_account: '支付用户零钱',
    ...done,
    create_time: zonedTime(refund.at),
    status,
    funds_account: 'AVAILABLE',
    amount: amounts(trade, refund),
  };
}

/** The content of a refund notification. */
export function refundNotice(trade: Trade, { refund, keys }: { refund: Refund; keys: WechatKeys }) {
  const { total, payer_total, payer_refund } = amounts(trade, refund);
  return {
    mchid: keys.mchId,
    out_trade_no: trade.orderNo,
    transaction_id: trade.tradeNo,
    out_refund_no: refund.no,
    refund_id: refund.refundNo,
    refund_status: 'SUCCESS',
    success_time: zonedTime(refund.at),
    user_received_account: '支付用户零钱',
    amount: { total, refund: refund.amount, payer_total, payer_refund },
  };
}

function amounts(trade: Trade, refund: Refund) {
  return {
    total: trade.amount,
    refund: refund.amount,
    payer_total: trade.amount,
    payer_refund: refund.amount,
    settlement_refund: refund.amount,
    settlement_total: trade.amount,
    discount_refund: 0,
    currency: 'CNY',
  };
}

/** The encrypted and signed notification of an event. `serial`: the key that signs it. */
export function wechatNotification(
  trade: Trade,
  notification: Notification,
  { keys, serial, amount, signature }: Tampering & { keys: WechatKeys; serial: string },
): NotificationMessage {
  const refund = trade.refunds.find(({ no }) => no === notification.refund);
  const [kind, plain] = refund
    ? (['refund', refundNotice(trade, { refund, keys })] as const)
    : // Reports the payment without later refunds.
      (['transaction', transactionView({ ...trade, refunds: [] }, { keys, amount })] as const);
  const body = JSON.stringify({
    id: notification.id,
    create_time: zonedTime(notification.createdAt),
    resource_type: 'encrypt-resource',
    event_type: refund ? 'REFUND.SUCCESS' : 'TRANSACTION.SUCCESS',
    summary: refund ? '退款成功' : '支付成功',
    resource: { original_type: kind, ...encrypt(JSON.stringify(plain), { key: keys.v3Key, associated: kind }) },
  });
  const headers = signatureHeaders(body, { privateKey: keys.privateKey, serial, signature });
  return { headers: { 'content-type': 'application/json', 'user-agent': 'Mozilla/4.0', ...headers }, body };
}

/** AES-256-GCM with the merchant's APIv3 key; the tag follows the ciphertext. */
export function encrypt(plain: string, { key, associated }: { key: string; associated: string }) {
  const nonce = randomBytes(9).toString('base64url');
  const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(associated));
  const ciphertext = Buffer.concat([cipher.update(plain), cipher.final(), cipher.getAuthTag()]).toString('base64');
  return { algorithm: 'AEAD_AES_256_GCM', ciphertext, associated_data: associated, nonce };
}
