import { z } from 'zod';
import { done, endpoint, nothing } from './endpoint.js';
import { account, clientType, email, nickname, password, username, vcode } from './fields.js';

/** `/login/*`: accounts without a session (specification §5, §7; decisions §2, §3). */

export const checkAccount = endpoint({
  method: 'POST',
  path: '/login/checkAccount',
  access: 'public',
  request: z.strictObject({ account: email }),
  response: z.boolean(),
});

export const checkUsername = endpoint({
  method: 'POST',
  path: '/login/checkUsername',
  access: 'public',
  request: z.strictObject({ username }),
  response: z.boolean(),
});

export const sendVCode = endpoint({
  method: 'POST',
  path: '/login/sendVCode',
  access: 'public',
  request: z.strictObject({ account }),
  response: done,
});

export const register = endpoint({
  method: 'POST',
  path: '/login/register',
  access: 'public',
  request: z.strictObject({
    username,
    account: email,
    password,
    vcode,
    nickname: nickname.optional(),
    /** An invalid code does not block registration (decisions §3). */
    inviteCode: z.string({ error: 'WRONG_TYPE' }).optional(),
  }),
  response: z.object({ userId: z.int() }),
});

export const login = endpoint({
  method: 'POST',
  path: '/login/login',
  access: 'public',
  request: z.strictObject({ account, password, clientType: clientType.default('web') }),
  response: z.object({ userId: z.int(), sk: z.string() }),
});

export const logout = endpoint({
  method: 'POST',
  path: '/login/logout',
  access: 'member',
  request: nothing,
  response: done,
});

export const findEmail = endpoint({
  method: 'GET',
  path: '/login/findEmail',
  access: 'public',
  request: z.strictObject({ accountOrEmail: account }),
  response: z.string(),
});

/** `email` may be the username instead, so that the full address is not needed (decisions §3). */
export const resetPwdByVcode = endpoint({
  method: 'POST',
  path: '/login/resetPwdByVcode',
  access: 'public',
  request: z.strictObject({ email: account, vcode, password }),
  response: done,
});
