import { describe, expect, it } from '@jest/globals';
import { canConfirm, changedOf, NO_SHARES, outcomeOf, overOf, requestOf, stepped, type Shares } from './shares.js';

const sides = {
  main: { charNum: 1_284_500, voiceNum: 360, imageNum: 0 },
  child: { charNum: 150_000, voiceNum: 40, imageNum: 88 },
};
const chars = { main: sides.main.charNum, child: sides.child.charNum };
const shares = (over: Partial<Shares>): Shares => ({ ...NO_SHARES, ...over });

describe('one quantity', () => {
  it('moves from the main account to the sub-account when given', () => {
    expect(outcomeOf({ direction: 'give', amount: 100_000 }, chars)).toEqual({
      change: 100_000,
      available: 1_284_500,
      over: false,
      mainAfter: 1_184_500,
      childAfter: 250_000,
    });
  });

  it('moves back when taken, up to what the sub-account has', () => {
    expect(outcomeOf({ direction: 'take', amount: 150_000 }, chars)).toEqual({
      change: -150_000,
      available: 150_000,
      over: false,
      mainAfter: 1_434_500,
      childAfter: 0,
    });
    expect(outcomeOf({ direction: 'take', amount: 150_001 }, chars).over).toBe(true);
  });

  it('may be all there is, and not one more', () => {
    expect(outcomeOf({ direction: 'give', amount: 1_284_500 }, chars).over).toBe(false);
    expect(outcomeOf({ direction: 'give', amount: 1_284_501 }, chars)).toMatchObject({ over: true, mainAfter: -1 });
  });

  it.each([
    [0, 10_000, 25_000, 10_000],
    [20_000, 10_000, 25_000, 25_000],
    [5_000, -10_000, 25_000, 0],
    [90_000, 10_000, 25_000, 25_000],
    [90_000, -10_000, 25_000, 25_000],
    [0, 10_000, 0, 0],
  ])('%i steps by %i, of %i available, to %i', (amount, step, available, to) => {
    expect(stepped(amount, step, available)).toBe(to);
  });
});

describe('the three quantities together', () => {
  it('cannot be confirmed without a change', () => {
    expect(canConfirm(NO_SHARES, sides)).toBe(false);
    expect(changedOf(NO_SHARES)).toEqual([]);
  });

  it('are confirmed together, or not at all when one exceeds the balance', () => {
    const good = shares({ charNum: { direction: 'give', amount: 1 }, imageNum: { direction: 'take', amount: 88 } });
    expect(canConfirm(good, sides)).toBe(true);
    expect(changedOf(good)).toEqual(['charNum', 'imageNum']);
    const bad = shares({ charNum: { direction: 'give', amount: 1 }, imageNum: { direction: 'give', amount: 1 } });
    expect(canConfirm(bad, sides)).toBe(false);
    expect(overOf(bad, sides)).toEqual(['imageNum']);
  });

  it('are taken back whole by name, so that what changes meanwhile is taken, too', () => {
    const all = shares({
      charNum: { direction: 'take', amount: 150_000, all: true },
      imageNum: { direction: 'give', amount: 1, all: true },
    });
    expect(requestOf(7, all)).toEqual({
      childUserId: 7,
      changeCharNum: 0,
      changeVoiceNum: 0,
      changeImageNum: 1,
      takeBackAll: ['charNum'],
    });
  });

  it('are sent as signed changes of the sub-account, without a negative zero', () => {
    const request = requestOf(
      7,
      shares({ charNum: { direction: 'take', amount: 5 }, voiceNum: { direction: 'take', amount: 0 } }),
    );
    expect(request).toEqual({ childUserId: 7, changeCharNum: -5, changeVoiceNum: 0, changeImageNum: 0 });
  });
});
