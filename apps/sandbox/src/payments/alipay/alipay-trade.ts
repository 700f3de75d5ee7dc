import { randomInt } from 'node:crypto';

import { readSpacedTime, spacedTime } from '../beijing-time.js';
import { isExpired, refunded, type Trade } from '../trade.js';
import { readYuan } from '../yuan.js';
import { AlipayError } from './alipay-error.js';
import type { Business, Parameters } from './alipay-request.js';

const MINUTE = 60_000;
const UNITS = { m: MINUTE, h: 60 * MINUTE, d: 24 * 60 * MINUTE } as const;

/** How long a trade may be paid when nothing is said. */
const LONGEST = 15 * UNITS.d;

/** fen: a hundred million yuan */
const MOST = 10_000_000_000;

/** Reads what a page payment asks for into the trade that it makes. Throws AlipayError. */
export function readPagePay(business: Business, parameters: Parameters): Trade {
  const now = Date.now();
  const orderNo = business.needed('out_trade_no', /^\w{1,64}$/);
  const subject = business.needed('subject', /^[^/=&]{1,256}$/);
  business.needed('product_code', /^FAST_INSTANT_TRADE_PAY$/);
  const amount = payable(business.amount('total_amount'));
  const notifyUrl = address(parameters, 'notify_url');
  const returnUrl = address(parameters, 'return_url');
  const body = business.text('body', 128);
  const passback = business.text('passback_params', 512);
  return {
    gateway: 'alipay',
    orderNo,
    tradeNo: `${spacedTime(now).replaceAll(/\D/g, '').slice(0, 8)}2200${String(now)}${String(randomInt(1000, 10_000))}`,
    wallet: 'alipay',
    subject,
    amount,
    notifyUrl,
    returnUrl,
    createdAt: now,
    expiresAt: expiry(business, now),
    state: 'waiting',
    paidAt: null,
    closedAt: null,
    terms: JSON.stringify([subject, amount, body]),
    echo: { ...(body && { body }), ...(passback && { passback_params: passback }) },
    refunds: [],
    notifications: [],
  };
}

/** fen. Throws AlipayError for what is no amount, or none that can be paid. */
export function payable(text: string): number {
  const fen = readYuan(text);
  if (fen === null) throw new AlipayError('ACQ.INVALID_PARAMETER', `金额 ${text}`);
  if (fen < 1 || fen > MOST) throw new AlipayError('ACQ.TOTAL_FEE_EXCEED');
  return fen;
}

function address(parameters: Parameters, name: string): string | null {
  const value = parameters.get(name)?.toString('utf8') ?? '';
  if (value === '') return null;
  if (!/^https?:$/.test(URL.parse(value)?.protocol ?? '')) throw new AlipayError('isv.invalid-parameter', name);
  return value;
}

/** `time_expire` counts; `timeout_express` is how it was said before. */
function expiry(business: Business, now: number): number {
  const [end, span] = [business.text('time_expire', 32), business.text('timeout_express', 6)];
  if (end !== '') {
    const time = readSpacedTime(end);
    if (time === null || time <= now) throw new AlipayError('ACQ.INVALID_PARAMETER', `time_expire ${end}`);
    return time;
  }
  if (span === '') return now + LONGEST;
  const [, count = '', unit = ''] = /^([1-9]\d{0,3})([mhd])$/.exec(span) ?? [];
  if (unit === '') throw new AlipayError('ACQ.INVALID_PARAMETER', `timeout_express ${span}`);
  return now + Number(count) * UNITS[unit as keyof typeof UNITS];
}

/** A trade whose time is over is closed by itself; so is one that was given back whole. */
export function tradeStatus(trade: Trade): 'WAIT_BUYER_PAY' | 'TRADE_CLOSED' | 'TRADE_SUCCESS' {
  if (trade.state === 'closed' || isExpired(trade)) return 'TRADE_CLOSED';
  if (trade.state === 'waiting') return 'WAIT_BUYER_PAY';
  return refunded(trade) === trade.amount ? 'TRADE_CLOSED' : 'TRADE_SUCCESS';
}
