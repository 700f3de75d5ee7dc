/** Members as operators see them (operators §10): found by any key, whole on one page. Personal data is masked. */
import { tidy } from '@yiqiao/domain/members';
import { z } from 'zod';
import { csvFile, type Response } from '../endpoint.js';
import { filter, page, paging, queryId } from '../fields.js';
import { invoice } from '../invoices.js';
import { loginLogRow } from '../login-log.js';
import { orderRow } from '../orders.js';
import { sessionRow } from '../sessions.js';
import { childUser } from '../sub-accounts.js';
import { memberAccount, user } from '../user.js';
import { operatorEndpoint } from './endpoint.js';

const userId = queryId;

/** `low`: below the member's own threshold. `expiring`: within a week. */
export const MEMBER_FILTERS = ['main', 'sub', 'low', 'expiring', 'expired', 'disabled', 'closed'] as const;
export type MemberFilter = (typeof MEMBER_FILTERS)[number];

const search = {
  /** A name, address, id, order number, invite code or command id; or the beginning or a part of a name. */
  query: filter(
    z
      .string()
      .transform(tidy)
      .pipe(z.string().max(255, { error: 'TOO_LONG' })),
  ),
  status: filter(z.enum(MEMBER_FILTERS, { error: 'WRONG_VALUE' })),
};

const zeroOne = z.literal([0, 1]);
const memberGroup = user.shape.memberGroup;
const { usableCharNum, usableVoiceNum, usableImageNum, expireDateTime } = memberAccount.shape;

/** `account`: the masked address; null for a sub-account and after log-off, like the names. Plan, channel and expiry are the main account's. */
export const memberRow = z.object({
  userId: z.int(),
  username: z.string().nullable(),
  nickname: z.string().nullable(),
  account: z.string().nullable(),
  role: z.enum(['main', 'sub']),
  familyId: z.int(),
  memberGroup,
  tranChannelId: z.int().nullable(),
  usableCharNum,
  usableVoiceNum,
  usableImageNum,
  expireDateTime,
  children: z.int(),
  lastLoginDateTime: z.string().nullable(),
  enabled: zeroOne,
  state: z.enum(['enabled', 'low', 'expired', 'disabled', 'closed']),
});

/** Exact matches first, then names that begin with the query, then those that contain it. `more`: there are more than `total`. */
export const searchMembers = operatorEndpoint({
  method: 'GET',
  path: '/members',
  action: 'read',
  request: z.strictObject({ ...search, ...paging }),
  response: page(memberRow).extend({ more: z.boolean() }),
});

/** The same rows as one file. */
export const exportMembers = operatorEndpoint({
  method: 'GET',
  path: '/members/export',
  action: 'read',
  request: z.strictObject(search),
  response: csvFile,
  file: 'csv',
});

/** Plans that can be granted. */
export const listGrantable = operatorEndpoint({
  method: 'GET',
  path: '/members/plans',
  action: 'read',
  request: z.strictObject({}),
  response: z.array(z.object({ id: z.int(), name: z.string(), enName: z.string() })),
});

const quantities = { charNum: z.int(), voiceNum: z.int(), imageNum: z.int() };

/** An action of an operator on a member of the family. */
const memberAction = z.object({
  n: z.int(),
  at: z.string(),
  actor: z.string(),
  action: z.string(),
  userId: z.int(),
  before: z.record(z.string(), z.unknown()).nullable(),
  after: z.record(z.string(), z.unknown()).nullable(),
  reason: z.string().nullable(),
});

const note = z.object({ id: z.int(), at: z.string(), by: z.string(), userId: z.int(), text: z.string() });

const hold = z.object({
  ...quantities,
  kind: z.enum(['text', 'voice', 'image']),
  createDateTime: z.string(),
  expireDateTime: z.string(),
});

/** One member, whole. Addresses are masked; what erasure deleted is null. Amounts in fen, `charPrice` in micro-yuan per character. */
export const memberDetails = z.object({
  userId: z.int(),
  familyId: z.int(),
  role: z.enum(['main', 'sub']),
  username: z.string().nullable(),
  nickname: z.string().nullable(),
  account: z.string().nullable(),
  /** Of the main account, for a sub-account. */
  mainUsername: z.string().nullable(),
  registerDateTime: z.string(),
  closeDateTime: z.string().nullable(),
  inviteCode: z.string().nullable(),
  inviteCount: z.int(),
  inviterId: z.int().nullable(),
  enabled: zeroOne,
  twoStep: zeroOne,
  lastLogin: z.object({ loginDateTime: z.string(), sumDay: z.int() }).nullable(),
  memberGroup: memberGroup.extend({ id: z.int() }),
  tranChannelId: z.int().nullable(),
  charPrice: z.int().nullable(),
  minutePrice: z.int(),
  channelFailover: zeroOne,
  translationCache: zeroOne,
  savedCharNum: z.int(),
  reminders: user.shape.reminders,
  balance: z.object({
    ...quantities,
    held: z.object(quantities),
    expireDateTime,
    usedCharTotal: z.int(),
    rechargeAmountTotal: z.int(),
    entries: z.int(),
  }),
  holds: z.array(hold),
  family: z.object({ accounts: z.int(), enabled: z.int(), charNum: z.int() }),
  orders: z.object({ total: z.int(), paid: z.int() }),
  devices: z.int(),
  sessions: z.array(sessionRow.omit({ current: true })),
  invoices: z.array(invoice.omit({ title: true, taxNo: true, email: true }).extend({ orderNo: z.string() })),
  actions: z.array(memberAction),
  notes: z.array(note),
});

export const getMember = operatorEndpoint({
  method: 'GET',
  path: '/members/:userId',
  action: 'read',
  request: z.strictObject({ userId }),
  response: memberDetails,
});
export type MemberDetails = Response<typeof getMember>;

/** The sub-accounts of a main account; `usedCharNum`: in the last 30 days. */
export const listMemberChildren = operatorEndpoint({
  method: 'GET',
  path: '/members/:userId/children',
  action: 'read',
  request: z.strictObject({ userId, ...paging }),
  response: page(childUser.extend({ usedCharNum: z.int() })),
});

export const listMemberOrders = operatorEndpoint({
  method: 'GET',
  path: '/members/:userId/orders',
  action: 'read',
  request: z.strictObject({ userId, ...paging }),
  response: page(orderRow.extend({ entrySeq: z.int().nullable() })),
});

export const listMemberLogins = operatorEndpoint({
  method: 'GET',
  path: '/members/:userId/logins',
  action: 'read',
  request: z.strictObject({ userId, ...paging }),
  response: page(loginLogRow),
});

/**
 * How the balance came about: what there was before the last recharge, and what each cause added since. `before` and `parts` add up to `now`;
 * `difference` is that of `now` and the balance itself.
 */
export const getSources = operatorEndpoint({
  method: 'GET',
  path: '/members/:userId/sources',
  action: 'read',
  request: z.strictObject({ userId }),
  response: z.object({
    /** The last recharge; null for an account without one, which is shown from its first entry. */
    since: z.string().nullable(),
    fromSeq: z.int(),
    toSeq: z.int(),
    before: z.object(quantities),
    parts: z.array(
      z.object({
        type: z.string(),
        direction: z.enum(['in', 'out', 'none']),
        /** The name of the only order, member or operator among the causes. */
        label: z.string().nullable(),
        entries: z.int(),
        ...quantities,
      }),
    ),
    now: z.object(quantities),
    difference: z.object(quantities),
  }),
});
