import type { Answer } from '@yiqiao/contracts/endpoint';
import type { getWhatIf } from '@yiqiao/contracts/operator/what-if';
import { CHANNELS, type ChannelCode } from '@yiqiao/domain/channels';
import { exchange } from '@yiqiao/domain/conversion';
import type { PriceChanges } from '@yiqiao/domain/what-if';
import { finished, type Pair, PARTS, type Tally } from '@yiqiao/domain/what-if-tally';
import type pg from 'pg';

type Run = Answer<typeof getWhatIf>;
type Result = NonNullable<Run['result']>;
type Nameless<Row> = Omit<Row, 'name' | 'at'> & (Row extends { at: string } ? { at: number } : object);

/** What a run goes on from: everything up to this family is in the tally. */
export type Kept = { familyId: number; tally: Tally };

/** A result as it is stored: without names, and times in ms. */
export type StoredResult = Omit<Result, 'dry' | 'gains' | 'loses' | 'conversions'> & {
  dry: Nameless<Result['dry'][number]>[];
  gains: Nameless<Result['gains'][number]>[];
  loses: Nameless<Result['loses'][number]>[];
  conversions: Nameless<Result['conversions'][number]>[];
};

const MICRO_YUAN_PER_FEN = 10_000;

/** By ids, as the replay takes them. */
export const changesOf = ({ channels = {}, plans = {} }: Run['changes']): PriceChanges => ({
  channels: Object.fromEntries(
    Object.entries(channels).map(([code, price]) => [CHANNELS[code as ChannelCode].id, price]),
  ),
  plans: Object.fromEntries(Object.entries(plans).map(([id, change]) => [Number(id), change])),
});

export function baselineOf({ baseline, differences, differenceCount, reasons }: Tally): NonNullable<Run['baseline']> {
  const partOf = ({ was, wouldBe }: Pair) => ({ charged: was, wouldBe, difference: wouldBe - was });
  return {
    ...partOf(baseline.charNum),
    differenceCount,
    parts: PARTS.map((key) => ({ key, ...partOf(baseline[key]) })),
    reasons,
    differences,
  };
}

const rows = <T extends object>(sums: Record<number, T>): ({ id: number } & T)[] =>
  Object.entries(sums)
    .map(([id, sum]) => ({ id: Number(id), ...sum }))
    .sort((a, b) => a.id - b.id);

/** Reads the prices and balances of now for what is worth knowing before the change. */
export async function resultOf(pool: pg.Pool, tally: Tally, changes: PriceChanges): Promise<StoredResult> {
  const { lines, charged, amount, credited, minutes, vendorCost, costless, notIncluded, ...lists } = finished(tally);
  const marginOf = (fen: number): number => fen * MICRO_YUAN_PER_FEN - vendorCost;
  return {
    lines,
    charged,
    amount,
    credited,
    minutes,
    vendorCost,
    costless,
    margin: { was: marginOf(amount.was), wouldBe: marginOf(amount.wouldBe) },
    notIncluded,
    dryCount: lists.dryCount,
    dry: lists.dry,
    affected: lists.affected,
    gains: lists.gains,
    loses: lists.loses,
    plans: rows(lists.plans),
    channels: rows(lists.channels),
    conversionCount: lists.conversionCount,
    conversions: lists.conversions,
    switches: lists.switches,
    ...(await notesOf(pool, changes)),
  };
}

type Channel = { id: number; price: number };
type Plan = { id: number; num: string; reference: number; channel: number | null };

async function notesOf(pool: pg.Pool, { channels, plans }: PriceChanges): Promise<Pick<Result, 'held' | 'references'>> {
  const changed = Object.keys(channels).map(Number);
  const { rows: prices } = await pool.query<Channel>('SELECT id, price FROM tran_channel ORDER BY price, id');
  const { rows: held } = await pool.query<{ channel: number; chars: string }>(
    `SELECT tran_channel_id AS channel, sum(usable_char_num) AS chars FROM member_account
     WHERE tran_channel_id = ANY ($1) GROUP BY tran_channel_id ORDER BY tran_channel_id`,
    [changed],
  );
  const { rows: referring } = await pool.query<Plan>(
    `SELECT id, num, reference_channel_id AS reference, tran_channel_id AS channel FROM member_group
     WHERE on_sale AND billing_mode = 1 AND reference_channel_id = ANY ($1) ORDER BY id`,
    [changed],
  );
  const priceOf = (id: number): number => prices.find((channel) => channel.id === id)?.price ?? 1;
  const willBe = (id: number): number => channels[id] ?? priceOf(id);
  return {
    held: held.map(({ channel, chars }) => ({
      channel,
      charNum: Number(chars),
      worth: Number(chars) * (willBe(channel) - priceOf(channel)),
    })),
    references: referring.flatMap(({ id, num, reference, channel }) => {
      const on = channel ?? prices.find((other) => other.id !== reference && channels[other.id] === undefined)?.id;
      if (on === undefined || on === reference) return [];
      const was = exchange(Number(num), priceOf(reference), priceOf(on));
      const wouldBe = exchange(plans[id]?.num ?? Number(num), willBe(reference), willBe(on));
      return [{ plan: id, channel: reference, on, num: { was, wouldBe } }];
    }),
  };
}
