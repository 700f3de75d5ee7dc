import { describe, expect, it } from '@jest/globals';
import { languageOf, languages } from './languages.js';

describe('languages', () => {
  it('are the 215 rows of the data file, numbered from 1', () => {
    expect(languages()).toHaveLength(215);
    expect(languages().map(({ id }) => id)).toEqual(Array.from({ length: 215 }, (_, index) => index + 1));
    expect(new Set(languages().map(({ langCode }) => langCode)).size).toBe(215);
    expect(languageOf('zh-Hans')?.chineseName).toBe('简体中文');
    expect(languageOf('auto')).toBeNull();
  });
});
