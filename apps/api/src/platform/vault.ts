import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  createSecretKey,
  hkdfSync,
  type KeyObject,
  randomBytes,
} from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Config } from './config.js';

const IV_BYTES = 12;
const TAG_BYTES = 16;

/** Encryption and keyed digests for data at rest. Every purpose has its own key, derived from APP_SECRET. */
@Injectable()
export class Vault {
  readonly #secret: Buffer;
  readonly #sealKey: Buffer;
  readonly #hmacKeys = new Map<string, KeyObject>();

  constructor(config: Config) {
    this.#secret = Buffer.from(config.env.APP_SECRET, 'hex');
    this.#sealKey = this.#derive('seal');
  }

  /** AES-256-GCM; base64url of nonce, tag and cipher text. */
  seal(text: string): string {
    const iv = randomBytes(IV_BYTES);
    const cipher = createCipheriv('aes-256-gcm', this.#sealKey, iv);
    const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
    return Buffer.concat([iv, cipher.getAuthTag(), body]).toString('base64url');
  }

  /** Throws when `sealed` was altered or sealed under another APP_SECRET. */
  open(sealed: string): string {
    const bytes = Buffer.from(sealed, 'base64url');
    const decipher = createDecipheriv('aes-256-gcm', this.#sealKey, bytes.subarray(0, IV_BYTES));
    decipher.setAuthTag(bytes.subarray(IV_BYTES, IV_BYTES + TAG_BYTES));
    return Buffer.concat([decipher.update(bytes.subarray(IV_BYTES + TAG_BYTES)), decipher.final()]).toString('utf8');
  }

  /** A keyed digest in hex: the same text under another purpose gives another digest. */
  hmac(purpose: string, text: string): string {
    return createHmac('sha256', this.#hmacKey(purpose)).update(text).digest('hex');
  }

  /** Cached: purposes are constants of the code, so there are few. */
  #hmacKey(purpose: string): KeyObject {
    const known = this.#hmacKeys.get(purpose);
    if (known) return known;
    const key = createSecretKey(this.#derive(purpose));
    this.#hmacKeys.set(purpose, key);
    return key;
  }

  #derive(purpose: string): Buffer {
    return Buffer.from(hkdfSync('sha256', this.#secret, '', `yiqiao:${purpose}`, 32));
  }
}
