import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { lengthOf, SAMPLE_RATE, wavOf } from './sound.js';
import { samplesOfWav } from './wav.js';

type Format = { tag: number; channels: number; rate: number; bits: number };

/** A WAV file whose samples are `value(second)` on every channel, with an unrelated chunk in between. */
function wav({ tag, channels, rate, bits }: Format, seconds: number, value: (second: number) => number): Buffer {
  const bytes = bits / 8;
  const data = Buffer.alloc(Math.round(seconds * rate) * channels * bytes);
  for (let at = 0; at < data.length; at += bytes) {
    const loud = value(Math.floor(at / bytes / channels) / rate);
    if (tag === 3) data.writeFloatLE(loud, at);
    else if (bits === 8) data.writeUInt8(Math.round(128 + loud * 127), at);
    else data.writeIntLE(Math.round(loud * (2 ** (bits - 1) - 1)), at, bytes);
  }
  const format = Buffer.alloc(16);
  format.writeUInt16LE(tag, 0);
  format.writeUInt16LE(channels, 2);
  format.writeUInt32LE(rate, 4);
  format.writeUInt16LE(bits, 14);
  const chunk = (id: string, body: Buffer): Buffer => {
    const head = Buffer.alloc(8);
    head.write(id, 0, 'latin1');
    head.writeUInt32LE(body.length, 4);
    return Buffer.concat([head, body, Buffer.alloc(body.length % 2)]);
  };
  const chunks = Buffer.concat([chunk('fmt ', format), chunk('LIST', Buffer.from('odd')), chunk('data', data)]);
  return Buffer.concat([Buffer.from('RIFF\0\0\0\0WAVE', 'latin1'), chunks]);
}

const half = (): number => 0.5;
const MINUTES = 300;

describe('a WAV file', () => {
  it.each<Format>([
    { tag: 1, channels: 1, rate: 16_000, bits: 16 },
    { tag: 1, channels: 2, rate: 44_100, bits: 16 },
    { tag: 1, channels: 1, rate: 8_000, bits: 8 },
    { tag: 1, channels: 2, rate: 48_000, bits: 24 },
    { tag: 1, channels: 1, rate: 96_000, bits: 32 },
    { tag: 3, channels: 2, rate: 48_000, bits: 32 },
  ])('of %j keeps its length and loudness', (format) => {
    const samples = samplesOfWav(wav(format, 1.5, half), MINUTES) ?? Buffer.alloc(0);
    expect(Math.abs(samples.length / 2 - 1.5 * SAMPLE_RATE)).toBeLessThan(2);
    for (let at = 0; at < samples.length; at += 2_000)
      expect(Math.abs(samples.readInt16LE(at) - 16_384)).toBeLessThan(300);
  });

  it('is returned as it is if we could have written it', () => {
    const samples = Buffer.from(Int16Array.from({ length: 4_000 }, (_, n) => (n * 7_919) % 30_000).buffer);
    const read = samplesOfWav(wavOf(samples), MINUTES) ?? Buffer.alloc(0);
    expect(read.length).toBe(samples.length);
    const differences = Array.from({ length: 4_000 }, (_, n) => read.readInt16LE(2 * n) - samples.readInt16LE(2 * n));
    expect(Math.max(...differences.map(Math.abs))).toBeLessThan(2);
  });

  it('is read up to the maximum length', () => {
    const long = wav({ tag: 1, channels: 1, rate: 16_000, bits: 16 }, 5, half);
    expect(samplesOfWav(long, 2)?.length).toBe(2 * SAMPLE_RATE * 2);
  });

  it('that is truncated counts up to its end', () => {
    const whole = wav({ tag: 1, channels: 1, rate: 16_000, bits: 16 }, 2, half);
    whole.writeUInt32LE(0xffffffff, whole.length - 64_000 - 4);
    expect(samplesOfWav(whole.subarray(0, whole.length - 32_000), MINUTES)?.length).toBe(32_000);
  });

  it.each<[string, Format]>([
    ['compressed', { tag: 2, channels: 1, rate: 16_000, bits: 16 }],
    ['of no channel', { tag: 1, channels: 0, rate: 16_000, bits: 16 }],
    ['of a hundred channels', { tag: 1, channels: 100, rate: 16_000, bits: 16 }],
    ['of no rate', { tag: 1, channels: 1, rate: 0, bits: 16 }],
    ['of 12 bits', { tag: 1, channels: 1, rate: 16_000, bits: 12 }],
  ])('is rejected: %s', (_what, format) => {
    const file = wav({ ...format, channels: Math.max(1, format.channels), rate: 16_000, bits: 16 }, 0.1, half);
    file.writeUInt16LE(format.tag, 20);
    file.writeUInt16LE(format.channels, 22);
    file.writeUInt32LE(format.rate, 24);
    file.writeUInt16LE(format.bits, 34);
    expect(samplesOfWav(file, MINUTES)).toBeNull();
  });

  it('that is damaged anywhere is either read or rejected', () => {
    const whole = wav({ tag: 1, channels: 2, rate: 44_100, bits: 16 }, 0.05, half);
    const damaged = fc.tuple(fc.nat(whole.length), fc.array(fc.tuple(fc.nat(120), fc.nat(255)), { maxLength: 8 }));
    fc.assert(
      fc.property(damaged, ([length, changes]) => {
        const file = Buffer.from(whole.subarray(0, length));
        for (const [at, byte] of changes) if (at < file.length) file[at] = byte;
        const samples = samplesOfWav(file, 2);
        return samples === null || (samples.length > 0 && samples.length <= 2 * SAMPLE_RATE * 2);
      }),
      { numRuns: 200 },
    );
  });
});

describe('a duration', () => {
  const lasting = (seconds: number) => lengthOf(Buffer.alloc(Math.round(seconds * SAMPLE_RATE) * 2));

  it.each([
    [0.05, 1, 1],
    [1, 1, 1],
    [1.5, 2, 1],
    [59.9, 60, 1],
    [60, 60, 1],
    // Samples added by encoders are not speech.
    [60.06, 60, 1],
    [60.1, 60, 1],
    [60.2, 60, 1],
    [60.3, 61, 2],
    [60.5, 61, 2],
    [120, 120, 2],
    [120.2, 120, 2],
    [120.3, 121, 3],
  ])('of %d s is %d seconds and %d started minutes', (exact, seconds, minutes) => {
    expect(lasting(exact)).toEqual({ seconds, minutes });
  });
});
