import type { Answer } from '@yiqiao/contracts/endpoint';
import { closeRow } from '@yiqiao/contracts/closes';
import type { verifyClose } from '@yiqiao/contracts/operator/closes';
import type { SignedClose } from '@yiqiao/domain/closes';
import { z } from 'zod';
import { WITNESS_TIMEOUT_MS } from './anchor-closes.js';
import { hashOf, type StoredClose } from './close-rows.js';

type Difference = Answer<typeof verifyClose>['differences'][number];

/** The closes that a witness keeps, by number; null if it did not answer with a list. */
export type Copies = { witness: string; closes: ReadonlyMap<number, SignedClose> | null };

const listed = z.array(closeRow);

/** Asks every witness for its list: GET of the address that closes are posted to. */
export const readCopies = (witnesses: readonly string[]): Promise<Copies[]> =>
  Promise.all(
    witnesses.map(async (witness): Promise<Copies> => {
      try {
        const response = await fetch(witness, {
          headers: { Accept: 'application/json' },
          redirect: 'error',
          signal: AbortSignal.timeout(WITNESS_TIMEOUT_MS),
        });
        const closes = listed.parse(await response.json());
        return { witness, closes: new Map(closes.map((close) => [close.number, close])) };
      } catch {
        return { witness, closes: null };
      }
    }),
  );

/** Closes that read otherwise at a witness, are lacking there although it accepted them, or exist only there. */
export function copyDifferences(
  all: readonly StoredClose[],
  chosen: readonly StoredClose[],
  copies: readonly Copies[],
  accepted: ReadonlySet<string>,
): Difference[] {
  const differs = (date: string, witness: string, expected: string, found: string): Difference => {
    return { account: null, seq: null, what: `${date}: copy of ${witness}`, expected, found };
  };
  const newest = all.at(-1)?.number ?? 0;
  return copies.flatMap(({ witness, closes }) => {
    if (!closes) return [];
    const own = chosen.flatMap((close) => {
      const copy = closes.get(close.number);
      if (!copy)
        return accepted.has(`${close.number} ${witness}`) ? [differs(close.date, witness, 'the close', 'none')] : [];
      const [expected, found] = [hashOf(copy), hashOf(close)];
      if (expected !== found) return [differs(close.date, witness, expected, found)];
      return copy.signature === close.signature ? [] : [differs(close.date, witness, copy.signature, close.signature)];
    });
    const gone = [...closes.values()].filter(({ number }) => number > newest);
    return [...own, ...gone.map((copy) => differs(copy.date, witness, hashOf(copy), 'none'))];
  });
}
