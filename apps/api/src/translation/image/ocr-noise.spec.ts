import { describe, expect, it } from '@jest/globals';
import type { Box } from '../engines/pictures/jobs.js';
import type { Line } from './reader.js';
import { withStrays } from './ocr-noise.js';

const line = (text: string, box: Box): Line => ({ text, box, words: [{ text, box }], em: 20, baseline: null });
const texts = (blocks: readonly (readonly Line[])[]): string[][] =>
  blocks.map((block) => block.map(({ text }) => text));

const first = line('这个软件的网络', [100, 100, 400, 22]);
const second = line('连接有问题请重', [100, 140, 400, 22]);
const third = line('启鼠标和打印机', [100, 180, 400, 22]);
const fourth = line('头发很长', [100, 220, 200, 22]);
const paragraph = [first, second, third, fourth];

describe('a line read on its own', () => {
  it('fills a missing row of the paragraph around it', () => {
    expect(texts(withStrays([[first, third, fourth], [second]]))).toEqual([texts([paragraph])[0]]);
  });

  it('continues the row beside it, on either side', () => {
    const [left, right] = [line('连', [100, 140, 20, 22]), line('接有问题请重', [125, 140, 375, 22])];
    const home = [[first, third, fourth], [right], [left]];
    expect(texts(withStrays(home))).toEqual([['这个软件的网络', '连接有问题请重', '启鼠标和打印机', '头发很长']]);
  });

  it('is dropped if it overlaps a row', () => {
    expect(texts(withStrays([paragraph, [line('技们', [180, 142, 40, 20])]]))).toEqual(texts([paragraph]));
  });

  it('stays separate beyond a gap and outside the paragraph', () => {
    const price = line('25 元', [440, 220, 60, 22]);
    const below = line('价格', [100, 300, 60, 22]);
    expect(texts(withStrays([paragraph, [price], [below]]))).toEqual([...texts([paragraph]), ['25 元'], ['价格']]);
  });

  it('stays in place if there is no paragraph', () => {
    const blocks = [[first], [second], [third]];
    expect(texts(withStrays(blocks))).toEqual(texts(blocks));
  });
});
