import { describe, expect, it } from '@jest/globals';
import { toScript } from './opencc.js';

const PAIRS = [
  ['这个软件的网络连接有问题，请重启鼠标和打印机。', '這個軟體的網路連線有問題，請重啟滑鼠和印表機。'],
  ['头发很长，发现皇后在后面。', '頭髮很長，發現皇后在後面。'],
  ['干净的面条', '乾淨的麵條'],
] as const;

describe('toScript', () => {
  it.each(PAIRS)('%s ↔ %s', async (simplified, traditional) => {
    expect(await toScript('zh-Hant', simplified)).toBe(traditional);
    expect(await toScript('zh-Hans', traditional)).toBe(simplified);
  });

  it('touches nothing but Chinese', async () => {
    const text = '  Price: $5\n\n[x] 😀 \\ {y} <b>\t';
    expect(await toScript('zh-Hant', text)).toBe(text);
  });
});
