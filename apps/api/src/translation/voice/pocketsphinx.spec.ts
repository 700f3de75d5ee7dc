import { describe, expect, it } from '@jest/globals';
import { readTranscript } from './pocketsphinx.js';

const output = (text: string, ...timed: [string, number, number, number][]): string =>
  [
    text,
    ...timed.map(([word, start, end, p]) => `${word} ${start.toFixed(3)} ${end.toFixed(3)} ${p.toFixed(6)}`),
    '',
  ].join('\n');

describe('the output of PocketSphinx', () => {
  it('is a text and the mean probability of its words', () => {
    const heard = output(
      'i want two books',
      ['<s>', 0, 0.3, 1],
      ['i', 0.31, 0.4, 0.9],
      ['want', 0.41, 0.7, 0.8],
      ['two(2)', 0.71, 0.9, 0.7],
      ['books', 0.91, 1.3, 0.6],
      ['</s>', 1.31, 1.6, 1],
    );
    const { text, clarity } = readTranscript(heard);
    expect(text).toBe('I want two books');
    expect(clarity).toBeCloseTo(0.75);
    expect(readTranscript(heard + heard)).toMatchObject({ text: 'I want two books I want two books' });
  });

  it('is less clear with pauses and noises between the words', () => {
    const heard = output(
      'to topple all',
      ['to', 0, 0.3, 0.9],
      ['<sil>', 0.31, 0.4, 1],
      ['topple', 0.41, 0.7, 0.9],
      ['[NOISE]', 0.71, 0.8, 1],
      ['all', 0.81, 1, 0.9],
    );
    expect(readTranscript(heard)).toMatchObject({ text: 'to topple all', clarity: expect.closeTo(2.7 / 7) });
  });

  it('is not clear where a long noise has one certain word, and has no clarity without words', () => {
    expect(readTranscript(output('a', ['a', 0, 2, 1])).clarity).toBeCloseTo(0.2);
    expect(readTranscript('')).toEqual({ text: '', clarity: 0 });
    expect(readTranscript(output('', ['<s>', 0, 0.3, 1], ['[NOISE]', 0.3, 1, 1])).clarity).toBe(0);
  });
});
