import { createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto';

/** Keys are PEM, or its bare base64 body as some companies hand it out; these are its possible DER types. */
const PRIVATE_DER = ['pkcs8', 'pkcs1'] as const;
const PUBLIC_DER = ['spki', 'pkcs1'] as const;

const isPem = (text: string): boolean => text.includes('-----BEGIN ');

/** An RSA private key in PEM or bare base64, PKCS#8 or PKCS#1. Throws for anything else. */
export const rsaPrivateKey = (text: string): KeyObject =>
  rsaOnly(
    isPem(text)
      ? createPrivateKey(text)
      : firstOf(PRIVATE_DER, (type) => createPrivateKey({ key: bytesOf(text), format: 'der', type })),
  );

/** An RSA public key in PEM (a certificate too) or bare base64. Throws for anything else. */
export const rsaPublicKey = (text: string): KeyObject => {
  // Node would extract the public key from a private one, but then the file is certainly the wrong one.
  if (text.includes('PRIVATE KEY')) throw new Error('this is a private key');
  return rsaOnly(
    isPem(text)
      ? createPublicKey(text)
      : firstOf(PUBLIC_DER, (type) => createPublicKey({ key: bytesOf(text), format: 'der', type })),
  );
};

const bytesOf = (base64: string): Buffer => Buffer.from(base64.replaceAll(/\s/g, ''), 'base64');

function rsaOnly(key: KeyObject): KeyObject {
  if (key.asymmetricKeyType !== 'rsa') throw new Error(`an RSA key is needed, this is ${key.asymmetricKeyType}`);
  return key;
}

function firstOf<T>(types: readonly T[], make: (type: T) => KeyObject): KeyObject {
  for (const type of types) {
    try {
      return make(type);
    } catch {
      // the next one, or the error below
    }
  }
  throw new Error('this is no key');
}
