import { randomBytes } from 'node:crypto';

import { sign, tamperedSignature, verify } from '../rsa.js';

/** Allowed clock skew, in seconds. */
const WINDOW_SECONDS = 300;

const SCHEME = 'WECHATPAY2-SHA256-RSA2048';

/** The signed parts of a request: `url` is path and query as sent. */
export interface SignedRequest {
  readonly method: string;
  readonly url: string;
  readonly body: Buffer;
  readonly authorization: string;
}

/** The parsed Authorization header. */
export interface Credentials {
  readonly mchid: string;
  readonly nonce: string;
  readonly timestamp: string;
  readonly serial: string;
  readonly signature: string;
}

/** Null for a header of another scheme or with missing fields. */
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

/** Verifies the request's signature. */
export function isSignedBy(publicKey: string, request: SignedRequest): boolean {
  const credentials = readCredentials(request.authorization);
  if (!credentials) return false;
  const head = `${request.method}\n${request.url}\n${credentials.timestamp}\n${credentials.nonce}\n`;
  const bytes = Buffer.concat([Buffer.from(head), request.body, Buffer.from('\n')]);
  return verify('RSA-SHA256', bytes, { key: publicKey, signature: credentials.signature });
}

/** Whether a Unix timestamp in digits is within the allowed skew. */
export function isFresh(timestamp: string, now = Date.now()): boolean {
  return /^\d{1,12}$/.test(timestamp) && Math.abs(now / 1000 - Number(timestamp)) <= WINDOW_SECONDS;
}

/** The signature headers of a response or notification; `body` is '' when there is none. */
export function signatureHeaders(
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

/** Replay protection: nonces seen while their requests would still be fresh. */
export class Nonces {
  readonly #seen = new Map<string, number>();

  /** True the first time. */
  take(nonce: string, now = Date.now()): boolean {
    for (const [old, at] of this.#seen) {
      if (now - at < 2 * WINDOW_SECONDS * 1000) break;
      this.#seen.delete(old);
    }
    if (this.#seen.has(nonce)) return false;
    this.#seen.set(nonce, now);
    return true;
  }
}
