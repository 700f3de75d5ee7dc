import { createSign, createVerify, type KeyLike } from 'node:crypto';

/** Base64 signature with PKCS #1 v1.5 padding over the exact bytes. */
export function sign(digest: Digest, bytes: Bytes, privateKey: KeyLike): string {
  return createSign(digest).update(bytes).sign(privateKey, 'base64');
}

/** False for a wrong signature and for invalid Base64. */
export function verify(digest: Digest, bytes: Bytes, { key, signature }: { key: KeyLike; signature: string }): boolean {
  const raw = Buffer.from(signature, 'base64');
  // Node decodes Base64 leniently; reject input that does not round-trip.
  if (raw.toString('base64') !== signature) return false;
  return createVerify(digest).update(bytes).verify(key, raw);
}

/** The signature with one byte changed. */
export function tamperedSignature(signature: string): string {
  const raw = Buffer.from(signature, 'base64');
  raw[0] = (raw[0] ?? 0) ^ 1;
  return raw.toString('base64');
}

type Digest = 'RSA-SHA256' | 'RSA-MD5';
type Bytes = string | Buffer;
