import { sign, verify, type KeyObject } from 'node:crypto';

/** RSASSA-PKCS1-v1_5 over the digest of this name. */
export type RsaDigest = 'RSA-SHA256' | 'RSA-MD5';

/** The signature in base64. */
export const signed = (digest: RsaDigest, message: string | Buffer, key: KeyObject): string =>
  sign(digest, Buffer.from(message), key).toString('base64');

/** Never throws: a malformed signature is a wrong one. */
export function isSignedBy(key: KeyObject, digest: RsaDigest, message: string | Buffer, signature: string): boolean {
  return isCanonicalBase64(signature) && verify(digest, Buffer.from(message), key, Buffer.from(signature, 'base64'));
}

/** Node decodes base64 leniently, skipping invalid characters and unused bits, so many texts would pass as one signature. */
export const isCanonicalBase64 = (text: string): boolean =>
  text !== '' && Buffer.from(text, 'base64').toString('base64') === text;
