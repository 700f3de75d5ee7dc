/** What would have been charged under other prices (operators §8, §11). */
import { CHANNEL_CODES, type ChannelCode } from '@yiqiao/domain/channels';
import { CHANGE_MAX } from '@yiqiao/domain/limits';
import { z } from 'zod';
import { done } from '../endpoint.js';
import { dateTime, inOrder, orAbsent, page, paging, queryId } from '../fields.js';
import { operatorEndpoint } from './endpoint.js';

const INT4_MAX = 2 ** 31 - 1;
const whole = (least: number, most = INT4_MAX) =>
  z.int({ error: orAbsent }).min(least, { error: 'WRONG_VALUE' }).max(most, { error: 'WRONG_VALUE' });

/** `salePrice` in fen, `minutePrice` in micro-yuan, `num` in characters or minutes. */
const planChange = z.strictObject({
  salePrice: whole(1).optional(),
  minutePrice: whole(1).optional(),
  num: whole(1, CHANGE_MAX).optional(),
  voiceNum: whole(0).optional(),
  imageNum: whole(0).optional(),
});

/** `channels`: micro-yuan per character by code; `plans`: by id. Nothing: the run only proves its baseline. */
const whatIfChanges = z.strictObject({
  channels: z
    .partialRecord(
      z.enum(CHANNEL_CODES as readonly [ChannelCode, ...ChannelCode[]], { error: 'WRONG_VALUE' }),
      whole(1),
    )
    .default({}),
  plans: z.record(z.string().regex(/^[1-9]\d{0,8}$/, { error: 'WRONG_VALUE' }), planChange).default({}),
});

const n = z.number();
/** As it was, and as it would have been. */
const pair = z.object({ was: n, wouldBe: n });
const affected = { gains: z.int(), loses: z.int(), same: z.int() };

const run = {
  id: z.int(),
  from: z.string(),
  to: z.string(),
  changes: whatIfChanges,
  /** `unsound`: without a change it does not come out as recorded, so it says nothing. */
  state: z.enum(['waiting', 'running', 'done', 'unsound', 'cancelled', 'failed']),
  startedBy: z.string(),
  createdAt: z.string(),
  startedAt: z.string().nullable(),
  finishedAt: z.string().nullable(),
  /** Replayed, and in all as counted at the start. */
  entries: z.int(),
  total: z.int(),
  families: z.int(),
  familiesTotal: z.int(),
  /** The time worked. */
  seconds: n,
  perSecond: z.int(),
};

/** Characters charged by translations, as recorded and computed again without any change; `parts`: the same for everything else. */
const whatIfBaseline = z.object({
  charged: n,
  wouldBe: n,
  difference: n,
  differenceCount: z.int(),
  parts: z.array(
    z.object({
      key: z.enum(['charNum', 'voiceNum', 'imageNum', 'credited', 'minutes', 'converted', 'amount']),
      charged: n,
      wouldBe: n,
      difference: n,
    }),
  ),
  /** How the charges followed from the prices of their moments (docs/decisions/0061). */
  reasons: z.object({ plain: z.int(), rounded: z.int(), earlier: z.int(), converted: z.int(), mixed: z.int() }),
  /** The first hundred. */
  differences: z.array(z.object({ userId: z.int(), seq: z.int(), what: z.string(), expected: n, found: n })),
});

const family = z.object({
  familyId: z.int(),
  name: z.string().nullable(),
  plan: z.int(),
  channel: z.int(),
  /** What it paid, fen. */
  amount: pair,
  /** Micro-yuan; positive if it gains. */
  effect: n,
});

