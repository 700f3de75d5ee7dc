import { describe, expect, it } from '@jest/globals';
import {
  choicesOf,
  groupsOf,
  matches,
  nativeName,
  rankOf,
  withRecent,
  type LanguageRow,
  type Reach,
} from './languages.js';
import { initialsOf } from './pinyin.js';

const row = (langCode: string, chineseName: string, englishName: string): LanguageRow => ({
  id: 1,
  langCode,
  chineseName,
  englishName,
  channels: [],
});
const rows = [
  row('auto', '自动检测', 'Detect language'),
  row('zh-Hans', '简体中文', 'Chinese (Simplified)'),
  row('en', '英语', 'English'),
  row('de', '德语', 'German'),
  row('pt', '葡萄牙语', 'Portuguese'),
  row('sl', '斯洛文尼亚语', 'Slovenian'),
];

describe('language names', () => {
  it('come from the browser, or from the table where it has none', () => {
    expect(nativeName('de')).toBe('Deutsch');
    expect(nativeName('es-419')).toBe('Español (Latinoamérica)');
    expect(nativeName('not a code')).toBeNull();
    expect(nativeName('not a code')).toBeNull(); // and is remembered
  });

  it('have pinyin initials', () => {
    expect(initialsOf('德语')).toBe('dy');
    expect(initialsOf('葡萄牙语（巴西）')).toBe('ptyybx');
    expect(initialsOf('克林贡语（pIqaD）')).toBe('klgy');
    expect(initialsOf('阿尔巴尼亚语')).toBe('aebnyy');
    expect(initialsOf('自动检测')).toBe('zdjc');
  });
});

describe('finding a language', () => {
  const choices = choicesOf(rows, 'en');
  const found = (typed: string) =>
    choices
      .filter((c) => matches(c, typed))
      .toSorted((a, b) => rankOf(a, typed) - rankOf(b, typed))
      .map((c) => c.code);

  it('matches either name, the native name without accents, or the code', () => {
    expect(found('portugues')).toEqual(['pt']);
    expect(found('葡萄牙')).toEqual(['pt']);
    expect(found('deu')).toEqual(['de']);
    expect(found('chinese simpl')).toEqual(['zh-Hans']);
    expect(found('ZH-hans')).toEqual(['zh-Hans']);
    expect(found('')).toHaveLength(6);
    expect(found('klingon')).toEqual([]);
  });

  it('matches a prefix of the pinyin initials', () => {
    expect(found('ptyy')).toEqual(['pt']);
    expect(found('jtzw')).toEqual(['zh-Hans']);
    expect(found('tyy')).toEqual([]);
  });

  it('puts the nearest first', () => {
    expect(found('en')).toEqual(['en', 'pt', 'sl'].filter((code) => found('en').includes(code)));
    expect(found('de')[0]).toBe('de');
    expect(found('sl')[0]).toBe('sl');
  });

  it('does not say a name twice', () => {
    expect(choicesOf(rows, 'zh').find((c) => c.code === 'zh-Hans')?.native).toBeNull();
  });
});

describe('the list of languages', () => {
  const choices = choicesOf(rows, 'zh');
  const reach: Record<string, Reach> = { 'zh-Hans': 'shown', en: 'shown', de: 'other', auto: 'shown' };
  const reachOf = (code: string): Reach => reach[code] ?? 'none';
  const groups = (recent: string[]) =>
    groupsOf({ choices, recent, reachOf }).map(({ kind, choices: some }) => [kind, some.map((c) => c.code)]);

  it('is sorted by channel, with auto first', () => {
    expect(groups([])).toEqual([
      ['shown', ['auto', 'zh-Hans', 'en']],
      ['other', ['de']],
      ['none', ['pt', 'sl']],
    ]);
  });

  it('uses the member’s own channel while none is picked', () => {
    const own = (code: string): Reach => (reachOf(code) === 'shown' ? 'own' : reachOf(code));
    expect(groupsOf({ choices, recent: [], reachOf: own }).map(({ kind }) => kind)).toEqual(['own', 'other', 'none']);
  });

  it('starts with available recent languages, without duplicates', () => {
    expect(groups(['de', 'pt', 'en'])).toEqual([
      ['recent', ['auto', 'de', 'en']],
      ['shown', ['zh-Hans']],
      ['none', ['pt', 'sl']],
    ]);
  });

  it('remembers the last six', () => {
    expect(withRecent([], ['auto', 'en'])).toEqual(['en']);
    expect(withRecent(['de', 'en'], ['en', 'ja'])).toEqual(['en', 'ja', 'de']);
    expect(withRecent(['a', 'b', 'c', 'd', 'e', 'f'], ['g'])).toEqual(['g', 'a', 'b', 'c', 'd', 'e']);
  });
});
