import { describe, expect, it } from '@jest/globals';
import { errors } from '@yiqiao/domain/errors';
import { SUB_WORDS } from './sub-words.js';

describe('the words for a sub-account', () => {
  it('are there for every refusal that advises another channel', () => {
    const advising = Object.entries(errors).filter(
      ([, { zh, en }]) => /换翻译通道|翻译通道。/.test(zh) || /another channel/.test(en),
    );
    expect(Object.keys(SUB_WORDS).sort()).toEqual(advising.map(([code]) => code).sort());
  });
});
