import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { blocksOf, drawn } from './blocks.js';
import type { Line } from './reader.js';

const EM = 20;

/** In letters half as wide as high. */
function line(text: string, left: number, top: number, em = EM): Line {
  const width = (text.length * em) / 2;
  let at = left;
  const words = text.split(' ').map((each) => {
    const box = [at, top, (each.length * em) / 2, em] as const;
    at += ((each.length + 1) * em) / 2;
    return { text: each, box };
  });
  return { box: [left, top, width, em], text, words, em, baseline: top + em * 0.8 };
}
const textsOf = (lines: readonly Line[]): string[] => blocksOf(lines).map(({ text }) => text);

describe('grouping lines', () => {
  const paragraph = ['Please open the door and', 'close the window before', 'you leave the old house'];

  it('joins continued lines into a paragraph, and keeps a heading apart', () => {
    const lines = [line('Instructions', 40, 20, 40), ...paragraph.map((text, at) => line(text, 40, 100 + at * 28))];
    expect(textsOf(lines)).toEqual(['Instructions', paragraph.join(' ')]);
  });

  it('joins lines in whatever order they were read', () => {
    const lines = paragraph.map((text, at) => line(text, 40, 100 + at * 28));
    fc.assert(
      fc.property(fc.shuffledSubarray(lines, { minLength: lines.length }), (shuffled) => {
        expect(textsOf(shuffled)).toEqual([paragraph.join(' ')]);
      }),
    );
  });

  it('keeps two columns apart', () => {
    const lines = paragraph.flatMap((text, at) => [line(text, 40, 100 + at * 28), line(text, 440, 100 + at * 28)]);
    expect(textsOf(lines)).toEqual([paragraph.join(' '), paragraph.join(' ')]);
  });

  it('keeps lists and tables as they are', () => {
    const list = ['- Please open the door and', '- Please shut the window an', '- Please read two old books'];
    expect(textsOf(list.map((text, at) => line(text, 40, 100 + at * 28)))).toEqual(list);
    const rows = [
      ['Material', 'Cotton'],
      ['Colour', 'White'],
    ].flatMap(([name = '', value = ''], at) => [line(name, 40, 100 + at * 30), line(value, 400, 100 + at * 30)]);
    expect(textsOf(rows)).toEqual(['Material', 'Cotton', 'Colour', 'White']);
  });

  it('starts a paragraph after a gap or after a short line', () => {
    expect(textsOf([line('Please open the door and', 40, 100), line('close the window before', 40, 170)])).toHaveLength(
      2,
    );
    const end = [
      line('Please open the door and', 40, 100),
      line('Go home.', 40, 128),
      line('Please shut the windows', 40, 156),
    ];
    expect(textsOf(end).at(-1)).toBe('Please shut the windows');
  });

  it('keeps every line exactly once', () => {
    const some = fc.record({
      text: fc.stringMatching(/^[a-z]{1,8}( [a-z]{1,8}){0,4}$/),
      left: fc.integer({ min: 0, max: 800 }),
      row: fc.integer({ min: 0, max: 30 }),
      em: fc.integer({ min: 8, max: 60 }),
    });
    fc.assert(
      fc.property(fc.array(some, { maxLength: 25 }), (all) => {
        // Separate rows: overlapping ones were read twice, and are kept once.
        const lines = all.map(({ text, left, em }, at) => line(text, left, at * 100, em));
        const blocks = blocksOf(lines);
        expect(blocks.flatMap((block) => block.lines)).toHaveLength(lines.length);
        expect(new Set(blocks.flatMap((block) => block.lines))).toEqual(new Set(lines));
        for (const { box, lines: own } of blocks)
          for (const { box: inner } of own) {
            expect(inner[0] >= box[0] && inner[1] >= box[1]).toBe(true);
            expect(inner[0] + inner[2] <= box[0] + box[2] && inner[1] + inner[3] <= box[1] + box[3]).toBe(true);
          }
      }),
    );
  });

  it('draws lines of nearly the same size in one size', () => {
    const sizes = blocksOf([line('Material', 40, 100, 20), line('Cotton', 40, 300, 21), line('Title', 40, 500, 40)]);
    expect(sizes.map(({ em }) => em)).toEqual([21, 21, 40]);
  });
});

describe('drawn text', () => {
  const alignOf = (lefts: readonly number[], texts: readonly string[]) => {
    const lines = texts.map((text, at) => line(text, lefts[at] ?? 0, 100 + at * 28));
    return drawn({ lines, em: EM, text: '', box: [0, 0, 1, 1] }, 'x').align;
  };

  it('keeps the alignment of its lines: left, right, centre', () => {
    const texts = ['a long line of words', 'shorter', 'a line of words'];
    expect(alignOf([40, 40, 40], texts)).toBe('left');
    expect(alignOf([80, 40, 40], texts)).toBe('left');
    expect(
      alignOf(
        texts.map((text) => 400 - text.length * 10),
        texts,
      ),
    ).toBe('right');
    expect(
      alignOf(
        texts.map((text) => 400 - text.length * 5),
        texts,
      ),
    ).toBe('centre');
    expect(alignOf([40], ['alone'])).toBeNull();
  });

  it('keeps the pitch of its lines, and uses its own for a single line', () => {
    const two = [line('one', 0, 100), line('two', 0, 130)];
    expect(drawn({ lines: two, em: EM, text: '', box: [0, 0, 1, 1] }, 'x').pitch).toBeCloseTo(30);
    expect(drawn({ lines: two.slice(1), em: EM, text: '', box: [0, 0, 1, 1] }, 'x').pitch).toBeCloseTo(26);
  });
});
