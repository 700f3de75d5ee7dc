import { createHash } from 'node:crypto';

import { sign, spoilt, verify } from '../rsa.js';

/** What is signed is the digest of the bytes, written in lower-case hexadecimal: MD5 twice. */
const digestOf = (body: string | Buffer): string => createHash('md5').update(body).digest('hex');

/** Whether the signature is of exactly these bytes. */
export function isSigned(body: Buffer, by: { key: string; signature: string }): boolean {
  return verify('RSA-MD5', digestOf(body), by);
}

/** The headers that vouch for an answer or a notification. */
export function lianlianHeaders(
  body: string,
  { privateKey, signature }: { privateKey: string; signature: 'right' | 'wrong' },
): Record<string, string> {
  const right = sign('RSA-MD5', digestOf(body), privateKey);
  return {
    'content-type': 'application/json;charset=UTF-8',
    'signature-type': 'RSA',
    'signature-data': signature === 'wrong' ? spoilt(right) : right,
  };
}
