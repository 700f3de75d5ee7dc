import { readFileSync } from 'node:fs';
import path from 'node:path';
import { rsaPublicKey } from '../../src/platform/rsa-keys.js';

const read = (name: string): unknown =>
  JSON.parse(readFileSync(path.join(import.meta.dirname, '../vectors', `${name}.json`), 'utf8'));

type Name = 'alipay-rsa2' | 'wechat-v3' | 'lianlian' | 'lang-mapping' | 'tencent-tc3' | 'youdao-v3' | 'mt-wire-samples';

/**
 * Test vectors signed by others, to be matched byte for byte. The gateways' messages use keys of which only the public halves are known
 * (`keys.json`).
 */
export const vectors = <T>(name: Name): T => read(name) as T;

type Owner = 'alipayApp' | 'alipayPlatform' | 'wxMerchant' | 'wxPlatform' | 'llMerchant' | 'llPlatform';
export const vectorKey = (owner: Owner) =>
  rsaPublicKey((read('keys') as Record<Owner, { publicKey: string }>)[owner].publicKey);

const ALL_BITS = [0, 1, 2, 3, 4, 5, 6, 7] as const;

/** Every message that differs from this one in a single bit (of these), byte by byte. */
export function* flips(message: Buffer, bits: readonly number[] = ALL_BITS): Generator<Buffer> {
  for (let at = 0; at < message.length; at++) {
    for (const bit of bits) {
      const flipped = Buffer.from(message);
      flipped[at] = (flipped[at] ?? 0) ^ (1 << bit);
      yield flipped;
    }
  }
}

export const textFlips = (text: string): string[] =>
  [...flips(Buffer.from(text, 'latin1'))].map((flipped) => flipped.toString('latin1'));
