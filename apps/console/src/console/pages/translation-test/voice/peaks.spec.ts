import { describe, expect, it } from '@jest/globals';
import { levelOf, peaksOf } from './peaks.js';

describe('how a recording is drawn', () => {
  it('shows the loudest of each part, the loudest of all at full height', () => {
    expect(peaksOf(Float32Array.of(0, 0.25, -0.5, 0.125), 2)).toEqual([0.5, 1]);
  });

  it('draws no lines for silence, and none out of a recording shorter than its lines', () => {
    expect(peaksOf(new Float32Array(100), 4)).toEqual([0, 0, 0, 0]);
    expect(peaksOf(Float32Array.of(0.001, -0.001), 2)).toEqual([0, 0]);
    expect(peaksOf(Float32Array.of(1), 3)).toEqual([0, 0, 1]);
    expect(peaksOf(new Float32Array(0), 2)).toEqual([0, 0]);
  });
});

describe('the level while somebody speaks', () => {
  const tone = (loudness: number): Float32Array => new Float32Array(2_000).map((_, i) => loudness * Math.sin(i / 7));

  it('grows with loudness from nothing to full, and never leaves that range', () => {
    const levels = [0, 0.0005, 0.01, 0.1, 0.5, 1].map((loudness) => levelOf(tone(loudness)));
    expect(levels).toEqual(levels.toSorted((a, b) => a - b));
    expect(levels[0]).toBe(0);
    expect(levels.at(-1)).toBeGreaterThan(0.85);
    expect(levelOf(new Float32Array(100).fill(5))).toBe(1);
    expect(levelOf(new Float32Array(0))).toBe(0);
  });
});
