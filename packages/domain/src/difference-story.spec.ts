import { describe, expect, it } from '@jest/globals';
import { storyOf, type DifferenceStory } from './difference-story.js';

const quantities = (charNum: number, imageNum = 0) => ({ charNum, voiceNum: 0, imageNum });
const story: DifferenceStory = {
  from: '2026-11-17 20:00:00',
  to: '2026-11-18 12:00:00',
  before: quantities(50_000, 7),
  after: quantities(49_200, 7),
  causes: [
    { type: 'TRANSLATION_CONSUME', kind: 'day', label: '', entries: 3, ...quantities(-300) },
    { type: 'DISTRIBUTION', kind: 'member', label: '拉美一组', entries: 1, ...quantities(-2_000) },
    { type: 'SYS_ADJUST', kind: 'operator', label: 'zhou', entries: 1, ...quantities(1_000) },
    { type: 'RECHARGE_ORDER_BY_MEMBER_GROUP', kind: 'order', label: 'YQ1', entries: 1, ...quantities(500) },
    { type: 'SYS_ADJUST', kind: 'order', label: 'YQ2', entries: 1, ...quantities(-90) },
    { type: 'SYS_ADJUST', kind: 'order', label: 'YQ2', entries: 1, ...quantities(90) },
  ],
};

describe('what a member is told', () => {
  it('has every cause and the balances at both moments', () => {
    const zh = storyOf(story, 'zh');
    expect(zh).toContain('你的字符从 50,000 变为 49,200，少了 800');
    expect(zh).toContain('与「拉美一组」之间的分配减少 2,000，');
    expect(zh).toContain('充值（订单 YQ1）增加 500，退款（订单 YQ2）先后相抵（2 次）。');
    const en = storyOf(story, 'en');
    expect(en).toContain('Your characters went from 50,000 to 49,200, 800 fewer');
    expect(en).toContain('translation took 300 (3 times)');
    expect(en).toContain('the recharge of order YQ1 added 500; the refund of order YQ2 cancelled out (2 times).');
  });

  it('names no operator, and nothing that did not change', () => {
    const both = storyOf(story, 'zh') + storyOf(story, 'en');
    expect(both).not.toContain('zhou');
    expect(both).not.toMatch(/图片|images/);
    expect(both).toContain('adjustments that we made added 1,000');
  });

  it('says so if nothing changed', () => {
    const nothing = { ...story, causes: [] };
    expect([storyOf(nothing, 'zh'), storyOf(nothing, 'en')]).toEqual([
      '从 2026-11-17 20:00 到 2026-11-18 12:00，你的余量没有变动。',
      'From 2026-11-17 20:00 to 2026-11-18 12:00, your balance did not change.',
    ]);
  });
});
