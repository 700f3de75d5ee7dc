/**
 * Who may do what in the operator console (operators §2–§4): one table for the API, for the console's access control and for the test of
 * every role on every route.
 */

/** In ascending order of what they may do. */
export const OPERATOR_ROLES = {
  viewer: { zh: '只读', en: 'Viewer' },
  support: { zh: '客服', en: 'Support' },
  finance: { zh: '财务', en: 'Finance' },
  owner: { zh: '所有者', en: 'Owner' },
} as const satisfies Record<string, { zh: string; en: string }>;

export type OperatorRole = keyof typeof OPERATOR_ROLES;
export const operatorRoles = Object.keys(OPERATOR_ROLES) as OperatorRole[];

/**
 * `roles`: who is offered the action. `code`: it takes a fresh one-time code. `approval`: `always` it is a request that another operator
 * decides; `aboveLimit` only for much.
 */
export type OperatorActionRule = {
  readonly roles: readonly OperatorRole[];
  readonly code?: true;
  readonly approval?: 'always' | 'aboveLimit';
};

const EVERYBODY = operatorRoles;
const STAFF = ['support', 'finance', 'owner'] as const;
const MONEY = ['finance', 'owner'] as const;
const CONTENT = ['support', 'owner'] as const;
const OWNERS = ['owner'] as const;

export const OPERATOR_ACTIONS = {
  /** Every page. */
  read: { roles: EVERYBODY },
  'audit.run': { roles: EVERYBODY },
  'proof.export': { roles: EVERYBODY },
  'whatIf.run': { roles: EVERYBODY },
  'personalData.reveal': { roles: STAFF },
  'member.signOut': { roles: STAFF },
  'member.enable': { roles: STAFF },
  'member.passwordMail': { roles: STAFF },
  'member.viewAs': { roles: STAFF },
  'member.note': { roles: STAFF },
  'quota.adjust': { roles: STAFF, approval: 'aboveLimit' },
  'plan.grant': { roles: STAFF, approval: 'aboveLimit' },
  'payment.refund': { roles: MONEY, approval: 'always' },
  'payment.settle': { roles: MONEY },
  'payment.closeException': { roles: MONEY },
  'statement.import': { roles: MONEY },
  'price.change': { roles: MONEY, approval: 'always' },
  'vendorAccount.change': { roles: MONEY },
  'vendorAccount.setKey': { roles: MONEY, code: true },
  'notice.change': { roles: CONTENT },
  'content.change': { roles: CONTENT },
  'request.make': { roles: STAFF },
  'request.decide': { roles: MONEY, code: true },
  'request.withdraw': { roles: STAFF },
  'operator.create': { roles: OWNERS, code: true },
  'operator.signOut': { roles: OWNERS },
  'operator.changeRole': { roles: OWNERS, approval: 'always' },
  'operator.end': { roles: OWNERS, approval: 'always' },
  'limits.change': { roles: OWNERS, code: true },
  'readOnly.lift': { roles: OWNERS, approval: 'always' },
  /** What everybody may do with their own account. */
  'self.manage': { roles: EVERYBODY },
  'self.secure': { roles: EVERYBODY, code: true },
} as const satisfies Record<string, OperatorActionRule>;

export type OperatorAction = keyof typeof OPERATOR_ACTIONS;

export const mayDo = (role: OperatorRole, action: OperatorAction): boolean =>
  (OPERATOR_ACTIONS[action].roles as readonly OperatorRole[]).includes(role);

/** Sessions end after this time without a request, and after this time in all. */
export const OPERATOR_SESSION_IDLE_MS = 30 * 60_000;
export const OPERATOR_SESSION_MS = 12 * 3_600_000;

/** Passkeys of one operator, and the characters of a passkey's name, at most. */
export const PASSKEYS_MAX = 10;
export const PASSKEY_NAME_MAX = 40;

/** A request that nobody decides lapses after this time (operators §4). */
export const REQUEST_MS = 72 * 3_600_000;
export const REQUEST_REASON_MIN = 10;
export const REQUEST_REASON_MAX = 500;

/** `done`: approved and carried out. `failed`: approved, but its command refused. */
export const REQUEST_STATES = {
  open: { zh: '等待中', en: 'Waiting' },
  done: { zh: '批准', en: 'Approved' },
  failed: { zh: '批准，未能执行', en: 'Approved, not carried out' },
  rejected: { zh: '驳回', en: 'Rejected' },
  withdrawn: { zh: '已撤回', en: 'Withdrawn' },
  lapsed: { zh: '无人决定，作废', en: 'Lapsed: nobody decided' },
} as const satisfies Record<string, { zh: string; en: string }>;

export type RequestState = keyof typeof REQUEST_STATES;
export const requestStates = Object.keys(REQUEST_STATES) as RequestState[];

/** Points of a timeline at most (operators §6). */
export const TIMELINE_POINTS_MAX = 500;

/** Entries that a filter of the event stream looks through at a time. */
export const ENTRY_SEARCH_MAX = 20_000;

/** Members of a family that are drawn each by itself. */
export const FAMILY_LANES_MAX = 20;

/** A member's console, opened read-only by an operator, ends after this time; its link after this. */
export const MEMBER_VIEW_MS = 15 * 60_000;
export const MEMBER_VIEW_LINK_MS = 60_000;

/** What an operator gives or takes, with its value in fen. */
export type ValuedChange = { charNum: number; voiceNum: number; imageNum: number; amount: number };

/** Whether it takes a second operator (operators §4). */
export const exceedsLimits = (change: ValuedChange, limits: ValuedChange): boolean =>
  (Object.keys(limits) as (keyof ValuedChange)[]).some((name) => Math.abs(change[name]) > limits[name]);

const MICRO_YUAN_PER_FEN = 10_000;
const DAY_MINUTES = 24 * 60;

/** What an adjustment is worth: its characters, and in time mode its days. `charPrice`, `minutePrice`: micro-yuan. */
export function valueOfAdjustment(
  change: { charNum: number; voiceNum: number; imageNum: number; days: number },
  account: { charPrice: number; minutePrice: number; translationBillingMode: 'char' | 'time' },
): ValuedChange {
  const { days, ...quota } = change;
  const minutes = account.translationBillingMode === 'time' ? days * DAY_MINUTES : 0;
  const amount = Math.ceil(
    (Math.abs(quota.charNum) * account.charPrice + Math.abs(minutes) * account.minutePrice) / MICRO_YUAN_PER_FEN,
  );
  return { ...quota, amount };
}
