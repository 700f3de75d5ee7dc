import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { canBeFound, findTerms, isTermText, termKey, TermIndex, tidyTerm } from './glossary.js';

const of = (...terms: string[]) => terms.map((term) => ({ term, translation: `<${term}>` }));
const found = (text: string, ...terms: string[]) => findTerms(text, of(...terms)).map((one) => one.term);

describe('finding terms in a text', () => {
  it('returns their positions, the longest first', () => {
    const text = '请买苹果数据线和苹果。';
    const hits = findTerms(text, of('苹果', '数据线', '苹果数据线'));
    expect(hits.map(({ term, start, end }) => [term, text.slice(start, end)])).toEqual([
      ['苹果数据线', '苹果数据线'],
      ['苹果', '苹果'],
    ]);
  });

  it.each([
    ['a whole word', 'the car is a cargo car', 'car', 2],
    ['not a part of a word', 'cargo scar', 'car', 0],
    ['not of an identifier', 'my_car car_1', 'car', 0],
    ['next to Chinese', '我的car很好', 'car', 1],
    ['next to punctuation', '"car", (car) car’s car-park', 'car', 4],
    ['not with more digits', 'GPT 45', 'GPT 4', 0],
    ['Japanese anywhere', 'このサーバーは', 'サーバー', 1],
    ['Korean with its particle', '아이폰은 좋다', '아이폰', 1],
    ['Thai without blanks', 'ฉันรักแมวมาก', 'แมว', 1],
    ['not half of a Thai letter', 'กำ', 'ก', 1],
    ['Arabic as a word', 'هذا كتاب جديد', 'كتاب', 1],
    ['several words over any blanks', 'Data\u00a0 cable', 'data cable', 1],
    ['not over a line’s end', 'data\ncable', 'data cable', 0],
    ['at both ends', 'car', 'car', 1],
  ])('%s', (_, text, term, count) => {
    expect(found(text, term)).toHaveLength(count);
  });

  it('matches case only for terms with an inner capital', () => {
    expect(found('Data CABLE data cable', 'Data cable')).toHaveLength(2);
    expect(found('us US Us', 'US')).toEqual(['US']);
    expect(found('iphone iPhone', 'iPhone')).toEqual(['iPhone']);
    expect(found('5g of 5G', '5G')).toEqual(['5G']);
    expect(found('us and US', 'us', 'US')).toEqual(['us', 'US']);
  });

  it('ignores differences in Unicode normalisation', () => {
    expect(found('un cafe\u0301 noir', 'café noir')).toHaveLength(1);
    expect(found('ＵＳＢ接口', 'USB接口')).toHaveLength(1);
    expect(found('한글'.normalize('NFD'), '한글')).toHaveLength(1);
    expect(found('don’t', "don't")).toHaveLength(1);
    expect(found('ΟΔΟΣ', 'οδός'.normalize('NFD').replace(/\u0301/g, ''))).toHaveLength(1);
  });

  it('matches all of a protected piece or none of it', () => {
    const index = new TermIndex(of('Windows 11', 'example', '11'));
    const text = 'Windows 11 at https://example.com/11 or Windows 11.5';
    const fixed = ['11', 'https://example.com/11', '11.5'].reduce<{ start: number; end: number }[]>((spans, piece) => {
      const start = text.indexOf(piece, spans.at(-1)?.end ?? 0);
      return [...spans, { start, end: start + piece.length }];
    }, []);
    expect(index.find(text, fixed).map(({ term }) => term)).toEqual(['Windows 11']);
  });

  it('returns separate, ordered and real matches in any text', () => {
    const word = fc.oneof(
      fc.constantFrom('苹果', '数据线', 'data', 'data cable', 'USB', 'é', 'e\u0301', '한', '5G', 'ß', '😀a'),
      fc.string({ unit: 'binary', minLength: 1, maxLength: 5 }),
    );
    fc.assert(
      fc.property(fc.array(word, { maxLength: 8 }), fc.array(word, { maxLength: 30 }), (words, parts) => {
        const terms = of(...new Set(words.map(tidyTerm).filter((term) => isTermText(term) && canBeFound(term))));
        const text = parts.join('');
        let last = 0;
        for (const { start, end, term } of findTerms(text, terms)) {
          expect(start).toBeGreaterThanOrEqual(last);
          expect(end).toBeGreaterThan(start);
          expect(
            termKey(tidyTerm(text.slice(start, end)))
              .replace(/^=/, '')
              .toLowerCase(),
          ).toBe(termKey(term).replace(/^=/, '').toLowerCase());
          last = end;
        }
      }),
    );
  });

  it('takes no longer in texts made to be slow', () => {
    const many = Array.from({ length: 5_000 }, (_, n) => '数'.repeat(1 + (n % 199)) + String.fromCharCode(0x4e00 + n));
    // Term by term this would take minutes.
    expect(new TermIndex(of(...many)).find('数'.repeat(5_000))).toEqual([]);
  });
});

describe('a term', () => {
  it('is normalised, and unique in any case unless it has an inner capital', () => {
    expect(tidyTerm('  data \t cable\n')).toBe('data cable');
    expect(termKey('Data cable')).toBe(termKey('data CABLE'.toLowerCase()));
    expect(termKey('USB')).not.toBe(termKey('usb'));
    expect(termKey('ＵＳＢ')).toBe(termKey('USB'));
  });

  it.each([
    ['', false],
    ['a', true],
    ['好'.repeat(200), true],
    ['好'.repeat(201), false],
    ['a\u0000', false],
    ['a\u202eb', false],
    ['\ud800', false],
  ])('accepts %j: %s', (text, will) => {
    expect(isTermText(text)).toBe(will);
  });

  it('needs a character to search for', () => {
    expect(['!', '—', '😀'].filter(canBeFound)).toEqual([]);
    expect(['a', '5', '好', '٣'].filter(canBeFound)).toHaveLength(4);
  });
});
