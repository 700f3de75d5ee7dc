import { createHash, type KeyObject } from 'node:crypto';
import { isSignedBy, signed } from '../rsa-signature.js';

/** LianLian signs the digest's digits, with MD5 once more: MD5withRSA over the lower-case hex of the body's MD5. */
export const digestOf = (body: string | Buffer): string => createHash('md5').update(body).digest('hex');

/** The Signature-Data header for these bytes. */
export const signatureData = (body: string, privateKey: KeyObject): string =>
  signed('RSA-MD5', digestOf(body), privateKey);

export const isLianlians = (body: Buffer, signature: string | undefined, publicKey: KeyObject): boolean =>
  signature !== undefined && isSignedBy(publicKey, 'RSA-MD5', digestOf(body), signature);
