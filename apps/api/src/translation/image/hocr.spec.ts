import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { linesOf } from './offline-reader.js';

const word = (text: string, box = '10 20 60 44', sure = 96): string =>
  `<span class='ocrx_word' id='word_1_1' title='bbox ${box}; x_wconf ${sure}'>${text}</span>`;
const line = (words: string, title = 'bbox 10 20 210 50; baseline 0.01 -6; x_size 30; x_descenders 6'): string =>
  `<p class='ocr_par' lang='eng' title="bbox 10 20 210 50"><span class='ocr_line' id='line_1_1' title="${title}">${words}</span></p>`;

describe('parsing hOCR', () => {
  it('returns lines with words, boxes, sizes and slopes', () => {
    const [first, ...others] = linesOf(line(word('The') + word('house', '70 20 160 44', 71)));
    expect(others).toEqual([]);
    expect(first?.words).toEqual([
      { box: [10, 20, 50, 24], text: 'The', confidence: 96 },
      { box: [70, 20, 90, 24], text: 'house', confidence: 71 },
    ]);
    // The baseline is given at the lower left corner; in the middle of a falling line it is lower.
    expect(first).toMatchObject({ height: 30, slope: 0.01, turned: 0, baseline: 50 - 6 + 1 });
  });

  it('returns the text direction, or nothing if unknown', () => {
    const [turned] = linesOf(line(word('A'), 'bbox 0 0 9 90; textangle 90; x_size 12'));
    expect(turned).toMatchObject({ turned: 90, height: 12, baseline: null, slope: 0 });
    expect(linesOf(line(word('A'), 'bbox 0 0 9 90'))[0]).toMatchObject({ height: null });
  });

  it('skips lines without words, and includes titles, captions and floating lines', () => {
    expect(linesOf(line(word('  ')))).toEqual([]);
    for (const kind of ['ocr_header', 'ocr_caption', 'ocr_textfloat'])
      expect(linesOf(line(word('A')).replace('ocr_line', kind))).toHaveLength(1);
    for (const nothing of ['', '<html></html>', word('a word without a line')]) expect(linesOf(nothing)).toEqual([]);
  });

  it('accepts emphasis and decodes the five entities', () => {
    expect(linesOf(line(word('<strong><em>AT&amp;T</em></strong>')))[0]?.words[0]?.text).toBe('AT&T');
  });

  it('round-trips any text', () => {
    const read = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 12 }).filter((text) => text.trim() !== '');
    const signs: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };
    fc.assert(
      fc.property(fc.array(read, { minLength: 1, maxLength: 6 }), (texts) => {
        const written = texts.map((text) => word(text.replaceAll(/[&<>"']/g, (sign) => signs[sign] ?? '')));
        expect(linesOf(line(written.join('')))[0]?.words.map(({ text }) => text)).toEqual(
          texts.map((text) => text.trim()),
        );
      }),
    );
  });
});
