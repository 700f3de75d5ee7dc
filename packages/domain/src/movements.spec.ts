import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { Refusal } from './errors.js';
import { emptyAccount, post, type AccountState, type Quota } from './ledger.js';
import { AUTO_SHARE_STEP } from './limits.js';
import { autoShare, distribution, recovery, type Sides } from './movements.js';

const pair = { mainId: 3, childId: 8 };
const amount = fc.integer({ min: -1_000_000, max: 1_000_000 });
const change: fc.Arbitrary<Quota> = fc.record({ charNum: amount, voiceNum: amount, imageNum: amount });
const holding = fc.record({ charNum: fc.nat(1e6), voiceNum: fc.nat(1e6), imageNum: fc.nat(1e6) });

const account = (quota: Quota): AccountState => ({ ...emptyAccount(), ...quota });

const total = (states: AccountState[]): Quota => ({
  charNum: states.reduce((sum, state) => sum + state.charNum, 0),
  voiceNum: states.reduce((sum, state) => sum + state.voiceNum, 0),
  imageNum: states.reduce((sum, state) => sum + state.imageNum, 0),
});

/** Posts both sides; false when one of them is refused. */
function moved(sides: Sides, states: [AccountState, AccountState]): boolean {
  try {
    sides.forEach(({ userId, movement }, i) => {
      const state = states[i];
      if (state) post(state, movement, { userId, familyId: 3, typeSeq: 1, cmdId: 'x', createdAt: 1 });
    });
    return true;
  } catch (error) {
    if (error instanceof Refusal && error.code === 'QUOTA_NOT_ENOUGH') return false;
    throw error;
  }
}

describe('a movement between a main account and a sub-account', () => {
  it('has two equal and opposite sides, each naming the other', () => {
    fc.assert(
      fc.property(change, (q) => {
        const [main, child] = distribution(pair, q);
        for (const field of ['charChange', 'voiceChange', 'imageChange'] as const) {
          expect((main.movement[field] ?? 0) + (child.movement[field] ?? 0)).toBe(0);
          for (const side of [main, child]) expect(Object.is(side.movement[field], -0)).toBe(false);
        }
        expect(child.movement).toMatchObject({
          charChange: q.charNum,
          voiceChange: q.voiceNum,
          imageChange: q.imageNum,
        });
        expect([main.userId, main.movement.refs]).toEqual([3, { counterpartId: 8 }]);
        expect([child.userId, child.movement.refs]).toEqual([8, { counterpartId: 3 }]);
      }),
    );
  });

  it('creates and loses nothing, and takes neither side below zero', () => {
    fc.assert(
      fc.property(holding, holding, change, (ofMain, ofChild, q) => {
        const states: [AccountState, AccountState] = [account(ofMain), account(ofChild)];
        const before = total(states);
        const possible = (['charNum', 'voiceNum', 'imageNum'] as const).every(
          (asset) => ofMain[asset] - q[asset] >= 0 && ofChild[asset] + q[asset] >= 0,
        );
        expect(moved(distribution(pair, q), states)).toBe(possible);
        if (possible) expect(total(states)).toEqual(before);
      }),
    );
  });

  it('recovers everything there is', () => {
    fc.assert(
      fc.property(holding, holding, (ofMain, ofChild) => {
        const states: [AccountState, AccountState] = [account(ofMain), account(ofChild)];
        const before = total(states);
        expect(moved(recovery(pair, ofChild), states)).toBe(true);
        expect(states[0]).toMatchObject(before);
        expect(states[1]).toMatchObject({ charNum: 0, voiceNum: 0, imageNum: 0 });
      }),
    );
  });
});

describe('auto-distribution', () => {
  it('moves full steps, or all free characters, or nothing if that does not suffice', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 100_000 }), fc.nat(200_000), (lacking, free) => {
        const share = autoShare(lacking, free);
        if (free < lacking) return expect(share).toBeNull();
        expect(share).toBeGreaterThanOrEqual(lacking);
        expect(share).toBeLessThanOrEqual(free);
        expect((share ?? 0) - lacking).toBeLessThan(AUTO_SHARE_STEP);
        if (share !== free) expect((share ?? 0) % AUTO_SHARE_STEP).toBe(0);
      }),
    );
    expect([autoShare(1, 50_000), autoShare(10_000, 50_000), autoShare(10_001, 50_000)]).toEqual([
      10_000, 10_000, 20_000,
    ]);
    expect([autoShare(10_001, 19_999), autoShare(10_001, 10_000), autoShare(1, 0)]).toEqual([19_999, null, null]);
  });
});
