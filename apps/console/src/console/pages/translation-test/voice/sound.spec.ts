import { describe, expect, it } from '@jest/globals';
import { clockText } from '../media/media-text.js';
import { isSound, levelOf, peaksOf, wavOf } from './sound.js';
import { speechName } from '../media/answer-file.js';

const bytes = (text: string): Uint8Array => Uint8Array.from(text, (char) => char.charCodeAt(0));

describe('what counts as a recording', () => {
  it.each([
    ['WAV', 'RIFF____WAVE'],
    ['M4A', '____ftypM4A '],
    ['OGG', 'OggS________'],
    ['FLAC', 'fLaC________'],
    ['WebM', '\x1a\x45\xdf\xa3________'],
    ['MP3 with tags', 'ID3\x04________'],
    ['MP3', '\xff\xfb\x90_________'],
  ])('%s', (_, head) => expect(isSound(bytes(head))).toBe(true));

  it.each([
    ['a text', 'hello, world'],
    ['a WebP picture', 'RIFF____WEBP'],
    ['a PNG', '\x89PNG\r\n\x1a\n____'],
    ['nothing', ''],
  ])('not %s', (_, head) => expect(isSound(bytes(head))).toBe(false));
});

describe('messages about a recording', () => {
  it('formats its length and its file name', () => {
    expect([0, 9.99, 11, 61, 300].map(clockText)).toEqual(['0:00', '0:09', '0:11', '1:01', '5:00']);
    expect(speechName('de', 'audio/mpeg')).toBe('speech.de.mp3');
    expect(speechName('zh-Hans', 'audio/wav')).toBe('speech.zh-Hans.wav');
  });
});

describe('how a recording is drawn', () => {
  it('shows the peak of each part, the highest at full height', () => {
    expect(peaksOf(Float32Array.of(0, 0.25, -0.5, 0.125), 2)).toEqual([0.5, 1]);
  });

  it('has no lines for silence nor for a recording shorter than its lines', () => {
    expect(peaksOf(new Float32Array(100), 4)).toEqual([0, 0, 0, 0]);
    expect(peaksOf(Float32Array.of(0.001, -0.001), 2)).toEqual([0, 0]);
    expect(peaksOf(Float32Array.of(1), 3)).toEqual([0, 0, 1]);
    expect(peaksOf(new Float32Array(0), 2)).toEqual([0, 0]);
  });
});

describe('the input level', () => {
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

const at = (view: DataView, from: number, to: number): string =>
  Array.from({ length: to - from }, (_, i) => String.fromCharCode(view.getUint8(from + i))).join('');

describe('a recording as a WAV file', () => {
  const view = new DataView(wavOf(Float32Array.of(0, 0.5, -0.5, 1, -1, 2, -2), 16_000));

  it('has a header for 16-bit PCM, mono, and the sample rate', () => {
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
