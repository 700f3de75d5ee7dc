import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { gloss } from './gloss.js';

describe('gloss', () => {
  it('reads a hostile text once, not once for every word', async () => {
    const text = '\n'.repeat(2500) + '我你'.repeat(1250);
    // Read again for every word, one of these took 42 s; five would outlast the suite.
    for (let run = 0; run < 5; run += 1) expect(await gloss(text)).toContain('I you');
  });

  it.each([
    ['你好，这个产品多少钱？', 'Hello, this product how much?'],
    ['我们明天早上发货。', 'We tomorrow in the morning ship.'],
    ['谢谢您的耐心等待。', 'Thank you for your patient waiting.'],
    ['谢谢您！', 'Thank you!'],
    ['免费退货三十天', 'Free return thirty days'],
    ['请把损坏的箱子照片发给我。', 'Please send damaged box photo to me.'],
    ['价格：25.99 元，包邮到家', 'Price: 25.99 yuan, free shipping to your door'],
    ['我的订单在哪里？', 'My order where is?'],
    ['支持USB数据线吗？请给我三个。', 'Support USB data cable? Please give me three.'],
  ])('%s', async (chinese, english) => {
    expect(await gloss(chinese)).toBe(english);
  });

  it('leaves white space, figures, addresses and emoji as they are', async () => {
    expect(await gloss('  你好！😀\r\n\r\n看 https://a.com/x?y=1 谢谢\t\n')).toBe(
      '  Hello! 😀\r\n\r\nSee https://a.com/x?y=1 thank you\t\n',
    );
  });

  it('gives text back when English has no word for it, rather than nothing', async () => {
    expect(await gloss('的')).toBe('的');
    expect(await gloss(' 𰻞 ')).toBe(' 𰻞 ');
  });

  it('never answers blank, and touches nothing that is not Chinese', async () => {
    const text = fc.string({ unit: fc.constantFrom(...'的了吗把给我天书 \n，。？a1😀') });
    await fc.assert(
      fc.asyncProperty(text, async (chinese) => {
        const english = await gloss(chinese);
        expect(english.trim() === '').toBe(chinese.trim() === '');
        expect(english.match(/[\n1😀]/gu)).toEqual(chinese.match(/[\n1😀]/gu));
      }),
    );
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: 'grapheme-ascii' }), async (latin) => {
        expect(await gloss(latin)).toBe(latin);
      }),
    );
  });
});
