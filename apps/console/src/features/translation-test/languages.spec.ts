import { describe, expect, it } from '@jest/globals';
import { choicesOf, matches, nativeName, type LanguageRow } from './languages.js';

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
  row('de', '德语', 'German'),
  row('pt', '葡萄牙语', 'Portuguese'),
];

describe('names of languages', () => {
  it('come from the browser, or from the table where it has none', () => {
    expect(nativeName('de')).toBe('Deutsch');
    expect(nativeName('es-419')).toBe('Español (Latinoamérica)');
    expect(nativeName('not a code')).toBeNull();
  });
});

describe('what one can choose', () => {
  const choices = choicesOf(rows, new Set(['pt']), 'en');

  it('puts what works now first, and the rest after it, switched off', () => {
    expect(choices.map((c) => [c.code, c.enabled])).toEqual([
      ['auto', true],
      ['pt', true],
      ['zh-Hans', false],
      ['de', false],
    ]);
  });

  it('is found by either name, its own name without accents, or its code', () => {
    const found = (typed: string) => choices.filter((c) => matches(c, typed)).map((c) => c.code);
    expect(found('portugues')).toEqual(['pt']);
    expect(found('葡萄牙')).toEqual(['pt']);
    expect(found('deu')).toEqual(['de']);
    expect(found('chinese simpl')).toEqual(['zh-Hans']);
    expect(found('ZH-hans')).toEqual(['zh-Hans']);
    expect(found('')).toHaveLength(4);
    expect(found('klingon')).toEqual([]);
  });

  it('does not say a name twice', () => {
    const zh = choicesOf(rows, new Set(), 'zh');
    expect(zh.find((c) => c.code === 'zh-Hans')?.native).toBeNull();
    expect(zh.find((c) => c.code === 'auto')?.enabled).toBe(false);
  });
});
