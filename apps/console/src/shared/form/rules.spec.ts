import { describe, expect, it } from '@jest/globals';
import { email, password, username, vcode } from '@yiqiao/contracts/fields';
import { byContract } from './contract-rules.js';
import { sameAs } from './rules.js';

describe('rules of the forms', () => {
  it.each([
    [username, '', 'USERNAME_REQUIRED'],
    [username, ' ', 'USERNAME_REQUIRED'],
    [username, 'a', 'USERNAME_MIN'],
    [username, 'a'.repeat(33), 'USERNAME_MAX'],
    [username, 'a b', 'USERNAME_FORMAT'],
    [username, '林岚外贸', null],
    [email, '', 'EMAIL_REQUIRED'],
    [email, 'linlan@haoyuan-trade', 'EMAIL_FORMAT'],
    [email, 'linlan@haoyuan-trade.cn', null],
    [password, '', 'PASSWORD_REQUIRED'],
    [password, '12345', 'PASSWORD_MIN'],
    [password, 'x'.repeat(33), 'PASSWORD_MAX'],
    [password, ' 12345', null],
    [vcode, '', 'VCODE_REQUIRED'],
    [vcode, '12345', 'VCODE_FORMAT'],
    [vcode, '123456', null],
  ])('case %#', (schema, value, code) => {
    expect(byContract(schema)(value, {})).toBe(code);
  });

  it('a repeated password is compared as typed, spaces included', () => {
    expect(sameAs('password')('abcdef ', { password: 'abcdef' })).toBe('PASSWORD_DIFFERS');
    expect(sameAs('password')('abcdef', { password: 'abcdef' })).toBeNull();
  });
});
