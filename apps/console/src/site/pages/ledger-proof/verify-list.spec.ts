import { createHash, generateKeyPairSync, sign } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { closeMessage, FIRST_CLOSE } from '@yiqiao/domain/closes';
import { type Close, verifyList } from './verify-list.js';

const { privateKey, publicKey } = generateKeyPairSync('ed25519');
const key = Buffer.from(publicKey.export({ format: 'jwk' }).x ?? '', 'base64url').toString('hex');

/** Newest first, as the API answers. */
function closes(count: number): Close[] {
  const list: Close[] = [];
  for (let number = 1; number <= count; number++) {
    const close = {
      number,
      date: `2026-11-${String(number).padStart(2, '0')}`,
      cutAt: `2026-11-${String(number).padStart(2, '0')}T16:00:00.000Z`,
      entries: number * 10,
      accounts: 3,
      root: String(number).repeat(64).slice(0, 64),
      books: 'ab'.repeat(32),
      previous: list[0]?.hash ?? FIRST_CLOSE,
      publicKey: key,
    };
    const message = closeMessage(close);
    const hash = createHash('sha256').update(message).digest('hex');
    list.unshift({ ...close, hash, signature: sign(null, Buffer.from(message), privateKey).toString('hex') });
  }
  return list;
}

describe('verifyList', () => {
  it('accepts a whole list, and a part of one', async () => {
    expect(await verifyList(closes(4))).toEqual({ kind: 'whole', closes: 4, keys: [key] });
    expect(await verifyList(closes(4).slice(0, 2))).toMatchObject({ kind: 'whole', closes: 2 });
    expect(await verifyList([])).toMatchObject({ kind: 'whole', closes: 0 });
  });

  it.each([
    ['entries', { entries: 1 }, 'signature'],
    ['root', { root: '0'.repeat(64) }, 'signature'],
    ['hash', { hash: '0'.repeat(64) }, 'hash'],
  ] as const)('names a close whose %s was changed', async (_, change, why) => {
    const list = closes(4).map((close) => (close.number === 3 ? { ...close, ...change } : close));
    const verdict = await verifyList(list);
    expect(verdict).toMatchObject({ kind: 'broken', why: change === undefined ? 'previous' : expect.any(String) });
    if (why === 'signature') expect(verdict).toEqual({ kind: 'broken', date: '2026-11-03', why });
  });

  it('names the place of a removed close', async () => {
    const list = closes(4).filter(({ number }) => number !== 2);
    expect(await verifyList(list)).toEqual({ kind: 'broken', date: '2026-11-03', why: 'previous' });
  });
});
