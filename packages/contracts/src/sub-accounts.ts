import { CHANGE_MAX, CHILDREN_AT_ONCE } from '@yiqiao/domain/limits';
import { isSafeName } from '@yiqiao/domain/members';
import { SHARE_MODES } from '@yiqiao/domain/movements';
import { z } from 'zod';
import { done, endpoint } from './endpoint.js';
import { filter, flag, id, nickname, orMissing, page, paging, password, queryId, username } from './fields.js';

const quotas = z.object({ charNum: z.int(), voiceNum: z.int(), imageNum: z.int() });

/** What a sub-account may use per day and per month of APP_TIMEZONE (0: no cap), and what it has used. */
export const spendingCaps = z.object({ day: quotas, month: quotas, usedToday: quotas, usedThisMonth: quotas });
export type SpendingCaps = z.output<typeof spendingCaps>;

/** A main account's sub-accounts (specification §2, §7; decisions §3, §9). Everything here is for main accounts alone. */
export const childUser = z.object({
  userId: z.int(),
  account: z.string(),
  nickname: z.string(),
  enabled: z.literal([0, 1]),
  autoDistribution: z.literal([0, 1]),
  lastLoginDateTime: z.string().nullable(),
  memberAccount: z.object({ usableCharNum: z.int(), usableVoiceNum: z.int(), usableImageNum: z.int() }),
  /** Code points translated in all, ever. */
  usedCharTotal: z.int(),
  /** Null without caps. */
  caps: spendingCaps.nullable(),
});

/** Part of the account name or of the nickname: literal, case-insensitive. Empty: all. */
const nameFilter = z
  .string({ error: 'WRONG_TYPE' })
  .max(255, { error: 'TOO_LONG' })
  .refine(isSafeName, { error: 'UNSAFE_TEXT' });

export const listChildUsers = endpoint({
  method: 'GET',
  path: '/user/page',
  access: 'main',
  request: z.strictObject({
    ...paging,
    account: filter(nameFilter),
  }),
  response: page(childUser),
});

export const getChildUser = endpoint({
  method: 'GET',
  path: '/user/getChildInfo',
  access: 'main',
  request: z.strictObject({ userId: queryId }),
  response: childUser,
});

/** An empty value counts as absent: a new sub-account uses its name, an edited one keeps its nickname. */
const optionalNickname = z.preprocess((n) => (n === '' || n === null ? undefined : n), nickname.optional());

/** 0, null or absent: no cap. */
const cap = z.preprocess(
  (n) => n ?? 0,
  z.int({ error: 'WRONG_TYPE' }).min(0, { error: 'TOO_SMALL' }).max(CHANGE_MAX, { error: 'TOO_BIG' }),
);
const capsOfPeriod = z.strictObject({ charNum: cap, voiceNum: cap, imageNum: cap });
/** Absent: the caps stay as they are. */
const caps = z.strictObject({ day: capsOfPeriod, month: capsOfPeriod }).optional();

const newChild = z.strictObject({
  account: username,
  password,
  nickname: optionalNickname,
  enabled: flag.default(1),
  caps,
});
/** Name and password are not edited here: sending them is refused (decisions §9). */
const editedChild = z.strictObject({ userId: id, nickname: optionalNickname, enabled: flag.optional(), caps });

/** Without `userId` adds a sub-account, with it edits one. */
export const saveChildUser = endpoint({
  method: 'POST',
  path: '/user/saveChildUser',
  access: 'main',
  request: z.unknown().transform((body, ctx): z.output<typeof newChild> | z.output<typeof editedChild> => {
    const edits =
      typeof body === 'object' &&
      body !== null &&
      'userId' in body &&
      body.userId !== null &&
      body.userId !== undefined;
    const result = (edits ? editedChild : newChild).safeParse(edits ? body : withoutUserId(body));
    if (result.success) return result.data;
    for (const issue of result.error.issues) ctx.addIssue({ ...issue });
    return z.NEVER;
  }),
  response: childUser,
});

/** A form that adds sends its empty id along: null or absent is the same. */
const withoutUserId = (body: unknown): unknown => {
  if (typeof body !== 'object' || body === null || !('userId' in body)) return body;
  const { userId: _, ...rest } = body;
  return rest;
};

export const resetChildPassword = endpoint({
  method: 'POST',
  path: '/user/resetPassword',
  access: 'main',
  request: z.strictObject({ userId: id, password }),
  response: done,
});