/** Money from members in fen, vendors' cost and margin in micro-yuan. */
const whatIfResult = z.object({
  lines: z.int(),
  charged: pair,
  amount: pair,
  credited: pair,
  minutes: pair,
  vendorCost: n,
  /** Charged lines whose cost is unknown. */
  costless: z.int(),
  margin: pair,
  /** Texts that time mode would not include any more. */
  notIncluded: z.int(),
  dryCount: z.int(),
  /** The first hundred members, by the moment. */
  dry: z.array(
    z.object({
      userId: z.int(),
      familyId: z.int(),
      name: z.string().nullable(),
      at: z.string(),
      kind: z.enum(['char', 'voice', 'image', 'time']),
    }),
  ),
  affected: z.object(affected),
  gains: z.array(family),
  loses: z.array(family),
  plans: z.array(
    z.object({ id: z.int(), orders: z.int(), units: z.int(), amount: pair, charNum: pair, minutes: pair, ...affected }),
  ),
  channels: z.array(
    z.object({
      id: z.int(),
      lines: z.int(),
      charged: pair,
      value: pair,
      vendorCost: n,
      into: z.int(),
      outOf: z.int(),
      ...affected,
    }),
  ),
  conversionCount: z.int(),
  /** Those with the largest difference. */
  conversions: z.array(
    z.object({
      userId: z.int(),
      familyId: z.int(),
      name: z.string().nullable(),
      seq: z.int(),
      at: z.string(),
      from: z.int(),
      to: z.int(),
      before: n,
      charNum: pair,
    }),
  ),
  /** Families that bought several of a plan and would now do better with another one. */
  switches: z.array(z.object({ plan: z.int(), to: z.int(), families: z.int(), amount: pair, more: n })),
  /** Characters held on channels whose price changes, and what they would be worth more, micro-yuan. */
  held: z.array(z.object({ channel: z.int(), charNum: n, worth: n })),
  /** Plans whose reference channel changes: what one unit brings through the cheapest channel. */
  references: z.array(z.object({ plan: z.int(), channel: z.int(), on: z.int(), num: pair })),
});

const whatIfRow = z.object({
  ...run,
  baseline: whatIfBaseline.pick({ charged: true, wouldBe: true, difference: true, differenceCount: true }).nullable(),
  /** The figures to compare; null without a result. */
  summary: whatIfResult
    .pick({ amount: true, charged: true, vendorCost: true, margin: true, dryCount: true, affected: true })
    .nullable(),
});

const whatIf = z.object({ ...run, baseline: whatIfBaseline.nullable(), result: whatIfResult.nullable() });

const byId = z.strictObject({ id: queryId });

/** Replays the use and purchases of these seconds, both included, under the changed prices, in the worker. NOT_FOUND for an unknown plan. */
export const startWhatIf = operatorEndpoint({
  method: 'POST',
  path: '/what-if',
  action: 'whatIf.run',
  request: z
    .strictObject({ from: dateTime, to: dateTime, changes: whatIfChanges.prefault({}) })
    .superRefine(inOrder('from', 'to')),
  response: z.object({ id: z.int() }),
});

/** Newest first. */
export const listWhatIfs = operatorEndpoint({
  method: 'GET',
  path: '/what-if',
  action: 'read',
  request: z.strictObject({ ...paging }),
  response: page(whatIfRow),
});

export const getWhatIf = operatorEndpoint({
  method: 'GET',
  path: '/what-if/:id',
  action: 'read',
  request: byId,
  response: whatIf,
});

/** Two runs side by side; `difference`: the second without the first, of what would be. Null where one has no result. */
export const compareWhatIfs = operatorEndpoint({
  method: 'GET',
  path: '/what-if/:id/compare',
  action: 'read',
  request: z.strictObject({ id: queryId, with: queryId }),
  response: z.object({
    first: whatIfRow,
    second: whatIfRow,
    difference: z
      .object({ amount: n, charged: n, vendorCost: n, margin: n, dryCount: z.int(), gains: z.int(), loses: z.int() })
      .nullable(),
  }),
});

/** 409 WHAT_IF_OVER when it has ended already. */
export const cancelWhatIf = operatorEndpoint({
  method: 'POST',
  path: '/what-if/:id/cancel',
  action: 'whatIf.run',
  request: byId,
  response: done,
});

/** Goes on behind the last family that it has replayed. 409 WHAT_IF_NOT_STOPPED. */
export const resumeWhatIf = operatorEndpoint({
  method: 'POST',
  path: '/what-if/:id/resume',
  action: 'whatIf.run',
  request: byId,
  response: done,
});
