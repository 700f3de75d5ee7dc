import { z } from 'zod';
import { done, endpoint, nothing } from './endpoint.js';
import { account, clientType, email, nickname, password, signInCode, username, vcode } from './fields.js';

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

/** 422 SIGN_IN_CODE_REQUIRED with a `challenge` in `data` for an account with two-step sign-in: `secondStep` follows within `seconds`. */
export const login = endpoint({
  method: 'POST',
  path: '/login/login',
  access: 'public',
  request: z.strictObject({ account, password, clientType: clientType.default('web') }),
  response: z.object({ userId: z.int(), sk: z.string() }),
});

/** Signs in with the challenge of `login` and a code of the app or a recovery code. Not in the specification (docs/decisions/0050). */
export const secondStep = endpoint({
  method: 'POST',
  path: '/login/secondStep',
  access: 'public',
  request: z.strictObject({
    challenge: z.string({ error: 'WRONG_TYPE' }).max(2_000, { error: 'INVALID' }),
    code: signInCode,
  }),
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