export const changeEnabled = endpoint({
  method: 'POST',
  path: '/user/changeEnabled',
  access: 'main',
  request: z.strictObject({ userId: id, enabled: flag }),
  response: done,
});

/** The main account's own id means all its sub-accounts, including future ones. */
export const changeAutoDistribution = endpoint({
  method: 'POST',
  path: '/user/changeAutoDistribution',
  access: 'main',
  request: z.strictObject({ userId: id, autoDistribution: flag }),
  response: z.object({ count: z.int() }),
});

const childrenIds = z
  .array(id, { error: 'WRONG_TYPE' })
  .min(1, { error: 'REQUIRED' })
  .max(CHILDREN_AT_ONCE, { error: 'TOO_LONG' });

export const deleteChildUsers = endpoint({
  method: 'POST',
  path: '/user/delChild',
  access: 'main',
  request: z
    .strictObject({
      userId: id.optional(),
      childrenIds: childrenIds.optional(),
    })
    .refine((body) => (body.userId === undefined) !== (body.childrenIds === undefined), {
      error: 'ONE_OF_TWO',
      path: ['userId'],
    }),
  response: z.object({ count: z.int() }),
});

/** A signed change of the sub-account's quota: positive gives, negative takes back. */
const change = z
  .int({ error: 'WRONG_TYPE' })
  .min(-CHANGE_MAX, { error: 'TOO_SMALL' })
  .max(CHANGE_MAX, { error: 'TOO_BIG' });
const required = z.int({ error: orMissing('REQUIRED') }).pipe(change);

const quota = z.object({ usableCharNum: z.int(), usableVoiceNum: z.int(), usableImageNum: z.int() });
/** The free quota of both sides afterwards. */
const bothSides = z.object({ main: quota, child: quota });

export const distributeChars = endpoint({
  method: 'POST',
  path: '/user/distribution',
  access: 'main',
  request: z.strictObject({ childUserId: id, changeCharNum: required }),
  response: bothSides,
});

export const distributeVoice = endpoint({
  method: 'POST',
  path: '/user/voice/distribution',
  access: 'main',
  request: z.strictObject({ childUserId: id, changeVoiceNum: required }),
  response: bothSides,
});

export const distributeAll = endpoint({
  method: 'POST',
  path: '/user/all/distribution',
  access: 'main',
  request: z.strictObject({
    childUserId: id,
    changeCharNum: change.default(0),
    changeVoiceNum: change.default(0),
    changeImageNum: change.default(0),
    /** Takes back whatever the sub-account has free of these when the request is carried out; their change must be 0. */
    takeBackAll: z
      .array(z.enum(['charNum', 'voiceNum', 'imageNum'], { error: 'WRONG_VALUE' }))
      .max(3)
      .optional(),
  }),
  response: bothSides,
});

/** The sub-accounts of a batch: those with these ids, or all that a search finds (`''`: everybody). */
const several = { childrenIds: childrenIds.optional(), account: nameFilter.optional() };

const namesOne = (body: { childrenIds?: unknown; account?: unknown }): boolean =>
  (body.childrenIds === undefined) !== (body.account === undefined);

const amount = z.int({ error: 'WRONG_TYPE' }).min(0, { error: 'TOO_SMALL' }).max(CHANGE_MAX, { error: 'TOO_BIG' });

/**
 * Gives each of several sub-accounts the same amount, or tops each up to it. All or nothing; each movement is an ordinary pair of entries.
 * `count`: the sub-accounts that received something; `moved`: what they received together.
 */
export const distributeToMany = endpoint({
  method: 'POST',
  path: '/user/batch/distribution',
  access: 'main',
  request: z
    .strictObject({
      ...several,
      mode: z.enum(SHARE_MODES, { error: orMissing('REQUIRED', 'WRONG_VALUE') }),
      charNum: amount.default(0),
      voiceNum: amount.default(0),
      imageNum: amount.default(0),
    })
    .refine(namesOne, { error: 'ONE_OF_TWO', path: ['childrenIds'] }),
  response: z.object({
    count: z.int(),
    moved: z.object({ charNum: z.int(), voiceNum: z.int(), imageNum: z.int() }),
    main: quota,
  }),
});

/** Enables or disables several sub-accounts, all or none. `count`: those that were not so before. */
export const changeManyEnabled = endpoint({
  method: 'POST',
  path: '/user/batch/changeEnabled',
  access: 'main',
  request: z
    .strictObject({ ...several, enabled: flag })
    .refine(namesOne, { error: 'ONE_OF_TWO', path: ['childrenIds'] }),
  response: z.object({ count: z.int() }),
});
