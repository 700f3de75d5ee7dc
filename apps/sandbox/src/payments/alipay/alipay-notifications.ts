import { spacedTime } from '../beijing-time.js';
import type { Tampering, Message } from '../gateway.js';
import type { AlipayKeys } from '../gateway-keys.js';
import { sign, tamperedSignature } from '../rsa.js';
import { refunded, type Notification, type Trade } from '../trade.js';
import { yuan } from '../yuan.js';
import { BUYER } from './alipay-calls.js';

/** The signed form that tells of an event. */
export function alipayNotification(
  trade: Trade,
  notification: Notification,
  { keys, amount, signature }: Tampering & { keys: AlipayKeys },
): Message {
  const refund = trade.refunds.find(({ no }) => no === notification.refund);
  const total = yuan(amount);
  const fields: Record<string, string> = {
    gmt_create: spacedTime(trade.createdAt),
    charset: 'utf-8',
    gmt_payment: spacedTime(trade.paidAt ?? trade.createdAt),
    notify_time: spacedTime(Date.now()),
    subject: trade.subject,
    buyer_id: BUYER.id,
    invoice_amount: total,
    version: '1.0',
    notify_id: notification.id.replaceAll('-', ''),
    fund_bill_list: JSON.stringify([{ amount: total, fundChannel: 'ALIPAYACCOUNT' }]),
    notify_type: 'trade_status_sync',
    out_trade_no: trade.orderNo,
    total_amount: total,
    trade_status: refund && refunded(trade) === trade.amount ? 'TRADE_CLOSED' : 'TRADE_SUCCESS',
    trade_no: trade.tradeNo,
    auth_app_id: keys.appId,
    receipt_amount: total,
    point_amount: '0.00',
    buyer_pay_amount: total,
    app_id: keys.appId,
    seller_id: keys.sellerId,
    ...trade.echo,
  };
  if (refund) {
    fields['gmt_refund'] = `${spacedTime(refund.at)}.000`;
    fields['refund_fee'] = yuan(refunded(trade));
    fields['out_biz_no'] = refund.no;
  }
  return {
    headers: { 'content-type': 'application/x-www-form-urlencoded; charset=utf-8', 'user-agent': 'Mozilla/4.0' },
    body: new URLSearchParams(signedFields(fields, { keys, signature })).toString(),
  };
}

/** The address the buyer is led back to, with what the gateway adds to it. It proves nothing and is signed all the same. */
export function alipayReturn(trade: Trade, keys: AlipayKeys): string | null {
  if (trade.returnUrl === null) return null;
  const fields = {
    charset: 'utf-8',
    out_trade_no: trade.orderNo,
    method: 'alipay.trade.page.pay.return',
    total_amount: yuan(trade.amount),
    trade_no: trade.tradeNo,
    auth_app_id: keys.appId,
    version: '1.0',
    app_id: keys.appId,
    seller_id: keys.sellerId,
    timestamp: spacedTime(Date.now()),
  };
  const url = new URL(trade.returnUrl);
  const all = signedFields(fields, { keys, signature: 'right' });
  for (const [name, value] of Object.entries(all)) url.searchParams.append(name, value);
  return url.href;
}

function signedFields(
  fields: Readonly<Record<string, string>>,
  { keys, signature }: Pick<Tampering, 'signature'> & { keys: AlipayKeys },
): Record<string, string> {
  const joined = Object.keys(fields)
    .sort()
    .map((name) => `${name}=${fields[name] ?? ''}`)
    .join('&');
  const right = sign('RSA-SHA256', joined, keys.privateKey);
  return { ...fields, sign_type: 'RSA2', sign: signature === 'wrong' ? tamperedSignature(right) : right };
}
