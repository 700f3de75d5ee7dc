/** Member groups (plans). A package on sale IS a member group; group 1 is the free trial and never on sale (decisions §4). */
export const TRIAL_GROUP_ID = 1;

export type BillingMode = 'char' | 'time';

/** In words. */
export const BILLING_MODES = {
  char: { zh: '按字符', en: 'per character' },
  time: { zh: '按时长', en: 'per period' },
} as const satisfies Record<BillingMode, { zh: string; en: string }>;

/** A price of a channel in micro-yuan per character, from `effectiveAt` (ms) on. */
export type ChannelPrice = { readonly tranChannelId: number; readonly price: number; readonly effectiveAt: number };

/**
 * The version in effect at a time (ms), in any order of `versions`; undefined before the first. A price changes strictly between the entries
 * that used the old one and those that use the new one, so the time of an entry is exact enough.
 */
export const versionAt = <V extends { readonly effectiveAt: number }>(
  versions: readonly V[],
  at: number,
): V | undefined =>
  versions.reduce<V | undefined>(
    (last, version) =>
      version.effectiveAt <= at && (last === undefined || version.effectiveAt > last.effectiveAt) ? version : last,
    undefined,
  );

/** Micro-yuan per character through the channel at a time (ms). Throws RangeError if the channel had no price then. */
export function priceAt(history: readonly ChannelPrice[], tranChannelId: number, at: number): number {
  const version = versionAt(
    history.filter((price) => price.tranChannelId === tranChannelId),
    at,
  );
  if (!version) throw new RangeError(`channel ${tranChannelId} had no price at ${at}`);
  return version.price;
}

/** A version of a plan, which purchases copy from `effectiveAt` (ms) on. `minutePrice` in micro-yuan, `salePrice` in fen. */
export type PlanVersion = {
  readonly id: number;
  readonly memberGroupId: number;
  readonly billingMode: BillingMode;
  readonly num: number;
  readonly salePrice: number;
  readonly minutePrice: number;
  readonly voiceNum: number;
  readonly imageNum: number;
  /** Null keeps the member's channel. */
  readonly tranChannelId: number | null;
  /** The channel at whose price `num` applies. */
  readonly referenceChannelId: number;
  readonly effectiveAt: number;
};
