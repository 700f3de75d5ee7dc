import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { Quota } from './ledger.js';
import { partialCharge, splitCharge, textCost } from './quotes.js';

const price = fc.integer({ min: 1, max: 1_000_000 });
const points = fc.integer({ min: 1, max: 5_000 });

describe('the cost of a text', () => {
  it.each([
    [1, 60, 10, 6],
    [7, 15, 10, 11],
    [1, 10, 60, 1],
    [5_000, 10, 60, 834],
    [5_000, 60, 10, 30_000],
    [13, 20, 20, 13],
    [5_000, 1_000_000, 1, 5_000_000_000],
  ])('%i code points at %i beside %i are %i characters', (codePoints, asked, own, cost) => {
    expect(textCost(codePoints, { asked, own })).toBe(cost);
  });

  it('is worth no less than the price, and less than one character more', () => {
    fc.assert(
      fc.property(points, price, price, (codePoints, asked, own) => {
        const worth = BigInt(textCost(codePoints, { asked, own })) * BigInt(own);
        const due = BigInt(codePoints) * BigInt(asked);
        expect(worth >= due && worth - due < BigInt(own)).toBe(true);
      }),
    );
  });

  it('never grows with a channel that costs no more', () => {
    fc.assert(
      fc.property(points, price, price, price, (codePoints, a, b, own) => {
        const [cheap, dear] = [Math.min(a, b), Math.max(a, b)];
        const [less, more] = [textCost(codePoints, { asked: cheap, own }), textCost(codePoints, { asked: dear, own })];
        expect(less).toBeLessThanOrEqual(more);
      }),
    );
  });
});

describe('a partial charge', () => {
  const quota = (charNum: number): Quota => ({ charNum, voiceNum: 0, imageNum: 0 });

  it('is exactly what was delivered while the hold is unchanged', () => {
    fc.assert(
      fc.property(
        fc.array(points, { minLength: 1, maxLength: 50 }),
        fc.nat(50),
        price,
        price,
        (texts, most, asked, own) => {
          const cost = (some: number[]): number => some.reduce((sum, n) => sum + textCost(n, { asked, own }), 0);
          const sum = (some: number[]): number => some.reduce((all, n) => all + n, 0);
          const delivered = texts.slice(0, Math.max(1, most));
          const of = cost(texts);
          const part = { codePoints: sum(delivered), charNum: cost(delivered), of };
          expect(partialCharge({ quota: quota(of), codePoints: sum(texts) }, part)).toEqual({
            quota: quota(cost(delivered)),
            codePoints: sum(delivered),
          });
        },
      ),
    );
  });

  it('never exceeds the converted hold, and is zero when nothing is reserved', () => {
    fc.assert(
      fc.property(fc.nat(1_000_000_000), points, fc.integer({ min: 1, max: 1_000_000 }), (now, of, share) => {
        const charNum = Math.min(of, share);
        const charge = partialCharge({ quota: quota(now), codePoints: 9 }, { codePoints: 1, charNum, of });
        expect(charge.quota.charNum).toBeLessThanOrEqual(now);
        expect(charge.quota.charNum * of).toBeGreaterThanOrEqual(now * charNum);
      }),
    );
    expect(partialCharge({ quota: quota(0), codePoints: 9 }, { codePoints: 3, charNum: 3, of: 9 }).quota).toEqual(
      quota(0),
    );
  });

  it.each([
    ['more code points', { codePoints: 10, charNum: 9, of: 9 }],
    ['more characters', { codePoints: 9, charNum: 10, of: 9 }],
    ['nothing', { codePoints: 0, charNum: 0, of: 9 }],
  ])('throws for %s than requested', (_, part) => {
    expect(() => partialCharge({ quota: quota(9), codePoints: 9 }, part)).toThrow(RangeError);
  });

  it('throws without code points', () => {
    const voice = { quota: { charNum: 0, voiceNum: 2, imageNum: 0 }, codePoints: 0 };
    expect(() => partialCharge(voice, { codePoints: 1, charNum: 1, of: 2 })).toThrow(RangeError);
  });
});

describe('a charge for several texts', () => {
  const costs = fc.array(points, { minLength: 1, maxLength: 50 });

  it('is the cost of each if the total is their sum', () => {
    fc.assert(fc.property(costs, (list) => expect(splitCharge(total(list), list)).toEqual(list)));
  });

  it('adds up to any total, with each part within one character of its share', () => {
    fc.assert(
      fc.property(costs, fc.nat(1_000_000_000), (list, charged) => {
        const paid = splitCharge(charged, list);
        expect(total(paid)).toBe(charged);
        for (const [at, n] of paid.entries())
          expect(Math.abs(n - (charged * (list[at] ?? 0)) / total(list))).toBeLessThanOrEqual(1);
      }),
    );
  });
});

const total = (list: readonly number[]): number => list.reduce((sum, n) => sum + n, 0);
