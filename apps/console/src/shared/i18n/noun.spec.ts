import { describe, expect, it } from '@jest/globals';
import i18next from 'i18next';
import en from '../ledger/texts.en.js';
import { noun } from './noun.js';

describe('the noun that goes with a number', () => {
  const words = { one: 'image', many: 'images' };

  it.each([1, '1', '+1', '−1', '-1'])('is singular for %s', (n) => {
    expect(noun(n, 'en', words)).toBe('image');
  });

  it.each([0, 2, 11, '1,001', '+21', '0.1', '–'])('is plural for %s', (n) => {
    expect(noun(n, 'en', words)).toBe('images');
  });

  it('is understood in a text', async () => {
    const i18n = i18next.createInstance();
    await i18n.init({ lng: 'en', resources: { en: { ledger: en } }, keySeparator: false, nsSeparator: false });
    i18n.services.formatter?.add('noun', noun);
    const say = (n: string) => i18n.t('chars', { ns: 'ledger', n });
    expect([say('−1'), say('+1,001')]).toEqual(['−1 char', '+1,001 chars']);
  });
});
