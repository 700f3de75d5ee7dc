import { expect, it } from '@jest/globals';
import { languages } from '../../channels/languages.js';
import { isRightToLeft } from './fonts.js';

it('writes a language from right to left if its own name is', () => {
  const own = /[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Thaana}\p{Script=Syriac}\p{Script=Nko}]/u;
  for (const { langCode, nativeName } of languages())
    expect([langCode, isRightToLeft(langCode)]).toEqual([langCode, own.test(nativeName)]);
});
