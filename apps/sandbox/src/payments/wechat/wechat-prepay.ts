import { randomInt } from 'node:crypto';

import { readZonedTime } from '../beijing-time.js';
import type { WechatKeys } from '../gateway-keys.js';
import type { Trade } from '../trade.js';
import { WechatError } from './wechat-error.js';

export type Json = Readonly<Record<string, unknown>>;

const MINUTE = 60_000;

/** How long a trade without `time_expire` may be paid: seven days. */
const LONGEST = 7 * 24 * 60 * MINUTE;

/** Reads a prepay request into the trade it asks for. Throws WechatError naming the wrong field. */
export function readPrepay(body: Json, keys: WechatKeys): Trade {
  const now = Date.now();
  const mchid = text(body, 'mchid', { most: 32 });
  const appid = text(body, 'appid', { most: 32 });
  const subject = text(body, 'description', { most: 127 });
  const orderNo = text(body, 'out_trade_no', { most: 32, like: /^[\w\-|*]{6,32}$/ });
  const notifyUrl = readUrl(text(body, 'notify_url', { most: 255 }));
  const attach = body['attach'] === undefined ? '' : text(body, 'attach', { most: 128 });
  const amount = readAmount(body['amount']);
  if (mchid !== keys.mchId) throw new WechatError('MCH_NOT_EXISTS');
  if (appid !== keys.appId) throw new WechatError('APPID_MCHID_NOT_MATCH');
  return {
    gateway: 'wechat',
    orderNo,
    tradeNo: `42000${String(randomInt(100_000, 1_000_000))}${String(now)}${String(randomInt(1000, 10_000))}`,
    wallet: 'wechat',
    subject,
    amount,
    notifyUrl,
    returnUrl: null,
    createdAt: now,
    expiresAt: readExpiry(body, now),
    state: 'waiting',
    paidAt: null,
    closedAt: null,
    terms: JSON.stringify([appid, subject, notifyUrl, attach, amount]),
    echo: { attach },
    refunds: [],
    notifications: [],
  };
}

/** A text field of the body that has to be there. */
export function text(body: Json, name: string, { most, like }: { most: number; like?: RegExp }): string {
  const value = body[name];
  if (typeof value !== 'string' || value === '') throw new WechatError('PARAM_ERROR', { name, issue: '必填' });
  if (value.length > most) throw new WechatError('PARAM_ERROR', { name, issue: `长度超过 ${most}` });
  if (like && !like.test(value)) throw new WechatError('PARAM_ERROR', { name, issue: '格式错误' });
  return value;
}

function readAmount(value: unknown): number {
  if (!isJson(value)) throw new WechatError('PARAM_ERROR', { name: 'amount', issue: '必填' });
  if (value['currency'] !== undefined && value['currency'] !== 'CNY') {
    throw new WechatError('PARAM_ERROR', { name: 'amount/currency', issue: '只支持 CNY' });
  }
  return fen(value, 'total');
}

/** A positive amount in fen among the fields of `amount`. */
export function fen(amount: Json, name: string): number {
  const value = amount[name];
  if (typeof value !== 'number' || !Number.isSafeInteger(value) || value < 1) {
    throw new WechatError('PARAM_ERROR', { name: `amount/${name}`, issue: '必须是大于 0 的整数，单位为分' });
  }
  return value;
}

/** Anything that `JSON.parse` answers for an object. */
export function isJson(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** An absolute address without query. The real gateway wants https; here the merchant is a program on the same machine. */
export function readUrl(value: string): string {
  const url = URL.parse(value);
  const issue = '必须是不带参数的完整网址';
  if (!url || !/^https?:$/.test(url.protocol) || url.search !== '' || url.hash !== '') {
    throw new WechatError('PARAM_ERROR', { name: 'notify_url', issue });
  }
  return value;
}

function readExpiry(body: Json, now: number): number {
  if (body['time_expire'] === undefined) return now + LONGEST;
  const time = readZonedTime(text(body, 'time_expire', { most: 64 }));
  if (time === null) throw new WechatError('PARAM_ERROR', { name: 'time_expire', issue: '不是 RFC3339 时间' });
  if (time < now + MINUTE) throw new WechatError('PARAM_ERROR', { name: 'time_expire', issue: '距现在不足 1 分钟' });
  return time;
}
