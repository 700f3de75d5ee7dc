import type { KeyObject } from 'node:crypto';
import { isSignedBy, signed } from '../rsa-signature.js';

/** What of a request is signed. `target`: the path and the query of its URL, as they are sent. */
export type SignedRequest = { method: string; target: string; body: string };
/** `timestamp` in seconds. */
export type Moment = { timestamp: string; nonce: string };
export type Merchant = { mchId: string; serial: string; privateKey: KeyObject };

export const requestMessage = ({ method, target, body }: SignedRequest, { timestamp, nonce }: Moment): string =>
  [method, target, timestamp, nonce, body, ''].join('\n');

/** The Authorization header of a request. */
export function authorization(request: SignedRequest, merchant: Merchant, at: Moment): string {
  const fields = {
    mchid: merchant.mchId,
    nonce_str: at.nonce,
    timestamp: at.timestamp,
    serial_no: merchant.serial,
    signature: signed('RSA-SHA256', requestMessage(request, at), merchant.privateKey),
  };
  const list = Object.entries(fields).map(([name, value]) => `${name}="${value}"`);
  return `WECHATPAY2-SHA256-RSA2048 ${list.join(',')}`;
}

/** Which of WeChat Pay's keys has this serial: a platform certificate's, or the id of its public key. Null for a stranger's. */
export type PlatformKeys = { find(serial: string): Promise<KeyObject | null> };

/** An answer or a notification: `header` knows names in lower case, `body` is what came, byte by byte. */
export type SignedMessage = { header: (name: string) => string | undefined; body: Buffer };

const WINDOW_SECONDS = 300;

/** Null when WeChat Pay signed the message, and did so just now; otherwise why it is not believed. */
export async function whyNotBelieved(
  { header, body }: SignedMessage,
  keys: PlatformKeys,
  nowMs: number,
): Promise<string | null> {
  const [timestamp, nonce, serial, signature] = ['timestamp', 'nonce', 'serial', 'signature'].map(
    (name) => header(`wechatpay-${name}`) ?? '',
  );
  if (!timestamp || !nonce || !serial || !signature) return 'it is not signed';
  // WeChat Pay tries its merchants with signatures that must be refused; they are no base64 either.
  if (signature.startsWith('WECHATPAY/SIGNTEST/')) return 'the signature is a probe';
  if (!/^\d{1,12}$/.test(timestamp) || Math.abs(nowMs / 1000 - Number(timestamp)) > WINDOW_SECONDS)
    return 'its time is not now';
  const key = await keys.find(serial);
  if (!key) return 'the key is unknown';
  const message = Buffer.concat([Buffer.from(`${timestamp}\n${nonce}\n`), body, Buffer.from('\n')]);
  return isSignedBy(key, 'RSA-SHA256', message, signature) ? null : 'the signature is wrong';
}
