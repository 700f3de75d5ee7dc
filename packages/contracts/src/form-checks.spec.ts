import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import * as fields from './fields.js';
import * as typed from './form-checks.js';

const NAMES = ['username', 'email', 'account', 'password', 'vcode'] as const;

/** As forms ask the schema: an empty field is a missing value. */
const bySchema = (name: (typeof NAMES)[number], value: string): string | null =>
  fields[name].safeParse(value === '' ? undefined : value).error?.issues[0]?.message ?? null;

const NEAR = [
  '',
  ' ',
  '　',
  'a',
  'ab',
  '译桥',
  'a b',
  'a-b',
  'ab\u202e',
  'e\u0301e',
  '𠮷',
  '𠮷𠮷',
  '12345',
  '123456',
  ' 123456 ',
  '1234567',
  'a'.repeat(32),
  'a'.repeat(33),
  '𠮷'.repeat(32),
  'a@b',
  'a@b.cn',
  'A@B.CN ',
  'a@-b.cn',
  'a b@c.cn',
  '.a@b.cn',
  'a@b.cn,c@d.cn',
  `${'a'.repeat(250)}@b.cn`,
  `${'a'.repeat(64)}@b.cn`,
  'a'.repeat(256),
  '      ',
  '\u0000a',
  '１２３４５６',
];

describe.each(NAMES)('%s', (name) => {
  it('is validated like its schema: near the edges', () => {
    expect(NEAR.map((value) => typed[name](value))).toEqual(NEAR.map((value) => bySchema(name, value)));
  });

  it('is validated like its schema: arbitrary values', () => {
    const text = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 300 }),
      fc.string({ unit: 'grapheme', maxLength: 40 }),
      fc.emailAddress(),
      fc.stringMatching(/^[ a-zA-Z0-9]{0,40}$/),
    );
    fc.assert(
      fc.property(text, (value) => {
        expect(typed[name](value)).toBe(bySchema(name, value));
      }),
    );
  });
});
