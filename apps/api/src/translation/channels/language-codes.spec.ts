import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { vectors } from '../../../test/support/vectors.js';
import { chatgpt } from './chatgpt.js';
import { deepl } from './deepl.js';
import { google } from './google.js';
import { BASE_OF, canonicalLanguage, LANGUAGE_ALIASES } from './language-codes.js';
import { languageOf, languages } from './languages.js';
import { libretranslate } from './libretranslate.js';
import { microsoft } from './microsoft.js';
import { tencent } from './tencent.js';
import { youdao } from './youdao.js';

/** The vendors that document the codes of their languages. */
const LISTED = { google, microsoft, tencent, youdao, deepl };
type ListedVendor = keyof typeof LISTED;
const VENDORS = { ...LISTED, chatgpt, libretranslate };
const ownCodes = (langCode: string): Record<string, string | null> =>
  Object.fromEntries(Object.entries(LISTED).map(([code, vendor]) => [code, vendor.languages.own(langCode)]));

type Case = { input: string; langCode: string | null; providers: Record<ListedVendor, string | null> | null };
const { aliases, cases } = vectors<{ aliases: Record<string, string>; cases: Case[] }>('lang-mapping');

const langCodes = languages().map(({ langCode }) => langCode);
const anyLanguage = fc.constantFrom(...langCodes);
const anyVendor = fc.constantFrom(...Object.values(LISTED));
/** The same tag in other spellings. */
const written = (tag: string) =>
  fc
    .tuple(fc.array(fc.boolean(), { minLength: tag.length, maxLength: tag.length }), fc.boolean())
    .map(([upper, underscore]) => {
      const cased = [...tag].map((letter, at) => (upper[at] ? letter.toUpperCase() : letter.toLowerCase())).join('');
      return underscore ? cased.replaceAll('-', '_') : cased;
    });

describe('parsing a client’s language', () => {
  it.each(cases)('$input → $langCode', ({ input, langCode, providers }) => {
    expect(canonicalLanguage(input)).toBe(langCode);
    expect(langCode === null ? null : ownCodes(langCode)).toEqual(providers);
  });

  it('accepts every alias, and every alias maps to a supported language', () => {
    expect(Object.fromEntries(LANGUAGE_ALIASES)).toEqual(aliases);
    for (const [alias, langCode] of Object.entries(aliases)) {
      expect([alias, canonicalLanguage(alias)]).toEqual([alias, langCode]);
      expect(languageOf(langCode)?.langCode).toBe(langCode);
    }
  });

  it('accepts each language however it is spelled', () => {
    fc.assert(
      fc.property(
        anyLanguage.chain((code) => fc.tuple(fc.constant(code), written(code))),
        ([code, tag]) => {
          expect(canonicalLanguage(tag)).toBe(code);
        },
      ),
    );
    for (const code of langCodes) expect(canonicalLanguage(code)).toBe(code);
  });

  it('ignores regions and scripts that are not supported', () => {
    fc.assert(
      fc.property(anyLanguage, fc.stringMatching(/^x[a-z0-9]{3,7}$/), (code, more) => {
        expect(canonicalLanguage(`${code}-${more}`)).toBe(code);
      }),
    );
  });

  it('returns null for anything that is not a tag', () => {
    for (const input of [
      '',
      'auto',
      '-',
      'en-',
      '-en',
      'en--US',
      'e',
      'constructor',
      '__proto__',
      ' en',
      'en US',
      'xx',
    ])
      expect([input, canonicalLanguage(input)]).toEqual([input, null]);
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 5_000 }), (input) => {
        const found = canonicalLanguage(input);
        expect(found === null || langCodes.includes(found)).toBe(true);
      }),
    );
  });
});

