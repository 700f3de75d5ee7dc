import { describe, expect, it } from '@jest/globals';
import { canBeFound, isTermText, tidyTerm } from '@yiqiao/domain/glossary';
import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { csvHead, csvLines } from '../platform/csv.js';
import { keyOf } from './term-keys.js';
import { readTermsFile } from './terms-file.js';
import { columns } from './terms-table.js';

const languages = { langCode: (code: string) => (['en', 'de', 'zh-Hans'].includes(code) ? code : null) };

const text = fc
  .array(
    fc.oneof(
      fc.constantFrom(
        '=',
        '+',
        '-',
        '@',
        "'",
        '"',
        ',',
        ';',
        '\t',
        '＝',
        '\u200b',
        '\u00a0',
        'a',
        '好',
        '1',
        ' ',
        '\\',
      ),
      fc.string({ unit: 'binary', maxLength: 3 }),
    ),
    { minLength: 1, maxLength: 6 },
  )
  .map((parts) => tidyTerm(parts.join('')))
  .filter(isTermText);

const pair = fc.constantFrom(
  { source: 'en', target: 'de' },
  { source: 'de', target: 'en' },
  { source: 'zh-Hans', target: 'en' },
);
const term = fc
  .record({ pair, term: text.filter(canBeFound), translation: text })
  .map((made) => ({ ...made.pair, term: made.term, translation: made.translation }));

describe('glossary files', () => {
  it('round-trip any terms and contain no formula', () => {
    fc.assert(
      fc.property(
        fc.uniqueArray(term, { selector: keyOf, minLength: 1, maxLength: 20 }),
        fc.constantFrom('zh' as const, 'en' as const),
        (terms, language) => {
          const file = csvHead(columns, language) + csvLines(columns, terms);
          expect(readTermsFile(Buffer.from(file), languages)).toEqual(terms);
          for (const cell of parse(file, { bom: true }).flat()) expect(cell).not.toMatch(/^\p{C}*[=+@＝＋－＠\t-]/u);
        },
      ),
    );
  });
});
