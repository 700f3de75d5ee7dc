import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { z } from 'zod';
import { dateTime, email, nickname, password, username } from './fields.js';
import { isFieldCode } from './field-messages.js';

const codeOf = (schema: z.ZodType, value: unknown): string | null => {
  const parsed = schema.safeParse(value);
  return parsed.success ? null : (parsed.error.issues[0]?.message ?? '');
};

describe('a field', () => {
  it.each([
    [username, undefined, 'USERNAME_REQUIRED'],
    [username, '   ', 'USERNAME_REQUIRED'],
    [username, 'a', 'USERNAME_MIN'],
    [username, 'a'.repeat(33), 'USERNAME_MAX'],
    [username, 'a b', 'USERNAME_FORMAT'],
    [username, 'a-b', 'USERNAME_FORMAT'],
    [username, 'ab\u202e', 'USERNAME_FORMAT'],
    [username, '林岚外贸', null],
    [username, ' 林岚1 ', null],
    [username, '𠮷𠮷', null],
    [username, 12, 'WRONG_TYPE'],
    [email, 'a@b', 'EMAIL_FORMAT'],
    [email, 'a@b.c, d@e.f', 'EMAIL_FORMAT'],
    [email, 'a@b.c\r\nBcc: x@y.z', 'EMAIL_FORMAT'],
    [email, `${'a'.repeat(250)}@b.cn`, 'EMAIL_FORMAT'],
    [email, `${'a'.repeat(256)}@b.cn`, 'EMAIL_MAX'],
    [email, 'Lin.Lan+1@haoyuan-trade.cn', null],
    [email, '林@例子.中国', null],
    [email, 'ａｂｃ@example.com', 'EMAIL_FORMAT'],
    [email, 'abc@ｅｘａｍｐｌｅ.com', 'EMAIL_FORMAT'],
    [email, 'abc＠example.com', 'EMAIL_FORMAT'],
    [email, 'abc@example．com', 'EMAIL_FORMAT'],
    [email, 'a\u00adbc@example.com', 'EMAIL_FORMAT'],
    [email, 'a\u200bbc@example.com', 'EMAIL_FORMAT'],
    [nickname, 'x', 'NICKNAME_MIN'],
    [nickname, 'a\u0000b', 'UNSAFE_TEXT'],
    [nickname, 'a\ud800b', 'UNSAFE_TEXT'],
    [nickname, 'a\u202eb', 'UNSAFE_TEXT'],
    [nickname, 'a\u2028b', 'UNSAFE_TEXT'],
    [nickname, 'ab\u2029', 'UNSAFE_TEXT'],
    [nickname, 'ab\ufeff', 'UNSAFE_TEXT'],
    [nickname, 'a\u200bb', 'UNSAFE_TEXT'],
    [nickname, '\u200b\u200b', 'UNSAFE_TEXT'],
    [nickname, '\u3164\u3164', 'UNSAFE_TEXT'],
    [nickname, '\uffa0\u115f', 'UNSAFE_TEXT'],
    [nickname, '\u{e0041}\u{e0042}', 'UNSAFE_TEXT'],
    [nickname, '\u00ad\u00ad', 'UNSAFE_TEXT'],
    [nickname, '\u2800\u2800', 'UNSAFE_TEXT'],
    [nickname, 'ab\u200d', 'UNSAFE_TEXT'],
    [nickname, 'ab\ufe0f', 'UNSAFE_TEXT'],
    [nickname, '\u0301\u0301', 'NICKNAME_MIN'],
    [nickname, 'a\u0301\u0302', 'NICKNAME_MIN'],
    [nickname, 'a b', null],
    [nickname, '👨‍👩‍👧 ❤️', null],
    [nickname, '👩🏽‍💻✨', null],
    [nickname, '一二', null],
    [password, '12345', 'PASSWORD_MIN'],
    [password, '1'.repeat(33), 'PASSWORD_MAX'],
    [password, '   🙂  ', null],
    [dateTime, '2026-02-29 00:00:00', 'DATE_FORMAT'],
    [dateTime, '2024-02-29 23:59:59', null],
    [dateTime, '2026-01-01 24:00:00', 'DATE_FORMAT'],
    [dateTime, '2026-1-1 0:0:0', 'DATE_FORMAT'],
  ] as const)('%#: %j is %s', (schema, value, code) => {
    expect(codeOf(schema, value)).toBe(code);
  });

  it('never alters a password', () => {
    fc.assert(
      fc.property(fc.string({ minLength: 6, maxLength: 32, unit: 'grapheme-ascii' }), (text) => {
        expect(password.parse(text)).toBe(text);
      }),
    );
  });

  it('returns every value normalised, or a code with a message', () => {
    fc.assert(
      fc.property(fc.anything(), (value) => {
        for (const schema of [username, email, nickname, password, dateTime]) {
          const code = codeOf(schema, value);
          if (code !== null) expect(isFieldCode(code)).toBe(true);
        }
      }),
    );
  });

  it('checks hostile addresses without backtracking', () => {
    // A nested quantifier would need longer for one of these than the suite may run.
    for (let i = 0; i < 1000; i++) expect(codeOf(email, `${'a'.repeat(60)}@${'a-'.repeat(60)}!`)).toBe('EMAIL_FORMAT');
  });
});
