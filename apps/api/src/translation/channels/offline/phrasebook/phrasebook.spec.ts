import { beforeAll, describe, expect, it } from '@jest/globals';
import { mkdtemp, mkdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { processorTime } from '../../../../../test/support/processor-time.js';
import { dataFile } from '../../data-file.js';
import { Phrasebook } from './phrasebook.js';

let book: Phrasebook;
beforeAll(async () => {
  book = await Phrasebook.load([dataFile('phrasebook')]);
});

/** A book of these files alone. */
async function bookOf(files: Record<string, string>): Promise<Phrasebook> {
  const folder = await mkdtemp(join(tmpdir(), 'phrasebook-'));
  try {
    await mkdir(join(folder, 'slots'));
    await Promise.all(Object.entries(files).map(([name, text]) => writeFile(join(folder, name), text)));
    return await Phrasebook.load([folder]);
  } finally {
    await rm(folder, { recursive: true });
  }
}

describe('the phrasebook', () => {
  it('has at least 800 sentences, each of them well formed', () => {
    expect(book.size).toBeGreaterThanOrEqual(800);
    expect(() => book.check()).not.toThrow();
  });

  it.each([
    ['您好，请问有什么可以帮您？', 'Hello, how can I help you?'],
    ['那条白色的连衣裙还有货吗？', 'Is that white dress still in stock?'],
    ['寄到加拿大要多久？', 'How long does shipping to Canada take?'],
    ['这条裤子有货吗？', 'Are these pants in stock?'],
  ])('translates %s', (zh, en) => {
    expect(book.translate(zh, 'en')).toBe(en);
  });

  it('has no translation of nothing', () => {
    expect([book.translate('', 'en'), book.translate(' \n', 'zh')]).toEqual([null, null]);
  });

  it.each([
    ['Is this dress still in stock?', '这款连衣裙还有货吗？'],
    ['Are these pants in stock?', '这些裤子有货吗？'],
    ['How much is this dress?', '这款连衣裙多少钱？'],
  ])('reads goods with any article, in any number: %s', (en, zh) => {
    expect(book.translate(en, 'zh')).toBe(zh);
  });

  it('keeps line breaks and white space at the ends', () => {
    expect(book.translate('  能开发票吗？\n\n起订量是多少？ ', 'en')).toBe(
      "  Can you issue an invoice?\n\nWhat's the minimum order quantity? ",
    );
  });

  it('translates nothing of a text that it has only in part', () => {
    expect(book.translate('能开发票吗？量子色动力学真有意思。', 'en')).toBeNull();
  });

  it('does not take a question for a statement', async () => {
    const own = await bookOf({ 'stock.txt': 'zh 有现货。\nen It is in stock.\n' });
    expect([own.translate('有现货', 'en'), own.translate('有现货？', 'en')]).toEqual(['It is in stock.', null]);
  });

  it.each([
    ['stock.txt', 'zh 有现货\nit In stock'],
    ['stock.txt', 'zh 只有中文'],
  ])('names the file of a malformed block', async (name, text) => {
    await expect(bookOf({ [name]: text })).rejects.toThrow(name);
  });

  it.each([
    '没，有现货',
    '不，能退货',
    '不。可以发货。',
    '没有，收到了',
    '别，取消订单',
    '不要，退款',
    'It is. Not in stock.',
    'We can. Not ship it today.',
    'No. Problem.',
  ])('does not deny what is not denied, across punctuation: %s', (text) => {
    const said = book.translate(text, /\p{Script=Han}/u.test(text) ? 'en' : 'zh') ?? '';
    expect(said).not.toMatch(/n't|not |out of stock|没货|没有|没问题|不/);
  });

  it.each([
    ['应该是1,200元。', 'It should be 1,200 yuan.'],
    ['应该是1，200元。', 'It should be 1,200 yuan.'],
    ['电压是1,200伏', 'The voltage is 1,200 V.'],
    ['The total is $1,299.', '一共是1,299美元。'],
    ['大概3-5天到', "It'll arrive in about 3 to 5 days."],
  ])('reads a figure whole: %s', (text, said) => {
    expect(book.translate(text, /\p{Script=Han}/u.test(text) ? 'en' : 'zh')).toBe(said);
  });

  it.each(['退款-50元', '应该是-200元', 'It is -20 degrees.', '应该是٣200元', '收到了_没有', '（不）可以退货'])(
    'has no sentence for signs that it would drop: %s',
    (text) => {
      expect(book.translate(text, /\p{Script=Han}/u.test(text) ? 'en' : 'zh')).toBeNull();
    },
  );

  it.each([
    ['openings', `${'请'.repeat(9)}能不能发货，`.repeat(300)],
    ['choices', `${'请'.repeat(20)}能不能可不可以会不会是不是有没有要不要需不需要`],
    ['conjunctions', `${'但是'.repeat(28)}发货`],
    ['lines', '你好\n'.repeat(2500)],
    ['letters', 'ship '.repeat(1000)],
  ])('gives up a text that would take long: %s', async (_, text) => {
    const target = /\p{Script=Han}/u.test(text) ? 'en' : 'zh';
    expect(await processorTime(() => book.translate(text, target))).toBeLessThan(1);
  });

  it('gives up a line that would take too long', async () => {
    const hostile = `zh ${'[(哈|哈哈|哈哈哈)]'.repeat(12)}完\nen Done.\n`;
    const own = await bookOf({ 'own.txt': hostile });
    expect(own.translate('哈'.repeat(50), 'en')).toBeNull();
    expect(await processorTime(() => own.translate('哈'.repeat(50), 'en'))).toBeLessThan(1);
  });
});
