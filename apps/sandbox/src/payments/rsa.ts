import { createSign, createVerify, type KeyLike } from 'node:crypto';

/** Base64 signature with PKCS #1 v1.5 padding over the exact bytes. */
export function sign(digest: Digest, bytes: Bytes, privateKey: KeyLike): string {
  return createSign(digest).update(bytes).sign(privateKey, 'base64');
}

/** False for anything but the signature of exactly these bytes, also when it is no Base64. */
export function verify(digest: Digest, bytes: Bytes, { key, signature }: { key: KeyLike; signature: string }): boolean {
  const raw = Buffer.from(signature, 'base64');
  // Node reads Base64 leniently; what does not come back the same was not what a signer wrote.
  if (raw.toString('base64') !== signature) return false;
  return createVerify(digest).update(bytes).verify(key, raw);
}

/** The signature with one byte changed: it looks right and is not. */
export function tamperedSignature(signature: string): string {
  const raw = Buffer.from(signature, 'base64');
  raw[0] = (raw[0] ?? 0) ^ 1;
  return raw.toString('base64');
}

type Digest = 'RSA-SHA256' | 'RSA-MD5';
type Bytes = string | Buffer;
