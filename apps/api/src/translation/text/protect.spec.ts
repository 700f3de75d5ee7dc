import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { anyText, HOSTILE } from '../../../test/support/texts.js';
import { placeholderOf, readPlaceholders } from './placeholders.js';
import { missingFrom, protect, restore } from './protect.js';

describe('protected pieces', () => {
  it.each([
    // addresses
    ['Visit https://example.com/a?b=1&c=%20#d.', ['https://example.com/a?b=1&c=%20#d'], 'Visit {0}.'],
    ['详见（https://example.com/help）。', ['https://example.com/help'], '详见（{0}）。'],
    ['见https://example.com看看', ['https://example.com'], '见{0}看看'],
    ['https://zh.wikipedia.org/wiki/中国 很大', ['https://zh.wikipedia.org/wiki/中国'], '{0} 很大'],
    ['(see https://en.wikipedia.org/wiki/Go_(game))', ['https://en.wikipedia.org/wiki/Go_(game)'], '(see {0})'],
    ['打开 www.example.com/路径，谢谢', ['www.example.com/路径'], '打开 {0}，谢谢'],
    ['官网是yiqiao.example.cn，欢迎', ['yiqiao.example.cn'], '官网是{0}，欢迎'],
    ['راسلني على li.lei@example.com من فضلك', ['li.lei@example.com'], 'راسلني على {0} من فضلك'],
    ['邮箱li_lei+a@mail.example.co.jp。', ['li_lei+a@mail.example.co.jp'], '邮箱{0}。'],
    // addresses without a scheme
    ...[
      't.me/user_name1',
      'wa.me/8613800138000',
      'bit.ly/3AbCdEf',
      'youtu.be/dQw4w9WgXcQ',
      'mysite.shop',
      'shop.example.de/path?x=1',
      'openai.ai/docs',
      'site.co/abc',
      'files.intranet/abc',
      'db.internal:5432',
      'localhost:8080/x',
      'localhost/x',
      '192.168.1.1:80/a',
      '192.168.1.1/a',
      '[2001:db8::1]:8080/x',
      '[::1]/x',
      'müller.de/über-uns',
      'example.fr',
      'example.com.br',
      'EXAMPLE.COM',
      'shop.example.it',
      'my-shop.es',
      'xn--fiqs8s.cn',
      'example.xn--p1ai',
      'user@域名.中国',
      'user@example.中国',
      'user@münchen.de',
      'info@почта.рф',
      // numbers and placeholders
      '0xFF',
      '1e-9',
      '1.5E+10',
      '0b1010',
      '{0,number,#.##}',
      '{when, date, short}',
      '{name!r:>10}',
      '{0:#,##0.00}',
      '{0,-10:N2}',
      '<%= x %>',
      '{% if x %}',
      '__NAME__',
      '__USER_NAME_2__',
      '%USERNAME%',
    ].flatMap((piece): [string, string[], string][] => [
      [`Please look at ${piece} for the answer today`, [piece], 'Please look at {0} for the answer today'],
      [`请看${piece}，谢谢`, [piece], '请看{0}，谢谢'],
      [`请看${piece}谢谢`, [piece], '请看{0}谢谢'],
    ]),
    ['See t.me/user_name.', ['t.me/user_name'], 'See {0}.'],
    ['example.com: the price', ['example.com'], '{0}: the price'],
    ['See example.com:now', ['example.com'], 'See {0}:now'],
    ['邮箱a@b.cn或c.com', ['a@b.cn', 'c.com'], '邮箱{0}或{1}'],
    // a space missing after a full stop
    ['It is the word.In the next one', [], 'It is the word.In the next one'],
    ['I like you.it was nice', [], 'I like you.it was nice'],
    ['Done.me too, it works.Indeed', [], 'Done.me too, it works.Indeed'],
    ['Wir sind fertig.Es ist gut', [], 'Wir sind fertig.Es ist gut'],
    ['and/or, he/she, z.B./d.h., Mr./Mrs., yes.No/maybe', [], 'and/or, he/she, z.B./d.h., Mr./Mrs., yes.No/maybe'],
    ['the size is 5.in the box', ['5'], 'the size is {0}.in the box'],
    ['{hello,world} {red, green} __bold__', [], '{hello,world} {red, green} __bold__'],
    // names
    ['@张三 你好，@anna_b 也来', ['@张三', '@anna_b'], '{0} 你好，{1} 也来'],
    ['やあ @太郎、元気？', ['@太郎'], 'やあ {0}、元気？'],
    // numbers, dates, times
    ['共 1,234.56 元', ['1,234.56'], '共 {0} 元'],
    ['It costs 1 234,50 in all', ['1 234,50'], 'It costs {0} in all'],
    ['2026-11-21 10:30 见', ['2026-11-21', '10:30'], '{0} {1} 见'],
    ['at 2026-11-21T10:30:00Z sharp', ['2026-11-21T10:30:00Z'], 'at {0} sharp'],
    ['2026年11月21日下午3点', ['2026', '11', '21', '3'], '{0}年{1}月{2}日下午{3}点'],
    ['-5°C bis +12 %', ['-5°C', '+12 %'], '{0} bis {1}'],
    ['call +86 138-0000-0000 now', ['+86 138-0000-0000'], 'call {0} now'],
    ['٣٥ كتابًا و۱۲', ['٣٥', '۱۲'], '{0} كتابًا و{1}'],
    ['the 1st of 3, the 22nd', ['3'], 'the 1st of {0}, the 22nd'],
    ['二〇二六年有三百人', [], '二〇二六年有三百人'],
    ['5kg and 10am', ['5', '10'], '{0}kg and {1}am'],
    ['½ cup, x²', ['½', '²'], '{0} cup, x{1}'],
    // prices
    ['Now $12.50, not €99 or 100 USD', ['$12.50', '€99', '100 USD'], 'Now {0}, not {1} or {2}'],
    ['只要￥199，US$30，HK$ 88，5 €', ['￥199', 'US$30', 'HK$ 88', '5 €'], '只要{0}，{1}，{2}，{3}'],
    ['EUR 1.000,00 oder 25 zł', ['EUR 1.000,00', '25 zł'], '{0} oder {1}'],
    // codes
    [
      'order SKU-12 for iPhone15 or 3D on COVID-19',
      ['SKU-12', 'iPhone15', '3D', 'COVID-19'],
      'order {0} for {1} or {2} on {3}',
    ],
    ['请用SKU-12，看3D打印的COVID-19报告', ['SKU-12', '3D', 'COVID-19'], '请用{0}，看{1}打印的{2}报告'],
    ['USB and iPhone are words', [], 'USB and iPhone are words'],
    // emoji
    ['太好了👍🏽！', ['👍🏽'], '太好了{0}！'],
    ['👨‍👩‍👧‍👦 family ❤️ 🇨🇳🇯🇵 1️⃣', ['👨‍👩‍👧‍👦', '❤️', '🇨🇳🇯🇵', '1️⃣'], '{0} family {1} {2} {3}'],
    ['🏴󠁧󠁢󠁥󠁮󠁧󠁿 wins', ['🏴󠁧󠁢󠁥󠁮󠁧󠁿'], '{0} wins'],
    // placeholders
    [
      'Hi {name}, {{count}} of ${total} #{a.b} {}',
      ['{name}', '{{count}}', '${total}', '#{a.b}', '{}'],
      'Hi {0}, {1} of {2} {3} {4}',
    ],
    [
      '%s has %d files, %1$s %(name)s %.2f 100%% %@',
      ['%s', '%d', '%1$s', '%(name)s', '%.2f', '100%%', '%@'],
      '{0} has {1} files, {2} {3} {4} {5} {6}',
    ],
    ['打八折20%，50%off', ['20%', '50%'], '打八折{0}，{1}off'],
    ['{hello my friend} and { x }', ['{ x }'], '{hello my friend} and {0}'],
    // HTML
    [
      '<p class="a>b">Hello <b>world</b>&nbsp;!</p>',
      ['<p class="a>b">', '<b>', '</b>&nbsp;', '</p>'],
      '{0}Hello {1}world{2}!{3}',
    ],
    ['a <!-- note: <b> --> b &#39; &lt; c', ['<!-- note: <b> -->', '&#39;', '&lt;'], 'a {0} b {1} {2} c'],
    ['x < y and y > z', [], 'x < y and y > z'],
    ['第一行<br/>第二行', ['<br/>'], '第一行{0}第二行'],
    // lookalikes of masks
    ['{0} and {1}, ｛2｝ [3] 【4】', ['{0}', '{1}', '｛2｝', '[3]', '【4】'], '{0} and {1}, {2} {3} {4}'],
    ['{{0}} [5', ['{{0}}', '5'], '{0} [{1}'],
    ['', [], ''],
  ])('%s', (text, pieces, masked) => {
    expect(protect(text)).toEqual({ masked, pieces });
  });

  it('are restored in any text', () => {
    fc.assert(
      fc.property(anyText(), (text) => {
        const { masked, pieces } = protect(text);
        expect(restore(masked, { masked, pieces })).toEqual({ text, lost: [] });
        // Only our own masks can be parsed as one.
        expect(readPlaceholders(masked, pieces.length).map(({ index }) => index)).toEqual(
          pieces.map((_, index) => index),
        );
        expect(missingFrom(text, pieces)).toEqual([]);
      }),
      { numRuns: 400 },
    );
  });

  it('are restored in any order of the masks', () => {
    const shuffled = anyText().chain((text) => {
      const { masked, pieces } = protect(text);
      const indexes = pieces.map((_, index) => index);
      return fc.tuple(fc.constant({ masked, pieces }), fc.shuffledSubarray(indexes, { minLength: indexes.length }));
    });
    fc.assert(
      fc.property(shuffled, ([source, order]) => {
        const answer = order.map((index) => `wort ${placeholderOf(index)}`).join(' und ');
        const text = order.map((index) => `wort ${source.pieces[index] ?? ''}`).join(' und ');
        expect(restore(answer, source)).toEqual({ text, lost: [] });
      }),
      { numRuns: 300 },
    );
  });

  it('never split a grapheme', () => {
    const graphemes = new Intl.Segmenter('und', { granularity: 'grapheme' });
    const emoji = fc.constantFrom('👍🏽', '👨‍👩‍👧‍👦', '🇨🇳', '1️⃣', '🏴󠁧󠁢󠁥󠁮󠁧󠁿', '❤️‍🔥', 'é', '好', ' ', 'a');
    fc.assert(
      fc.property(fc.array(emoji, { maxLength: 12 }), (characters) => {
        const text = characters.join('');
        const ends = new Set(Array.from(graphemes.segment(text), ({ index, segment }) => index + segment.length));
        let end = 0;
        for (const piece of protect(text).pieces) {
          end = text.indexOf(piece, end) + piece.length;
          expect(ends.has(end)).toBe(true);
        }
      }),
      { numRuns: 300 },
    );
  });

  it.each(HOSTILE)('are found in 5,000 hostile code points at once: %s', (part) => {
    const text = part
      .repeat(Math.ceil(5000 / part.length))
      .slice(0, 5000)
      .toWellFormed();
    protect(text);
    const times = Array.from({ length: 5 }, () => {
      const begin = performance.now();
      const { masked, pieces } = protect(text);
      restore(masked, { masked, pieces });
      return performance.now() - begin;
    });
    // The best of five, because the machine may be busy. Quadratic code takes a hundred times as long.
    expect(Math.min(...times)).toBeLessThan(200);
  });
});

