import { describe, expect, it } from '@jest/globals';
import { ArchiveAge, bytesBehind } from './archive-state.js';

const state = (written: number, stored: number | null) => ({ isConnected: true, written, stored });

describe('the age of what waits for the archive', () => {
  it('is none while the archive keeps up, a look behind', () => {
    const age = new ArchiveAge();
    expect(age.seconds(state(100, 40), 0)).toBe(0);
    expect(age.seconds(state(200, 110), 15_000)).toBe(0);
    expect(age.seconds(state(200, 200), 30_000)).toBe(0);
    expect(age.seconds(state(200, 200), 90_000)).toBe(0);
  });

  it('grows while what was written is not stored, whatever else is', () => {
    const age = new ArchiveAge();
    age.seconds(state(100, 40), 0);
    expect(age.seconds(state(200, 40), 60_000)).toBe(60);
    expect(age.seconds(state(300, 99), 120_000)).toBe(120);
    expect(age.seconds(state(300, null), 180_000)).toBe(180);
    expect(age.seconds(state(300, 100), 240_000)).toBe(0);
  });

  it('begins anew with a server that had less', () => {
    const age = new ArchiveAge();
    age.seconds(state(100, 40), 0);
    expect(age.seconds(state(90, 40), 60_000)).toBe(0);
    expect(age.seconds(state(95, 90), 75_000)).toBe(0);
  });
});

it('is no bytes behind with all of it, and unknown without a place', () => {
  expect([state(100, 40), state(100, 108), state(100, null)].map(bytesBehind)).toEqual([60, 0, null]);
});
