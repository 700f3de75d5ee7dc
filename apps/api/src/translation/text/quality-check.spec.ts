import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { anyText } from '../../../test/support/texts.js';
import { languages } from '../channels/languages.js';
import { areNear, lettersOf, type QualityIssue, qualityIssueOf } from './quality-check.js';

const rows: [source: string | null, target: string, piece: string, answer: string, flaw: QualityIssue | null][] = [
  // empty
  ['en', 'zh-Hans', 'Hello', '', 'blank'],
  ['en', 'zh-Hans', 'Hello', ' \u200b\n', 'blank'],
  ['en', 'zh-Hans', 'Please send me the invoice {0}', '{0} …', 'blank'],
  ['zh-Hans', 'en', '{0}个', '{0}', null],
  // equal to the source
  ['en', 'zh-Hans', 'Hello world', 'Hello world', 'same'],
  ['en', 'zh-Hans', 'good morning', ' good  morning', 'same'],
  ['zh-Hans', 'en', '你好', '你好', 'same'],
  ['ja', 'en', 'こんにちは', 'こんにちは', 'same'],
  ['ar', 'en', 'مرحبا', 'مرحبا', 'same'],
  ['ru', 'en', 'Привет, как дела?', 'Привет, как дела?', 'same'],
  ['en', 'es', 'The house is very big', 'The house is very big', 'same'],
  [null, 'zh-Hans', 'Where is my order?', 'Where is my order?', 'same'],
  ['ko', 'ja', '안녕하세요', '안녕하세요', 'same'],
  // may stay unchanged
  ['en', 'zh-Hans', 'iPhone Pro Max', 'iPhone Pro Max', null],
  ['en', 'zh-Hans', 'USB', 'USB', null],
  ['en', 'ja', 'SKU-ABC', 'SKU-ABC', null],
  ['en', 'zh-Hans', 'ok', 'ok', null],
  ['en', 'de', 'Hotel Berlin', 'Hotel Berlin', null],
  ['en', 'es', 'No', 'No', null],
  ['en', 'fr', 'restaurant', 'restaurant', null],
  ['zh-Hans', 'ja', '東京大学', '東京大学', null],
  ['zh-Hans', 'zh-Hant', '你好，我明天到公司', '你好，我明天到公司', null],
  ['id', 'ms', 'saya suka makan nasi goreng', 'saya suka makan nasi goreng', null],
  ['no', 'da', 'jeg vil gerne have det nu', 'jeg vil gerne have det nu', null],
  ['en', 'en-GB', 'where is my order now', 'where is my order now', null],
  [null, 'es', 'the house is very big', 'the house is very big', null],
  ['en', 'zh-Hans', '{0} {1}!', '{0} {1}!', null],
  ['zh-Hans', 'zh-Hant', '中文 hello world', '中文 hello world', null],
  ['id', 'ms', 'saya suka 中文', 'saya suka 中文', null],
  ['zh-Hans', 'zh-Hant', 'hello world', 'hello world', 'same'],
  ['zh-Hans', 'zh-Hant', 'こんにちは', 'こんにちは', 'same'],
  ['sr-Cyrl', 'sr-Latn', 'Ово је iPhone телефон', 'Ово је iPhone телефон', 'same'],
  ['zh-Hans', 'en', '中文 hello world', '中文 hello world', 'same'],
  // another script
  ['en', 'zh-Hans', 'Hello', 'Bonjour', 'script'],
  ['en', 'zh-Hans', 'Good morning', 'Доброе утро', 'script'],
  ['zh-Hans', 'en', '你好世界', 'Привет мир', 'script'],
  ['en', 'ru', 'Where is my order?', 'Dónde está mi pedido', 'script'],
  ['en', 'ar', 'Good morning', 'おはようございます', 'script'],
  ['zh-Hans', 'ko', '谢谢', 'thank you', 'script'],
  ['en', 'hi', 'Thanks a lot', 'Merci beaucoup', 'script'],
  ['zh-Hans', 'ja', '谢谢', 'thank you', 'script'],
  ['zh-Hans', 'ja', '谢谢', 'Thank you', 'script'],
  ['zh-Hans', 'ja', '谢谢！', 'Thanks!', 'script'],
  ['zh-Hans', 'ja', '早上好，我想知道我的订单在哪里', 'Bonjour', 'script'],
  ['en', 'zh-Hans', 'Google', 'Bonjour', 'script'],
  ['zh-Hans', 'en', '安娜', 'анна', 'script'],
  ['zh-Hans', 'ru', '我的 iPhone', '我的 iPhone', 'same'],
  ['zh-Hans', 'ru', '我的 iPhone', '我 iPhone', 'script'],
  // a name
  ['zh-Hans', 'ja', '谷歌', 'Google', null],
  ['zh-Hans', 'ru', '苹果手机', 'iPhone', null],
  ['zh-Hans', 'ko', '脸书', 'Facebook', null],
  ['zh-Hans', 'ru', '谷歌 Play', 'Google Play', null],
  ['ka', 'ja', 'გუგლი', 'Google', null],
  ['ar', 'zh-Hans', 'جوجل', 'Google', null],
  // the right script, with foreign words
  ['en', 'zh-Hans', 'Install React Router with npm install', '用 npm install 安装 React Router', null],
  ['zh-Hans', 'en', '我在淘宝买的', 'I bought it on 淘宝', null],
  ['en', 'ja', 'Tokyo', '東京', null],
  ['zh-Hans', 'ja', '你好', 'こんにちは', null],
  ['en', 'ko', 'I use Windows', '저는 Windows를 사용합니다', null],
  ['en', 'sr-Latn', 'Good morning', 'Dobro jutro', null],
  ['en', 'sr-Cyrl', 'Good morning', 'Добро јутро', null],
  ['en', 'uz', 'Good morning', 'Хайрли тонг', null],
  ['en', 'mww', 'Good morning', 'Nyob zoo sawv ntxov', null],
  ['en', 'crh', 'Good morning', 'Sabalar hayırlı olsun', null],
  ['en', 'el', 'Angle α', 'Γωνία α', null],
  ['en', 'yue', 'Hello', '你好', null],
  ['en', 'zh-Hans', 'See https://example.com/page', '见 https://example.com/page', null],
];

