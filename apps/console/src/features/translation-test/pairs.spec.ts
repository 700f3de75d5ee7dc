import { describe, expect, it } from '@jest/globals';
import { canTranslate, firstDirection, swapped, targetsOf, withSource, type Pair } from './pairs.js';

const pair = (source: string, target: string, quality: Pair['quality'] = 'translation'): Pair => ({
  source,
  target,
  quality,
  channelId: 1,
});
const pairs = [
  pair('en', 'es'),
  pair('es', 'en'),
  pair('zh-Hans', 'en', 'gloss'),
  pair('zh-Hans', 'zh-Hant'),
  pair('zh-Hant', 'zh-Hans'),
];

describe('what can be translated now', () => {
  it('starts with a direction that works', () => {
    expect(firstDirection(pairs)).toEqual({ source: 'zh-Hans', target: 'zh-Hant' });
    expect(firstDirection([pair('fr', 'es')])).toEqual({ source: 'fr', target: 'es' });
    expect(firstDirection([])).toEqual({ source: 'zh-Hans', target: 'zh-Hant' });
  });

  it('offers from auto whatever some language can be translated into', () => {
    expect(targetsOf(pairs, 'auto')).toEqual(new Set(['es', 'en', 'zh-Hant', 'zh-Hans']));
    expect(targetsOf(pairs, 'en')).toEqual(new Set(['es']));
    expect(canTranslate(pairs, { source: 'auto', target: 'ja' })).toBe(false);
  });

  it('keeps the target when the new source can reach it, else takes a real translation before a gloss', () => {
    expect(withSource(pairs, { source: 'es', target: 'en' }, 'zh-Hans')).toEqual({ source: 'zh-Hans', target: 'en' });
    expect(withSource(pairs, { source: 'en', target: 'es' }, 'zh-Hans')).toEqual({
      source: 'zh-Hans',
      target: 'zh-Hant',
    });
    expect(withSource(pairs, { source: 'en', target: 'es' }, 'ja')).toEqual({ source: 'ja', target: 'es' });
  });

  it('swaps only where there is a way back', () => {
    expect(swapped(pairs, { source: 'en', target: 'es' }, null)).toEqual({ source: 'es', target: 'en' });
    expect(swapped(pairs, { source: 'zh-Hans', target: 'en' }, null)).toBeNull();
    expect(swapped(pairs, { source: 'auto', target: 'en' }, null)).toBeNull();
    expect(swapped(pairs, { source: 'auto', target: 'en' }, 'es')).toEqual({ source: 'en', target: 'es' });
  });
});
