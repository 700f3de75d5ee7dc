import { describe, expect, it } from '@jest/globals';
import { vectors } from '../../../test/support/vectors.js';
import { signedInput, youdaoSign } from './youdao.js';

type Signed = { q: string; input: string; sign: string };
type Vectors = {
  appKey: string;
  appSecret: string;
  salt: string;
  curtime: string;
  cases: Signed[];
  astralAmbiguity: { utf16: Signed; codePoints: Signed; utf16b: Signed; codePointsB: Signed };
  batch: Signed & { qs: string[] };
};

const v = vectors<Vectors>('youdao-v3');
const signed = (input: string) =>
  youdaoSign({ appKey: v.appKey, input, salt: v.salt, curtime: v.curtime }, v.appSecret);

describe("Youdao's signature v3", () => {
  it.each(v.cases)('$q', ({ q, input, sign }) => {
    for (const counting of ['utf16', 'codePoints'] as const) {
      expect(signedInput(q, counting)).toBe(input);
      expect(signed(signedInput(q, counting))).toBe(sign);
    }
  });

  it('counts characters outside the BMP in UTF-16 units or code points', () => {
    const { utf16, codePoints, utf16b, codePointsB } = v.astralAmbiguity;
    for (const each of [utf16, utf16b]) {
      expect(signedInput(each.q, 'utf16')).toBe(each.input);
      expect(signed(each.input)).toBe(each.sign);
    }
    for (const each of [codePoints, codePointsB]) {
      expect(signedInput(each.q, 'codePoints')).toBe(each.input);
      expect(signed(each.input)).toBe(each.sign);
    }
  });

  it('covers all texts of a batch, concatenated', () => {
    const { qs, input, sign } = v.batch;
    expect(signedInput(qs.join(''), 'utf16')).toBe(input);
    expect(signed(input)).toBe(sign);
  });
});
