import { closeMessage, FIRST_CLOSE, type SignedClose } from '@yiqiao/domain/closes';

export type Close = SignedClose & { hash: string };
/** `unable`: the browser lacks Ed25519, or the page is not served securely. */
export type Verdict =
  | { kind: 'whole'; closes: number; keys: string[] }
  | { kind: 'broken'; date: string; why: 'signature' | 'hash' | 'previous' }
  | { kind: 'unable' };

const bytesOf = (hex: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from({ length: hex.length / 2 }, (_, i) => Number.parseInt(hex.slice(2 * i, 2 * i + 2), 16));
const hexOf = (bytes: ArrayBuffer): string =>
  Array.from(new Uint8Array(bytes), (byte) => byte.toString(16).padStart(2, '0')).join('');

/** Checks signatures and the chain of a list of closes, newest first, with the browser's own cryptography. */
export async function verifyList(closes: readonly Close[]): Promise<Verdict> {
  const subtle = (globalThis.crypto as Crypto | undefined)?.subtle;
  if (!subtle) return { kind: 'unable' };
  const keys = new Map<string, CryptoKey>();
  for (const [i, close] of closes.entries()) {
    let key = keys.get(close.publicKey);
    if (!key) {
      try {
        key = await subtle.importKey('raw', bytesOf(close.publicKey), { name: 'Ed25519' }, false, ['verify']);
      } catch {
        return { kind: 'unable' };
      }
      keys.set(close.publicKey, key);
    }
    const message = new TextEncoder().encode(closeMessage(close));
    const broken = (why: 'signature' | 'hash' | 'previous'): Verdict => ({ kind: 'broken', date: close.date, why });
    if (!(await subtle.verify({ name: 'Ed25519' }, key, bytesOf(close.signature), message))) return broken('signature');
    if (hexOf(await subtle.digest('SHA-256', message)) !== close.hash) return broken('hash');
    const before = closes[i + 1];
    if (before ? close.previous !== before.hash : close.number === 1 && close.previous !== FIRST_CLOSE)
      return broken('previous');
  }
  return { kind: 'whole', closes: closes.length, keys: [...keys.keys()] };
}