describe('untranslated responses', () => {
  it.each(rows)('%s → %s: %j → %j', (source, target, piece, answer, flaw) => {
    expect(qualityIssueOf(piece, answer, { source, target })).toBe(flaw);
  });

  it('are never reported for the letters of the target language', () => {
    for (const { langCode, nativeName } of languages()) {
      const letters = lettersOf(langCode);
      const own = Array.from(nativeName).filter((letter) => /\p{L}/u.test(letter));
      // Some names in the table are English ones.
      if (letters === null || !own.every((letter) => letters.test(letter))) continue;
      expect(qualityIssueOf('x', nativeName, { source: 'en', target: langCode })).toBeNull();
    }
  });

  it('are reported when empty, and the check never throws', () => {
    const language = fc.constantFrom(...languages().map(({ langCode }) => langCode));
    fc.assert(
      fc.property(anyText(), anyText(), fc.option(language), language, (piece, answer, source, target) => {
        const flaw = qualityIssueOf(piece, answer, { source, target });
        expect([null, 'blank', 'same', 'script']).toContain(flaw);
        if (answer.trim() === '') expect(flaw).toBe('blank');
      }),
      { numRuns: 300 },
    );
  });
});

describe('scripts', () => {
  it('are known for every supported language whose script Unicode knows', () => {
    const unknown = languages().filter(({ langCode }) => lettersOf(langCode) === null);
    expect(unknown.map(({ langCode }) => langCode).sort()).toEqual(['tlh', 'tlh-Piqd']);
  });

  it('list near languages in both directions', () => {
    expect(areNear('zh-Hans', 'zh-Hant')).toBe(true);
    expect(areNear('pt-BR', 'es')).toBe(true);
    expect(areNear('en', 'es')).toBe(false);
  });
});
