import { USAGE_DAYS, USAGE_DAYS_MAX } from '@yiqiao/domain/limits';
import { z } from 'zod';
import { done, endpoint, nothing } from './endpoint.js';
import { flag, nickname, oldPassword, password, queryInt } from './fields.js';
import { reminders } from './reminders.js';
import { spendingCaps } from './sub-accounts.js';

export const memberAccount = z.object({
  usableCharNum: z.int(),
  usableVoiceNum: z.int(),
  usableImageNum: z.int(),
  usedCharTotal: z.int(),
  rechargeAmountTotal: z.int(),
  expireDateTime: z.string().nullable(),
});

/** The signed-in member (specification §3; decisions §9). */
export const user = z.object({
  userId: z.int(),
  nickname: z.string(),
  account: z.string(),
  username: z.string(),
  parentUserId: z.int().nullable(),
  inviteCode: z.string().nullable(),
  inviteCount: z.int(),
  registerDateTime: z.string(),
  autoDistribution: z.literal([0, 1]),
  tranChannelId: z.int(),
  memberGroupId: z.int(),
  memberGroup: z.object({ name: z.string(), enName: z.string(), translationBillingMode: z.enum(['char', 'time']) }),
  memberAccount,
  /**
   * Changes with the account, a main account's also with its sub-accounts'. When the stream begins with another one, this was read too
   * early (notices.ts). Not in the specification.
   */
  accountVersion: z.string(),
  lastLoginLog: z.object({ loginDateTime: z.string(), sumDay: z.int() }).nullable(),
  createChildUser: z.boolean(),
  /** Whether another channel that costs no more may serve when the own one fails; a sub-account's is always 0. Not in the specification. */
  channelFailover: z.literal([0, 1]),
  /** Whether the member's translations use the family's translation memory, whose hits are free. Not in the specification. */
  translationCache: z.literal([0, 1]),
  /** When the member is warned. Not in the specification (docs/decisions/0022). */
  reminders,
  enabled: z.literal([0, 1]),
  /** What the main account lets a sub-account use per day and per month, and what it has used; null without. Not in the specification. */
  caps: spendingCaps.nullable(),
});

export const getUser = endpoint({
  method: 'GET',
  path: '/user/get',
  access: 'member',
  request: nothing,
  response: user,
});

export const updateUser = endpoint({
  method: 'POST',
  path: '/user/update',
  access: 'member',
  request: z.strictObject({ nickname }),
  response: done,
});

/** Whether a translation may go through another channel, at no higher price, when the member's own fails. Not in the specification. */
export const changeFailover = endpoint({
  method: 'POST',
  path: '/user/changeFailover',
  access: 'main',
  request: z.strictObject({ channelFailover: flag }),
  response: done,
});

/** Each member's own setting. Turning it off forgets nothing: `forgetTranslations` does. Not in the specification (docs/decisions/0020). */
export const changeTranslationCache = endpoint({
  method: 'POST',
  path: '/user/changeTranslationCache',
  access: 'member',
  request: z.strictObject({ translationCache: flag }),
  response: done,
});

/** Ends every session of the member, this one included (decisions §2). */
export const changePassword = endpoint({
  method: 'POST',
  path: '/user/changePassword',
  access: 'member',
  request: z.strictObject({ oldPassword, password }),
  response: done,
});

/** Deletes the main account permanently, with all its sub-accounts (decisions §3). A wrong password is 422. */
export const deleteUser = endpoint({
  method: 'DELETE',
  path: '/user/delete',
  access: 'main',
  request: z.strictObject({ userPassword: password }),
  response: done,
});

/**
 * The usage on each of the last days, oldest first, today included: of the whole family for a main account, its own for a
 * sub-account. `children`: those sub-accounts that used characters within these days, most first.
 */
export const getUsage = endpoint({
  method: 'GET',
  path: '/user/usage',
  access: 'member',
  request: z.strictObject({
    days: queryInt
      .pipe(z.int().min(1, { error: 'TOO_SMALL' }).max(USAGE_DAYS_MAX, { error: 'TOO_BIG' }))
      .default(USAGE_DAYS),
  }),
  response: z.object({
    days: z.array(z.object({ date: z.string(), charNum: z.int(), voiceNum: z.int(), imageNum: z.int() })),
    /** Its username when it has no nickname; of a deleted one its last username, marked so in the request's language. */
    children: z.array(z.object({ userId: z.int(), nickname: z.string(), charNum: z.int() })),
  }),
});
