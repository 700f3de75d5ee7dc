import { createPrivateKey, createPublicKey, type KeyObject, sign, verify } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { closeMessage, type SignedClose } from '@yiqiao/domain/closes';
import { z } from 'zod';
import { Config, type Settings } from '../../platform/config.js';
import { keyBy } from '../../platform/gateway-settings.js';

const signingKey = keyBy((text): KeyObject => {
  const der = { key: Buffer.from(text, 'base64'), format: 'der', type: 'pkcs8' } as const;
  const key = createPrivateKey(text.includes('-----BEGIN ') ? text : der);
  if (key.asymmetricKeyType !== 'ed25519')
    throw new Error(`an Ed25519 key is needed, this is ${key.asymmetricKeyType}`);
  return key;
}, 'an Ed25519 private key is needed, as PEM, base64 or the path of a file (openssl genpkey -algorithm ed25519)');

const list = z
  .string()
  .default('')
  .transform((text) =>
    text
      .split(',')
      .map((part) => part.trim())
      .filter(Boolean),
  );

const shape = {
  /** Signs closes; only the worker and the command line need it. */
  CLOSE_SIGNING_KEY: signingKey,
  /** Keys that closes may be signed with, beside that one: the ones before it; where nothing is signed, all of them. */
  CLOSE_PUBLIC_KEYS: list.refine(
    (keys) => keys.every((key) => /^[0-9a-f]{64}$/.test(key)),
    '64 hexadecimal digits each',
  ),
  /** Witnesses: each close is posted to all of them. */
  CLOSE_ANCHOR_URLS: list.refine((urls) => urls.every((url) => /^https?:/.test(url) && URL.canParse(url)), 'addresses'),
};

/** The settings of daily closes. */
export const closeSettings: Settings<typeof shape> = {
  shape,
  problems: (_, values, isProduction) =>
    isProduction && values?.CLOSE_ANCHOR_URLS.some((url) => url.startsWith('http:'))
      ? ['CLOSE_ANCHOR_URLS: https in production']
      : [],
};

/** The same for the process that makes closes. */
export const signingSettings: Settings<typeof shape> = {
  shape,
  problems: (given, values, isProduction) => [
    ...(isProduction && !given['CLOSE_SIGNING_KEY'] ? ['CLOSE_SIGNING_KEY: required in production'] : []),
    ...closeSettings.problems(given, values, isProduction),
  ],
};

const RAW_BYTES = 32;
const publicKeyOf = (key: KeyObject): string =>
  createPublicKey(key).export({ format: 'der', type: 'spki' }).subarray(-RAW_BYTES).toString('hex');

@Injectable()
export class CloseKeys {
  readonly #key: KeyObject | undefined;
  readonly #known: ReadonlySet<string>;

  constructor(config: Config) {
    const { CLOSE_SIGNING_KEY: key, CLOSE_PUBLIC_KEYS: known } = config.read(closeSettings);
    this.#key = key;
    this.#known = new Set([...known, ...(key ? [publicKeyOf(key)] : [])]);
  }

  /** What signs closes and anchors; each text begins with a line that names its kind. Null without a signing key. */
  get signing(): Signing | null {
    const key = this.#key;
    if (!key) return null;
    return {
      publicKey: publicKeyOf(key),
      sign: (text) => sign(null, Buffer.from(text), key).toString('hex'),
    };
  }

  /** Null without a signing key. */
  get signer(): ((close: Omit<SignedClose, 'publicKey' | 'signature'>) => SignedClose) | null {
    const { signing } = this;
    if (!signing) return null;
    return (close) => {
      const signed = { ...close, publicKey: signing.publicKey };
      return { ...signed, signature: signing.sign(closeMessage(signed)) };
    };
  }

  /** Whether closes may be signed with this key; null if none is configured. */
  knows(publicKey: string): boolean | null {
    return this.#known.size === 0 ? null : this.#known.has(publicKey);
  }
}

/** `sign` answers in hex, like `publicKey`. */
export type Signing = { publicKey: string; sign: (text: string) => string };

/** Whether `signature` (hex) is an Ed25519 signature of `text` by `publicKey` (hex). */
export function isSignedText(
  text: string,
  { publicKey, signature }: { publicKey: string; signature: string },
): boolean {
  const x = Buffer.from(publicKey, 'hex').toString('base64url');
  const key = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' });
  return verify(null, Buffer.from(text), key, Buffer.from(signature, 'hex'));
}

export const isSigned = (close: SignedClose): boolean => isSignedText(closeMessage(close), close);
