import { randomBytes } from 'node:crypto';

import { sign, tamperedSignature, verify } from '../rsa.js';

/** Furthest a caller's clock may be away, in seconds. */
const WINDOW = 300;

const SCHEME = 'WECHATPAY2-SHA256-RSA2048';

/** A request as its signature sees it: `url` is path and query exactly as sent. */
export interface SignedRequest {
  readonly method: string;
  readonly url: string;
  readonly body: Buffer;
  readonly authorization: string;
}

/** What the merchant says of itself in the Authorization header. */
export interface Credentials {
  readonly mchid: string;
  readonly nonce: string;
  readonly timestamp: string;
  readonly serial: string;
  readonly signature: string;
}

/** Null for a header that is not of the scheme or lacks something. */
export function readCredentials(authorization: string): Credentials | null {
  if (!authorization.startsWith(`${SCHEME} `)) return null;
  const found = new Map<string, string>();
  for (const field of authorization.slice(SCHEME.length + 1).split(',')) {
    const [, name, value] = /^\s*(\w+)="([^"]*)"\s*$/.exec(field) ?? [];
    if (name === undefined || value === undefined || found.has(name)) return null;
    found.set(name, value);
  }
  const [mchid, nonce, timestamp, serial, signature] = [
    'mchid',
    'nonce_str',
    'timestamp',
    'serial_no',
    'signature',
  ].map((name) => found.get(name));
  if (!mchid || !nonce || !timestamp || !serial || !signature) return null;
  return { mchid, nonce, timestamp, serial, signature };
}

/** Whether the signature is of these bytes. */
export function isSignedBy(publicKey: string, request: SignedRequest): boolean {
  const credentials = readCredentials(request.authorization);
  if (!credentials) return false;
  const head = `${request.method}\n${request.url}\n${credentials.timestamp}\n${credentials.nonce}\n`;
  const bytes = Buffer.concat([Buffer.from(head), request.body, Buffer.from('\n')]);
  return verify('RSA-SHA256', bytes, { key: publicKey, signature: credentials.signature });
}

/** Seconds since 1970 as digits, and near enough to now. */
export function isFresh(timestamp: string, now = Date.now()): boolean {
  return /^\d{1,12}$/.test(timestamp) && Math.abs(now / 1000 - Number(timestamp)) <= WINDOW;
}

/** The headers that vouch for an answer or a notification; `body` is what is sent, '' for none. */
export function vouchingHeaders(
  body: string,
  by: { readonly privateKey: string; readonly serial: string; readonly signature: 'right' | 'wrong' },
): Record<string, string> {
  const timestamp = String(Math.floor(Date.now() / 1000));
  const nonce = randomBytes(16).toString('hex');
  const signature = sign('RSA-SHA256', `${timestamp}\n${nonce}\n${body}\n`, by.privateKey);
  return {
    'wechatpay-timestamp': timestamp,
    'wechatpay-nonce': nonce,
    'wechatpay-serial': by.serial,
    'wechatpay-signature-type': SCHEME,
    'wechatpay-signature': by.signature === 'wrong' ? tamperedSignature(signature) : signature,
  };
}

/** Nonces seen within the time in which their requests would still be fresh: a repeated request is refused. */
export class Nonces {
  readonly #seen = new Map<string, number>();

  /** True the first time. */
  take(nonce: string, now = Date.now()): boolean {
    for (const [old, at] of this.#seen) {
      if (now - at < 2 * WINDOW * 1000) break;
      this.#seen.delete(old);
    }
    if (this.#seen.has(nonce)) return false;
    this.#seen.set(nonce, now);
    return true;
  }
}
