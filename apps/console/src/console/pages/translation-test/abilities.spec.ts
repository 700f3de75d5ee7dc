import { describe, expect, it } from '@jest/globals';
import type { Channel } from '../../shared/channels/channels.js';
import {
  abilitiesOf,
  AUTO,
  canDo,
  firstDirection,
  type LanguageLists,
  qualitiesOf,
  sourcesOf,
  swapped,
  targetsOf,
  withSource,
} from './abilities.js';

const channel = (id: number, available = true): Channel => ({
  id,
  name: String(id),
  enName: String(id),
  price: 10,
  available,
  reason: null,
  text: true,
  voice: false,
  image: false,
});
const row = (langCode: string, channels: number[]) => ({
  id: 1,
  langCode,
  chineseName: langCode,
  englishName: langCode,
  channels,
});
const languages: LanguageLists = {
  sourceList: [
    row(AUTO, [1, 2, 6]),
    row('zh-Hans', [1, 2, 6]),
    row('en', [1, 2, 6]),
    row('ja', [2, 6]),
    row('es', [1]),
  ],
  targetList: [row('zh-Hans', [1, 2]), row('zh-Hant', [1, 2]), row('en', [1, 2]), row('en-GB', [2, 6]), row('es', [1])],
};
const pairs = (
  [
    ['en', 'es', 'translation'],
    ['es', 'en', 'translation'],
    ['zh-Hans', 'en', 'gloss'],
    ['zh-Hans', 'zh-Hant', 'translation'],
    ['zh-Hant', 'zh-Hans', 'translation'],
  ] as const
).map(([source, target, quality]) => ({ source, target, quality, channelId: 1 }));

const abilities = abilitiesOf({ channels: [channel(1), channel(2), channel(6, false)], languages, pairs });

describe('what a channel can do', () => {
  it('is just the listed pairs where there are some', () => {
    expect(qualitiesOf(abilities, 1, { source: 'en', target: 'es' })).toEqual(new Set(['translation']));
    expect(qualitiesOf(abilities, 1, { source: 'zh-Hans', target: 'en' })).toEqual(new Set(['gloss']));
    expect(canDo(abilities, 1, { source: 'en', target: 'zh-Hans' })).toBe(false);
  });

  it('is every combination of the languages where none is listed', () => {
    expect(canDo(abilities, 2, { source: 'ja', target: 'en-GB' })).toBe(true);
    expect(canDo(abilities, 2, { source: 'ja', target: 'es' })).toBe(false);
    expect(canDo(abilities, 2, { source: 'en', target: 'en' })).toBe(false);
  });

  it('is nothing for a channel that is not available, whatever its languages would be', () => {
    expect(canDo(abilities, 6, { source: 'en', target: 'en-GB' })).toBe(false);
    expect(abilities.has(6)).toBe(false);
  });

  it('is from auto what some language can be translated into, as a translation, a gloss or either', () => {
    expect(qualitiesOf(abilities, 1, { source: AUTO, target: 'en' })).toEqual(new Set(['translation', 'gloss']));
    expect(canDo(abilities, 2, { source: AUTO, target: 'zh-Hant' })).toBe(true);
    expect(canDo(abilities, 2, { source: AUTO, target: 'ja' })).toBe(false);
  });

  it('adds up over channels', () => {
    expect(sourcesOf(abilities, [1])).toEqual(new Set(['en', 'es', 'zh-Hans', 'zh-Hant']));
    expect(sourcesOf(abilities, [2])).toEqual(new Set(['zh-Hans', 'en', 'ja']));
    expect(targetsOf(abilities, [1, 2], 'en')).toEqual(new Set(['es', 'zh-Hans', 'zh-Hant', 'en-GB']));
    expect(targetsOf(abilities, [1], AUTO)).toEqual(new Set(['es', 'en', 'zh-Hant', 'zh-Hans']));
  });
});

describe('the direction', () => {
  it('begins with a translation of the channel in use', () => {
    expect(firstDirection(abilities, [[1], [1, 2]])).toEqual({ source: 'zh-Hans', target: 'zh-Hant' });
    expect(firstDirection(abilities, [[2], [1, 2]])).toEqual({ source: 'zh-Hans', target: 'en' });
    expect(firstDirection(abilities, [[6], [2]])).toEqual({ source: 'zh-Hans', target: 'en' });
    expect(firstDirection(new Map(), [[1]])).toEqual({ source: 'zh-Hans', target: 'en' });
  });

  it('keeps the target while any channel supports it, else takes one of the current channel', () => {
    expect(withSource(abilities, [[1], [1, 2]], { source: 'zh-Hans', target: 'en' })).toEqual({
      source: 'zh-Hans',
      target: 'en',
    });
    expect(withSource(abilities, [[1], [1, 2]], { source: 'ja', target: 'zh-Hant' })).toEqual({
      source: 'ja',
      target: 'zh-Hant',
    });
    expect(withSource(abilities, [[1]], { source: 'zh-Hans', target: 'es' })).toEqual({
      source: 'zh-Hans',
      target: 'zh-Hant',
    });
    expect(withSource(abilities, [[1], [1, 2]], { source: 'en', target: 'en' })).toEqual({
      source: 'en',
      target: 'es',
    });
    expect(withSource(abilities, [[1]], { source: 'xx', target: 'es' })).toEqual({ source: 'xx', target: 'es' });
  });

  it('swaps, from auto only once the language is known', () => {
    expect(swapped({ source: 'en', target: 'es' }, null)).toEqual({ source: 'es', target: 'en' });
    expect(swapped({ source: AUTO, target: 'en' }, null)).toBeNull();
    expect(swapped({ source: AUTO, target: 'en' }, 'es')).toEqual({ source: 'en', target: 'es' });
  });
});

describe('eight channels of 215 languages', () => {
  it('reads them quickly', () => {
    const codes = Array.from({ length: 215 }, (_, n) => `l${n}`);
    const all = [1, 2, 3, 4, 5, 6, 7, 8];
    const lists = { sourceList: codes.map((code) => row(code, all)), targetList: codes.map((code) => row(code, all)) };
    const begun = performance.now();
    const many = abilitiesOf({ channels: all.map((id) => channel(id)), languages: lists, pairs: [] });
    for (const source of codes) expect(targetsOf(many, all, source).size).toBe(214);
    expect(performance.now() - begun).toBeLessThan(5_000); // seconds only if somebody walks over pairs again
  });
});
