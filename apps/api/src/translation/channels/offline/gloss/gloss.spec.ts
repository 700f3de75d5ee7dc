import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { gloss } from './gloss.js';

const kept = (text: string): string[] => (text.match(/[\n1😀]/gu) ?? []).toSorted();

describe('gloss', () => {
  it('reads a hostile text once, not once for every word', async () => {
    const text = '\n'.repeat(2500) + '我你'.repeat(1250);
    // Read again for every word, one of these took 42 s; five would outlast the suite.
    for (let run = 0; run < 5; run += 1) expect(await gloss(text)).toContain('I you');
  });

  describe('Chinese to English', () => {
    it.each([
      // questions
      ['你好，这个多少钱？', 'Hello, how much is this one?'],
      ['我的订单在哪里？', 'Where is my order?'],
      ['什么时候发货？', 'When will you ship?'],
      ['您需要什么颜色？', 'What color do you need?'],
      ['这款有几种颜色？', 'How many colors does this one have?'],
      ['有没有红色的？', 'Do you have a red one?'],
      ['能不能开发票？', 'Can you issue an invoice?'],
      ['你们支持PayPal吗？', 'Do you support PayPal?'],
      ['寄到加拿大要多久？', 'How long does it take to send to Canada?'],
      ['一共多少钱？', 'How much is it in total?'],
      ['这些是什么？', 'What are these?'],
      ['运费谁出？', 'Who pays the shipping fee?'],
      ['您是什么时候买的？', 'When did you buy it?'],
      ['样品免费吗？', 'Is the sample free?'],
      // 把, 被, 给
      ['请把发票发给我。', 'Please send the invoice to me.'],
      ['请把损坏的箱子照片发给我。', 'Please send the damaged box photo to me.'],
      ['包裹被海关扣了。', 'The package is held by customs.'],
      ['请给我三个红色的。', 'Please give me three red ones.'],
      ['我马上给您退款。', "I'll refund you right away."],
      ['他给我打电话了。', 'He called me.'],
      // places and times
      ['我们明天早上发货。', "We'll ship tomorrow morning."],
      ['您的包裹在仓库里。', 'Your package is in the warehouse.'],
      ['里面的东西坏了。', 'The thing inside is broken.'],
      ['左边的耳机没有声音。', 'The left earphones have no sound.'],
      ['大概三天到货。', 'It arrives in about three days.'],
      ['物流信息三天没更新了。', "The tracking information hasn't been updated in three days."],
      ['如果明天下雨，请告诉我。', 'If it rains tomorrow, please tell me.'],
      // classifiers, numbers and units
      ['一件衣服', 'A piece of clothing'],
      ['我买了两条裤子。', 'I bought two pairs of pants.'],
      ['一双鞋', 'A pair of shoes'],
      ['三张照片', 'Three photos'],
      ['重量是3公斤。', 'The weight is 3 kg.'],
      ['价格：25.99 元，包邮到家', 'Price: 25.99 yuan, free shipping to your door'],
      ['九折', '10% off'],
      // 了, 过, 正在, and what is not so
      ['我已经付款了。', 'I have already paid.'],
      ['我没有收到包裹。', "I haven't received the package."],
      ['我穿过一次。', 'I have worn it once.'],
      ['他正在打包。', "He's packing."],
      ['我看不清。', "I can't see clearly."],
      ['这不是我买的。', 'This is not what I bought.'],
      // comparison
      ['这款比那款便宜。', 'This one is cheaper than that one.'],
      ['这款比那款大一点。', 'This one is a bit bigger than that one.'],
      ['颜色和图片不一样。', 'The color is different from the picture.'],
      // a verb that is a noun here, and clauses of two verbs
      ['包装很好。', 'The packaging is very good.'],
      ['退款已经给您办理了。', 'The refund has already been handled for you.'],
      ['走海运就行。', 'Just ship by sea.'],
      ['适合夏天穿。', "It's suitable for wearing in summer."],
      ['有现货，今天下单今天就能发。', "It's in stock, if you place an order today, we can send today."],
      ['如果您喜欢，请给我们五星好评。', 'If you like it, please give us a five-star review.'],
      // thanks
      ['谢谢您！', 'Thank you!'],
      ['感谢您的支持！', 'Thank you for your support!'],
      ['谢谢您的耐心等待。', 'Thank you for your patience.'],
      // words that were once cut wrongly
      ['这件连衣裙很好看。', 'This dress is very good-looking.'],
      ['保修期一年。', 'The warranty period is one year.'],
      ['支持USB数据线吗？请给我三个。', 'Do you support the USB data cable? Please give me three.'],
    ])('%s', async (chinese, english) => {
      expect(await gloss(chinese)).toBe(english);
    });
  });

  describe('English to Chinese', () => {
    it.each([
      ['Thank you', '谢谢'],
      ['Free shipping', '包邮'],
      ['Do you have stock?', '您有库存吗？'],
      ['When will you ship?', '什么时候您会发货？'],
      ['Can I get a refund?', '我可以收到退款吗？'],
    ])('%s', async (english, chinese) => {
      expect(await gloss(english, 'zh')).toBe(chinese);
    });
  });

  it('leaves white space, figures, addresses and emoji as they are', async () => {
    expect(await gloss('  你好！😀\r\n\r\n看 https://a.com/x?y=1 谢谢\t\n')).toMatch(
      /^ {2}Hello! 😀\r\n\r\n[A-Z].* https:\/\/a\.com\/x\?y=1 .*\t\n$/,
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
        // In the order of English, but none is lost.
        expect(kept(english)).toEqual(kept(chinese));
      }),
    );
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: 'grapheme-ascii' }), async (latin) => {
        expect(await gloss(latin)).toBe(latin);
      }),
    );
  });
});
