import { describe, expect, it } from '@jest/globals';
import { isAudible, mayBeSpeech, SAMPLE_RATE } from './sound.js';

const samples = (seconds: number, value: (at: number) => number): Buffer =>
  Buffer.from(Int16Array.from({ length: seconds * SAMPLE_RATE }, (_, at) => Math.round(value(at))).buffer);

// The same pseudo-random numbers every time.
const noise = (at: number): number => ((Math.imul(at + 1, 2_654_435_761) >>> 8) % 20_001) - 10_000;
const tone = (at: number): number => 8_000 * Math.sin((2 * Math.PI * 440 * at) / SAMPLE_RATE);
/** Loud and quiet for an eighth of a second each, like syllables. */
const syllables = (at: number): number => (Math.floor(at / 2_000) % 2 === 0 ? noise(at) : noise(at) / 20);

describe('a sound', () => {
  it.each([
    ['nothing', () => 0, false, false],
    ['the murmur of a microphone', (at: number) => noise(at) / 500, false, false],
    ['a steady noise', noise, true, false],
    ['a tone', tone, true, false],
    ['loud and quiet by turns', syllables, true, true],
    ['a quiet voice', (at: number) => syllables(at) / 20, true, true],
  ])('of %s: audible %j, speech perhaps %j', (_what, value, audible, speech) => {
    const sound = samples(3, value);
    expect([isAudible(sound), mayBeSpeech(sound)]).toEqual([audible, speech]);
  });

  it('of a click is not audible', () => {
    expect(isAudible(samples(3, (at) => (at < 400 ? 20_000 : 0)))).toBe(false);
  });

  it('of zero length is silence', () => {
    expect([isAudible(Buffer.alloc(0)), mayBeSpeech(Buffer.alloc(0))]).toEqual([false, false]);
  });
});
