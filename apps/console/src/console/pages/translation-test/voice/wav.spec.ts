import { describe, expect, it } from '@jest/globals';
import { wavOf } from './wav.js';

const at = (view: DataView, from: number, to: number): string =>
  Array.from({ length: to - from }, (_, i) => String.fromCharCode(view.getUint8(from + i))).join('');

describe('a recording as a WAV file', () => {
  const view = new DataView(wavOf(Float32Array.of(0, 0.5, -0.5, 1, -1, 2, -2), 16_000));

  it('says what it is: 16-bit PCM, mono, so many samples a second', () => {
    expect([at(view, 0, 4), at(view, 8, 16), at(view, 36, 40)]).toEqual(['RIFF', 'WAVEfmt ', 'data']);
    expect([20, 22, 32, 34].map((offset) => view.getUint16(offset, true))).toEqual([1, 1, 2, 16]);
    expect([16, 24, 28, 40].map((offset) => view.getUint32(offset, true))).toEqual([16, 16_000, 32_000, 14]);
    expect(view.getUint32(4, true)).toBe(view.byteLength - 8);
  });

  it('clips what is louder than full scale', () => {
    const samples = Array.from({ length: 7 }, (_, i) => view.getInt16(44 + 2 * i, true));
    expect(samples).toEqual([0, 16_384, -16_383, 32_767, -32_767, 32_767, -32_767]);
  });
});
