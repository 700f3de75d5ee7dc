import type { listTranslationPairs } from '@yiqiao/contracts/translation';
import type { Response } from '@yiqiao/contracts/endpoint';

export type Pair = Response<typeof listTranslationPairs>[number];
export type Direction = { source: string; target: string };

/** The source that is found out by the server. */
export const AUTO = 'auto';

/** Tried in this order when the page opens; the first that works now is offered (issue: "offers first what is really available"). */
const PREFERRED: readonly Direction[] = [
  { source: 'zh-Hans', target: 'zh-Hant' },
  { source: 'zh-Hans', target: 'en' },
  { source: 'en', target: 'es' },
];

/**
 * Every way of translating `source` into `target` now. From `auto` that is every pair that ends in `target`: which one it will be
 * is known only after detection.
 */
export const waysOf = (pairs: readonly Pair[], { source, target }: Direction): readonly Pair[] =>
  pairs.filter((p) => p.target === target && (source === AUTO || p.source === source));

export const canTranslate = (pairs: readonly Pair[], direction: Direction): boolean =>
  waysOf(pairs, direction).length > 0;

export const sourcesOf = (pairs: readonly Pair[]): ReadonlySet<string> => new Set(pairs.map((p) => p.source));

export const targetsOf = (pairs: readonly Pair[], source: string): ReadonlySet<string> =>
  new Set(pairs.filter((p) => source === AUTO || p.source === source).map((p) => p.target));

/** Where the page starts: a direction that works now, or the usual one when nothing does. */
export const firstDirection = (pairs: readonly Pair[]): Direction => {
  const first = PREFERRED.find((d) => canTranslate(pairs, d)) ?? pairs[0] ?? { source: 'zh-Hans', target: 'zh-Hant' };
  return { source: first.source, target: first.target };
};

/** The direction after choosing `source`: the target stays when it can, else it becomes the first real translation from there. */
export const withSource = (pairs: readonly Pair[], direction: Direction, source: string): Direction => {
  const next = { source, target: direction.target };
  if (canTranslate(pairs, next) && source !== direction.target) return next;
  const ways = pairs.filter((p) => source === AUTO || p.source === source);
  const found = ways.find((p) => p.quality === 'translation') ?? ways[0];
  return { source, target: found?.target ?? direction.target };
};

/** The way back. From `auto` it starts at `detected`, the source of the last answer; null when that is not known or cannot be done. */
export const swapped = (pairs: readonly Pair[], direction: Direction, detected: string | null): Direction | null => {
  const target = direction.source === AUTO ? detected : direction.source;
  if (target === null) return null;
  const back = { source: direction.target, target };
  return canTranslate(pairs, back) ? back : null;
};
