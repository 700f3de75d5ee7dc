/** What a what-if adds up (operators §8): plain data, so that a run can go on from it after a crash. Bounded, whatever the history. */
import type { ChargeReason } from './what-if.js';

/** As it really was, and as it would have been. */
export type Pair = { was: number; wouldBe: number };

/** Families by what the change means for them. */
export type Affected = { gains: number; loses: number; same: number };

/** `amount` in fen; quantities in characters, minutes, voice minutes and pictures. */
export type PlanSums = Affected & { orders: number; units: number; amount: Pair; charNum: Pair; minutes: Pair };

/** `value`: of the charged characters at the price of the account's channel; it and `vendorCost` in micro-yuan. */
export type ChannelSums = Affected & {
  lines: number;
  charged: Pair;
  value: Pair;
  vendorCost: number;
  /** Changes of channel to this one and from it. */
  into: number;
  outOf: number;
};

/** The first use for which the quota, or the time, would not have sufficed. */
export type DryRow = { userId: number; familyId: number; at: number; kind: 'char' | 'voice' | 'image' | 'time' };

export type ConversionRow = {
  userId: number;
  familyId: number;
  seq: number;
  at: number;
  from: number;
  to: number;
  before: number;
  charNum: Pair;
};

/** `amount`: what the family paid, fen; `effect`: micro-yuan, positive if it gains. */
export type FamilyRow = { familyId: number; plan: number; channel: number; amount: Pair; effect: number };

/** Families that bought several of one plan and would buy another one instead, with the money as if they all did. */
export type SwitchRow = { plan: number; to: number; families: number; amount: Pair; more: number };

/** What was not reproduced. */
export type BaselineDifference = { userId: number; seq: number; what: string; expected: number; found: number };

export const PARTS = ['charNum', 'voiceNum', 'imageNum', 'credited', 'minutes', 'converted', 'amount'] as const;
export type Part = (typeof PARTS)[number];

/** Rows kept of each list. */
const KEPT = { dry: 100, conversions: 50, families: 20, differences: 100 };

export type Tally = {
  entries: number;
  lines: number;
  families: number;
  /** Recorded, and computed again without any change. `charNum`: used characters; `credited`: bought ones; `converted`: changes of channel. */
  baseline: Record<Part, Pair>;
  differenceCount: number;
  differences: BaselineDifference[];
  reasons: Record<ChargeReason, number>;
  charged: Pair;
  amount: Pair;
  /** Characters and minutes credited by purchases. */
  credited: Pair;
  minutes: Pair;
  vendorCost: number;
  /** Charged lines whose cost is unknown. */
  costless: number;
  /** Texts that time mode would not include any more. */
  notIncluded: number;
  dryCount: number;
  dry: DryRow[];
  affected: Affected;
  gains: FamilyRow[];
  loses: FamilyRow[];
  conversionCount: number;
  conversions: ConversionRow[];
  plans: Record<number, PlanSums>;
  channels: Record<number, ChannelSums>;
  switches: SwitchRow[];
};

const pair = (): Pair => ({ was: 0, wouldBe: 0 });
const affected = (): Affected => ({ gains: 0, loses: 0, same: 0 });

export const emptyTally = (): Tally => ({
  entries: 0,
  lines: 0,
  families: 0,
  baseline: Object.fromEntries(PARTS.map((part) => [part, pair()])) as Record<Part, Pair>,
  differenceCount: 0,
  differences: [],
  reasons: { plain: 0, rounded: 0, earlier: 0, converted: 0, mixed: 0 },
  charged: pair(),
  amount: pair(),
  credited: pair(),
  minutes: pair(),
  vendorCost: 0,
  costless: 0,
  notIncluded: 0,
  dryCount: 0,
  dry: [],
  affected: affected(),
  gains: [],
  loses: [],
  conversionCount: 0,
  conversions: [],
  plans: {},
  channels: {},
  switches: [],
});

export const planOf = (tally: Tally, id: number): PlanSums =>
  (tally.plans[id] ??= { ...affected(), orders: 0, units: 0, amount: pair(), charNum: pair(), minutes: pair() });

export const channelOf = (tally: Tally, id: number): ChannelSums =>
  (tally.channels[id] ??= {
    ...affected(),
    lines: 0,
    charged: pair(),
    value: pair(),
    vendorCost: 0,
    into: 0,
    outOf: 0,
  });

export function add(to: Pair, was: number, wouldBe: number): void {
  to.was += was;
  to.wouldBe += wouldBe;
}

/** Keeps the first rows by `order`; sorts only now and then. */
function keep<T>(rows: T[], row: T, most: number, order: (a: T, b: T) => number): void {
  rows.push(row);
  if (rows.length > 2 * most) rows.sort(order).splice(most);
}

const byTime = (a: DryRow, b: DryRow): number => a.at - b.at || a.userId - b.userId;
const change = ({ charNum }: ConversionRow): number => Math.abs(charNum.wouldBe - charNum.was);
const byChange = (a: ConversionRow, b: ConversionRow): number => change(b) - change(a) || a.at - b.at;
const byGain = (a: FamilyRow, b: FamilyRow): number => b.effect - a.effect || a.familyId - b.familyId;
const byLoss = (a: FamilyRow, b: FamilyRow): number => a.effect - b.effect || a.familyId - b.familyId;

export function addDry(tally: Tally, row: DryRow): void {
  tally.dryCount++;
  keep(tally.dry, row, KEPT.dry, byTime);
}

export function addConversion(tally: Tally, row: ConversionRow): void {
  tally.conversionCount++;
  channelOf(tally, row.from).outOf++;
  channelOf(tally, row.to).into++;
  if (row.charNum.was !== row.charNum.wouldBe) keep(tally.conversions, row, KEPT.conversions, byChange);
}

export function addDifference(tally: Tally, row: BaselineDifference): void {
  tally.differenceCount++;
  if (tally.differences.length < KEPT.differences) tally.differences.push(row);
}

export function addFamily(tally: Tally, row: FamilyRow): void {
  const side = row.effect > 0 ? 'gains' : row.effect < 0 ? 'loses' : 'same';
  tally.affected[side]++;
  planOf(tally, row.plan)[side]++;
  channelOf(tally, row.channel)[side]++;
  if (side === 'gains') keep(tally.gains, row, KEPT.families, byGain);
  else if (side === 'loses') keep(tally.loses, row, KEPT.families, byLoss);
}

export function addSwitch(tally: Tally, { families, amount, more, ...row }: SwitchRow): void {
  let known = tally.switches.find(({ plan, to }) => plan === row.plan && to === row.to);
  if (!known) tally.switches.push((known = { ...row, families: 0, amount: pair(), more: 0 }));
  known.families += families;
  known.more += more;
  add(known.amount, amount.was, amount.wouldBe);
}

/** The lists in order and cut to their length. */
export const finished = (tally: Tally): Tally => ({
  ...tally,
  dry: tally.dry.toSorted(byTime).slice(0, KEPT.dry),
  conversions: tally.conversions.toSorted(byChange).slice(0, KEPT.conversions),
  gains: tally.gains.toSorted(byGain).slice(0, KEPT.families),
  loses: tally.loses.toSorted(byLoss).slice(0, KEPT.families),
});

/** Without a change everything comes out as it was recorded, to the unit. */
export const isSound = (tally: Tally): boolean => tally.differenceCount === 0;
