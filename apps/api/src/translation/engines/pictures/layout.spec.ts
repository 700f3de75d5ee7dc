import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { type Piece, piecesOf, wrap } from './layout.js';

const han = { language: 'zh-Hans', bold: false };
const parts = async (text: string, language = 'zh-Hans') =>
  (await piecesOf(text, { ...han, language })).map(({ text: part }) => part);

describe('unbreakable pieces', () => {
  it('are words, with punctuation attached', async () => {
    expect(await parts('你好，世界。')).toEqual(['你', '好，', '世', '界。']);
    expect(await parts('他说：“请（快）走！”')).toEqual(['他', '说：', '“请', '（快）', '走！”']);
    expect(await parts('用USB线 and two', 'zh-Hans')).toEqual(['用', 'USB', '线', 'and', 'two']);
    expect(await parts('สวัสดีครับ', 'th')).not.toHaveLength(0);
    expect(await parts('   ')).toEqual([]);
  });

  it('add up to the text without its white space', async () => {
    await fc.assert(
      fc.asyncProperty(fc.stringMatching(/^[\u4e00-\u4e20，。（）“” ]{1,30}$/u), async (text) => {
        expect((await parts(text)).join('')).toBe(text.replaceAll(/\s/gu, ''));
      }),
    );
  });
});

describe('line breaking', () => {
  const SPACE = 0.3;
  const piece = fc.record({
    text: fc.stringMatching(/^[a-z]{1,6}$/),
    width: fc.double({ min: 0.1, max: 5, noNaN: true }),
    spaced: fc.boolean(),
  });
  const lengthOf = (line: readonly Piece[]): number =>
    line.reduce((sum, { width, spaced }, at) => sum + width + (spaced && at > 0 ? SPACE : 0), 0);

  it('keeps every piece in order, within the width, and fills each line', () => {
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 20 }), fc.double({ min: 5, max: 20, noNaN: true }), (pieces, width) => {
        const lines = wrap(pieces, width, SPACE) ?? [];
        const left = [...pieces];
        for (const line of lines) {
          const own: Piece[] = [];
          while (left.length > 0 && written(own) !== line) own.push(...left.splice(0, 1));
          expect(written(own)).toBe(line);
          expect(lengthOf(own)).toBeLessThanOrEqual(width + 1e-9);
          const [next] = left;
          if (next) expect(lengthOf([...own, next])).toBeGreaterThan(width - 1e-9);
        }
        expect(left).toEqual([]);
      }),
    );
    function written(own: readonly Piece[]): string {
      return own.map(({ text, spaced }, at) => (spaced && at > 0 ? ' ' : '') + text).join('');
    }
  });

  it('returns no lines when a piece is wider than the width', () => {
    expect(wrap([{ text: 'a', width: 2, spaced: false }], 1.9, SPACE)).toBeNull();
    expect(wrap([], 1, SPACE)).toEqual([]);
  });
});