describe('vendor codes', () => {
  it('map back to the language, however the vendor spells them', () => {
    fc.assert(
      fc.property(
        anyVendor,
        anyLanguage.chain((code) => fc.tuple(fc.constant(code), fc.infiniteStream(fc.boolean()))),
        (vendor, [langCode, upper]) => {
          const code = vendor.languages.code(langCode, 'target');
          if (code === null) return;
          const said = [...code].map((letter) => (upper.next().value ? letter.toUpperCase() : letter)).join('');
          const own = vendor.languages.own(langCode) !== null;
          expect(vendor.languages.langCodeOf(said)).toBe(own ? langCode : BASE_OF.get(langCode));
        },
      ),
      { numRuns: 2_000 },
    );
  });

  it('fall back to the base language when the vendor has no variants', () => {
    expect(google.languages.code('en-GB', 'target')).toBe('en');
    expect(google.languages.code('es-419', 'source')).toBe('es');
    expect(tencent.languages.code('pt-PT', 'target')).toBe('pt');
    expect(youdao.languages.code('fr-CA', 'target')).toBe('fr');
    expect(microsoft.languages.code('pt-PT', 'target')).toBe('pt-pt');
  });

  it('never stand for another script or an unknown language', () => {
    expect(google.languages.code('sr-Latn', 'target')).toBeNull();
    expect(tencent.languages.code('sr-Cyrl', 'target')).toBeNull();
    expect(google.languages.code('zh', 'target')).toBeNull();
    expect(google.languages.code('auto', 'source')).toBeNull();
  });

  it('are upper case at DeepL, without region and script as a source', () => {
    const both = (langCode: string) => [
      deepl.languages.code(langCode, 'source'),
      deepl.languages.code(langCode, 'target'),
    ];
    expect(both('zh-Hans')).toEqual(['ZH', 'ZH-HANS']);
    expect(both('zh-Hant')).toEqual(['ZH', 'ZH-HANT']);
    expect(both('en')).toEqual(['EN', 'EN-US']);
    expect(both('pt-PT')).toEqual(['PT', 'PT-PT']);
    expect(both('es-419')).toEqual(['ES', 'ES-419']);
    expect(both('no')).toEqual(['NB', 'NB']);
    expect(both('fr-CA')).toEqual(['FR', 'FR']);
  });
});

describe('language pairs', () => {
  it('are null when source and target have the same vendor code', () => {
    expect(google.languages.pair('en', 'en-GB')).toBeNull();
    expect(deepl.languages.pair('zh-Hans', 'zh-Hant')).toBeNull();
    expect(deepl.languages.pair('en', 'en-GB')).toBeNull();
    expect(google.languages.pair('zh-Hans', 'zh-Hant')).toEqual({ source: 'zh-CN', target: 'zh-TW' });
    expect(microsoft.languages.pair('pt-BR', 'pt-PT')).toEqual({ source: 'pt', target: 'pt-pt' });
    expect(tencent.languages.pair('en', 'uk')).toBeNull();
  });
});

describe('detected languages', () => {
  it.each([
    ['google', 'iw', 'he'],
    ['google', 'he', 'he'],
    ['google', 'jv', 'jv'],
    ['google', 'tl', 'fil'],
    ['google', 'zh', 'zh-Hans'],
    ['google', 'ku', 'kmr'],
    ['google', 'no', 'no'],
    ['microsoft', 'ku', 'ckb'],
    ['microsoft', 'nb', 'no'],
    ['microsoft', 'zh-Hant', 'zh-Hant'],
    ['microsoft', 'mni', 'mni-Mtei'],
    ['tencent', 'jp', 'ja'],
    ['tencent', 'kr', 'ko'],
    ['tencent', 'zh_TW', 'zh-Hant'],
    ['youdao', 'zh-CHS', 'zh-Hans'],
    ['youdao', 'tl', 'fil'],
    ['youdao', 'ku', 'kmr'],
    ['deepl', 'EN', 'en'],
    ['deepl', 'ZH', 'zh-Hans'],
    ['deepl', 'PT', 'pt-BR'],
    ['deepl', 'NB', 'no'],
    ['libretranslate', 'zt', 'zh-Hant'],
    ['libretranslate', 'pb', 'pt-BR'],
    ['libretranslate', 'nb', 'no'],
    ['libretranslate', 'zh-Hans', 'zh-Hans'],
    ['chatgpt', 'zh-CN', 'zh-Hans'],
    ['google', 'kr', null],
    ['google', 'und', null],
    ['google', '', null],
  ] as const)('%s: %s → %s', (vendor, code, langCode) => {
    expect(VENDORS[vendor].languages.langCodeOf(code)).toBe(langCode);
  });
});
