import { describe, expect, it } from '@jest/globals';

import { DEEPL_TARGETS } from '../deepl/deepl.js';
import { GOOGLE_LANGUAGES } from '../google/google.js';
import { LIBRETRANSLATE_LANGUAGES } from '../libretranslate/libretranslate.js';
import { MICROSOFT_LANGUAGES } from '../microsoft/microsoft.js';
import { TENCENT_LANGUAGES } from '../tencent/tencent.js';
import { YOUDAO_LANGUAGES } from '../youdao/youdao.js';
import { detectLanguage } from './detection.js';
import { languageOf } from './language.js';
import { PHRASES, type Phrase } from './texts-phrases.js';
import { sandboxTranslation } from './translator.js';

const into = (text: string, source: string, target: string, wording = 0): string =>
  sandboxTranslation(text, { wording, source: languageOf(source), target: languageOf(target) });

const LISTS = [
  GOOGLE_LANGUAGES,
  MICROSOFT_LANGUAGES,
  TENCENT_LANGUAGES,
  YOUDAO_LANGUAGES,
  DEEPL_TARGETS,
  LIBRETRANSLATE_LANGUAGES,
];
const EVERY = [...new Set(LISTS.flatMap(({ codes }) => codes))];

/** Matches text written in a script. */
function lettersOf(script: string): RegExp {
  const parts = { Hans: ['Han'], Hant: ['Han'], Jpan: ['Han', 'Hira', 'Kana'], Kore: ['Hang'], Aran: ['Arab'] }[script];
  const classes = (parts ?? [script]).map((name) => `\\p{sc=${name}}`).join('');
  return new RegExp(`^[${classes}\\p{sc=Zinh}\\p{sc=Zyyy}]+$`, 'u');
}

const KEPT =
  '{0} ⟦1⟧ [[x]] {name} {{n}} %s %1$s ${x} <b> </b> &amp; https://a.example/b?c=d a@b.example @name 😀 12.50 SKU-12 USB-C';

describe('a text that the phrase book does not have', () => {
  const TEXT = 'Whatever somebody may ever say about bicycles';

  it.each(EVERY)('into %s is unchanged between marks in its script', (code) => {
    const { script } = languageOf(code);
    const [, before = '', text, after] = /^\[(.+)\] (.*) \[(.+)\]$/u.exec(into(TEXT, 'en', code)) ?? [];
    expect(text).toBe(TEXT);
    expect(after).toBe(before);
    // Unicode has no letters of Klingon's own script.
    expect(before).toMatch(lettersOf(script === 'Piqd' ? 'Latn' : script));
    expect([...before].length).toBeGreaterThan(1);
  });

  it('keeps protected pieces and all white space', () => {
    const text = `{0} ${KEPT},\n\nnew line\r\n\tlast.`;
    expect(into(`  ${text} `, 'en', 'fr')).toBe(`  [sandbox] ${text} [sandbox] `);
  });

  it('is marked as a whole, also where the book has a part', () => {
    expect(into('Hello, my bicycle', 'en', 'zh-CN')).toBe('[沙箱] Hello, my bicycle [沙箱]');
  });

  it('is deterministic, and differs between vendors', () => {
    const made = [0, 1, 2, 3, 4, 5, 6].map((wording) => into(TEXT, 'en', 'ja', wording));
    expect(into(TEXT, 'en', 'ja')).toBe(made[0]);
    expect(new Set(made).size).toBe(7);
  });

  it('of no words is the text itself', () => {
    for (const text of ['', '  \n', '123', '{0}', 'https://a.example', '… !?'])
      expect(into(text, 'en', 'ja')).toBe(text);
  });

  it.each([
    ['letters', 'a'.repeat(5000)],
    ['dots', 'a.'.repeat(2500)],
    ['open brackets', '[{<⟦'.repeat(1250)],
    ['hyphens', 'a-'.repeat(2500)],
    ['emoji', '👩‍👩‍👧‍👦'.repeat(600)],
  ])('of 5,000 %s is fast', (_what, text) => {
    const begin = performance.now();
    into(text, 'en', 'zh-CN');
    expect(performance.now() - begin).toBeLessThan(2000);
  });
});

describe('the phrase book', () => {
  const columns = Object.keys(PHRASES[0]!) as (keyof Phrase)[];

  it('has every phrase in every language, with the same slots and no sentence end inside', () => {
    for (const phrase of PHRASES) {
      for (const column of columns) {
        for (const wording of phrase[column].split(' | ')) {
          expect(wording.trim()).not.toBe('');
          expect(wording.split('#').length).toBe(phrase.en.split(' | ')[0]!.split('#').length);
          expect(wording).not.toMatch(/[,.!?;:，。！？；：、…]/);
        }
      }
    }
  });

  it.each([
    ['你好', 'zh', 'en', 'Hello'],
    ['How much is it?', 'en', 'zh-CN', '这个多少钱?'],
    ['HOW MUCH IS IT', 'en', 'ja', 'これはいくらですか'],
    ['Hello, how are you?', 'en', 'es', 'Hola, ¿Cómo está?'],
    ['您的订单 {0} 已发货。', 'zh', 'en', 'Your order {0} has been shipped。'],
    ['You’re welcome!', 'en', 'de', 'Gern geschehen!'],
    ['감사합니다', 'ko', 'pt-BR', 'Obrigado'],
  ])('%s (%s → %s)', (text, source, target, said) => {
    expect(into(text, source, target)).toBe(said);
  });

  it('has different wordings for different vendors', () => {
    expect([0, 1, 2].map((wording) => into('你好', 'zh', 'en', wording))).toEqual(['Hello', 'Hi', 'Hello']);
  });
});

describe('the language of a text', () => {
  it.each([
    ['你好，请问有货吗', 'zh-Hans'],
    ['請問這個多少錢', 'zh-Hant'],
    ['これはペンです', 'ja'],
    ['배송은 언제 되나요', 'ko'],
    ['Где мой заказ', 'ru'],
    ['Де моє замовлення', 'uk'],
    ['أين طلبي', 'ar'],
    ['Guten Tag', 'de'],
    ['Wann kommt meine Bestellung, bitte?', 'de'],
    ['Où est ma commande et quand arrive-t-elle ?', 'fr'],
    ['¿Cuándo llega el pedido?', 'es'],
    ['Quando chega o meu pedido, por favor? Não sei', 'pt'],
    ['When will you ship the order?', 'en'],
    ['12345', 'en'],
  ])('%s: %s', (text, tag) => expect(detectLanguage(text).tag).toBe(tag));
});