describe('masks in a response', () => {
  const pieces = ['A', 'B', 'C'];

  it.each([
    ['{1} x {0} y {2}', 'B x A y C', []],
    ['{ 1 } x ｛0｝ y ｛ 2 ｝', 'B x A y C', []],
    ['{٠} {۱} {२}', 'A B C', []],
    ['[0] 【1】 ［2］', 'A B C', []],
    ['{0} [1] {2} [0]', 'A B C [0]', []],
    ['{0} {1}', 'A B', ['C']],
    ['{0} {1} {2} {0}', 'A B C A', ['A']],
    ['{0} {1} {7} {2}', 'A B {7} C', ['{7}']],
    ['', '', ['A', 'B', 'C']],
  ])('%s', (answer, text, lost) => {
    expect(restore(answer, { masked: '{0} {1} {2}', pieces })).toEqual({ text, lost });
  });

  it('may be in any number, as long as each piece occurs as often as before', () => {
    expect(restore('{0} {0}', { masked: '{0} {1}', pieces: ['5', '5'] })).toEqual({ text: '5 5', lost: [] });
    expect(restore('{0}', { masked: '{0} {1}', pieces: ['5', '5'] })).toEqual({ text: '5', lost: ['5'] });
  });
});

describe('a piece between translated words', () => {
  it.each([
    [
      '请看https://a.b/c谢谢，或者www.abc.com谢谢@小明',
      'beker{0}tofeer，teming{1}tofeer{2}',
      'beker https://a.b/c tofeer，teming www.abc.com tofeer @小明',
    ],
    ['请看https://a.b/谢谢', 'beker{0}', 'beker https://a.b/谢谢'],
    ['联系a@b.cn谢谢', 'связь{0}спасибо', 'связь a@b.cn спасибо'],
    ['联系a@b.cn谢谢', 'تواصل{0}شكرا', 'تواصل a@b.cn شكرا'],
    ['打开t.me/ab谢谢', '링크{0}를', '링크 t.me/ab 를'],
    ['约5公斤', 'about{0}kilos', 'about 5 kilos'],
    ['共100元，打八折20%优惠', 'total{0}yuan,{1}off', 'total 100 yuan,20% off'],
    ['请用SKU-12谢谢', 'use{0}thanks', 'use SKU-12 thanks'],
    ['有%d个文件', 'there{0}files', 'there %d files'],
    ['see https://a.b/c/ please', '请看{0}谢谢', '请看https://a.b/c/ 谢谢'],
    ['see https://a.b/c please', '请看{0}谢谢', '请看https://a.b/c谢谢'],
    ['hi @anna please', '你好{0}请', '你好@anna 请'],
    ['see https://a.b/c please', 'ver{0}gracias', 'ver https://a.b/c gracias'],
    ['第5和6条', 'Art {0}{1}', 'Art 5 6'],
  ])('gets a space that its source did not need: %s → %s', (text, answer, restored) => {
    expect(restore(answer, protect(text))).toEqual({ text: restored, lost: [] });
  });

  it.each([
    // as in the source
    ['x², 10kg', 'y{0}, {1}kilo', 'y², 10kilo'],
    // pieces that may touch words
    ['<b>你好</b>谢谢', '{0}hello{1}thanks', '<b>hello</b>thanks'],
    ['你好👍谢谢', 'hello{0}thanks', 'hello👍thanks'],
    ['{name}您好', '{0}hello', '{name}hello'],
    ['2026年11月', '{0}년 {1}월', '2026년 11월'],
    ['第1次', '{0}st time', '1st time'],
    ['第3季度', 'Q{0}', 'Q3'],
  ])('may touch words where it did before or where that is harmless: %s → %s', (text, answer, restored) => {
    expect(restore(answer, protect(text))).toEqual({ text: restored, lost: [] });
  });

  it.each([
    ['看https://a.b/c吧', '{0},thanks', 'https://a.b/c,thanks'],
    ['看a@b.cn吧', '{0}.Thanks', 'a@b.cn.Thanks'],
  ])('counts as lost when it is part of a longer link: %s → %s', (text, answer, restored) => {
    const source = protect(text);
    expect(restore(answer, source)).toEqual({ text: restored, lost: source.pieces });
  });
});

describe('a translation made without masks', () => {
  it.each([
    ['see https://a.b/ctofeer', ['https://a.b/c'], ['https://a.b/c']],
    ['见https://a.b/c谢谢', ['https://a.b/c'], []],
    ['Cuesta 5 euros, @anna', ['5', '@anna'], []],
    ['Cuesta 15 euros', ['5'], ['5']],
    ['5 o 5', ['5', '5', '5'], ['5']],
    ['Hola { name }', ['{name}'], ['{name}']],
  ])('%s', (translated, wanted, missing) => {
    expect(missingFrom(translated, wanted)).toEqual(missing);
  });
});
