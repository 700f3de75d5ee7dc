import { describe, expect, it } from '@jest/globals';
import { processorTime } from '../../test/support/processor-time.js';
import { detectLanguage } from './detect-language.js';

const OFFLINE = new Set(['zh-Hans', 'zh-Hant', 'en', 'es', 'fr', 'it', 'pt-BR', 'ca', 'eo']);

const PHRASES: Readonly<Record<string, readonly string[]>> = {
  'zh-Hans': ['这个产品多少钱？', '你好', '支持USB数据线吗', '优の良品'],
  'zh-Hant': ['這個產品多少錢', '我們明天發貨', '請重啟滑鼠和印表機'],
  en: [
    'Hello, how much is it?',
    'Thank you',
    'Can you ship this tomorrow?',
    'ok I will pay now',
    'hello',
    'ok',
    'I love 北京',
  ],
  es: [
    'Hola',
    'Hola amigo',
    '¿Cuánto cuesta este producto?',
    'Muchas gracias',
    'Quiero dos cajas por favor',
    'no tengo dinero',
    'La caja está rota',
  ],
  fr: ['Bonjour, combien ça coûte ?', 'Merci beaucoup', 'merci', 'Je veux acheter deux livres'],
  de: ['Wie viel kostet das?', 'Vielen Dank', 'Ich möchte zwei Bücher kaufen', 'Danke'],
  'pt-BR': ['Quanto custa este produto?', 'Muito obrigado', 'Quero comprar dois livros'],
  it: ['Quanto costa questo prodotto?', 'Grazie mille', 'Voglio comprare due libri'],
  eo: ['La domo estas granda', 'Saluton'],
  ja: ['こんにちは、いくらですか？', 'ありがとう', '明日発送します'],
  ko: ['안녕하세요, 얼마예요?', 'iPhone 감사합니다'],
  ru: ['Здравствуйте, сколько стоит?', 'Спасибо', 'Я хочу купить две книги'],
  uk: ['Скільки це коштує?', 'Дякую'],
  ar: ['كم سعر هذا المنتج؟', 'شكرا'],
  fa: ['قیمت این چند است؟'],
  hi: ['यह कितने का है?'],
  th: ['ราคาเท่าไหร่'],
  he: ['כמה זה עולה?'],
  el: ['Πόσο κοστίζει;'],
  vi: ['Cái này giá bao nhiêu?', 'Cảm ơn'],
  id: ['Berapa harga barang ini?', 'Terima kasih'],
  tr: ['Bu ürün ne kadar?', 'Teşekkür ederim'],
  pl: ['Ile to kosztuje?', 'Dziękuję bardzo'],
  nl: ['Hoeveel kost dit product?', 'Dank je wel'],
  sv: ['Hur mycket kostar det?'],
};

describe('detectLanguage', () => {
  const cases = Object.entries(PHRASES).flatMap(([langCode, texts]) => texts.map((text) => [langCode, text] as const));

  it.each(cases)('%s: %s', async (langCode, text) => {
    expect((await detectLanguage(text, OFFLINE)).langCode).toBe(langCode);
  });

  it.each(['', ' \n', '12.50', '😀👍', 'https://example.com/hello', 'bob@example.com'])(
    'returns null for %p',
    async (text) => {
      expect(await detectLanguage(text, OFFLINE)).toEqual({ langCode: null, sure: false });
    },
  );

  it('reports whether it is certain', async () => {
    expect((await detectLanguage('Thank you', OFFLINE)).sure).toBe(true);
    expect((await detectLanguage('ขอบคุณ', OFFLINE)).sure).toBe(true);
    expect((await detectLanguage('asdf qwer', OFFLINE)).sure).toBe(false);
  });

  it('returns no translatable language in place of one that is not translatable', async () => {
    expect(
      (await detectLanguage('Ich möchte zwei Bücher kaufen, bitte schicken Sie sie morgen.', OFFLINE)).langCode,
    ).toBe('de');
  });

  it('reads only the beginning of a long text, quickly', async () => {
    const long = 'The house is big and I want to buy two books. '.repeat(108);
    expect(await detectLanguage(long, OFFLINE)).toEqual({ langCode: 'en', sure: true });
    expect(await processorTime(() => detectLanguage(long, OFFLINE))).toBeLessThan(2);
  });
});
