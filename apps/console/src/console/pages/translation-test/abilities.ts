import type { Response } from '@yiqiao/contracts/endpoint';
import type { listLanguages, listTranslationPairs } from '@yiqiao/contracts/translation';
import { language } from '../../../shared/i18n/language.js';
import type { Channel } from '../../shared/channels/channels.js';

/** What each channel can translate now, stored compactly: eight channels of two hundred languages are a few sets. */

type Pair = Response<typeof listTranslationPairs>[number];
export type Quality = 'translation' | 'gloss';
type PairQuality = Pair['quality'];
export type LanguageLists = Response<typeof listLanguages>;
export type Direction = { source: string; target: string };

/** The source language to be detected by the server. */
export const AUTO = 'auto';

/** A channel translates any of its sources into any of its targets, or listed pairs only. */
type Ability =
  | { kind: 'any'; sources: ReadonlySet<string>; targets: ReadonlySet<string> }
  | { kind: 'listed'; from: ReadonlyMap<string, ReadonlyMap<string, PairQuality>> };
export type Abilities = ReadonlyMap<number, Ability>;

type Known = { channels: readonly Channel[]; languages: LanguageLists; pairs: readonly Pair[] };

const withChannel = (rows: LanguageLists['sourceList'], id: number): Set<string> =>
  new Set(rows.filter((row) => row.langCode !== AUTO && row.channels.includes(id)).map((row) => row.langCode));

const listed = (pairs: readonly Pair[]): Ability => {
  const from = new Map<string, Map<string, PairQuality>>();
  for (const { source, target, quality } of pairs)
    from.set(source, (from.get(source) ?? new Map<string, PairQuality>()).set(target, quality));
  return { kind: 'listed', from };
};

/** The abilities of the available channels: listed pairs, or else all combinations. */
export const abilitiesOf = ({ channels, languages, pairs }: Known): Abilities => {
  const pairsOf = Map.groupBy(pairs, (pair) => pair.channelId);
  return new Map(
    channels
      .filter(({ available, text }) => available && text)
      .map(({ id }): [number, Ability] => {
        const own = pairsOf.get(id);
        if (own) return [id, listed(own)];
        const { sourceList, targetList } = languages;
        return [id, { kind: 'any', sources: withChannel(sourceList, id), targets: withChannel(targetList, id) }];
      }),
  );
};

const NONE: ReadonlySet<Quality> = new Set();
const TRANSLATION: ReadonlySet<Quality> = new Set(['translation']);

const qualitiesOfPair = (quality: PairQuality | undefined): readonly Quality[] => {
  if (quality === undefined) return [];
  return quality === 'varies' ? ['translation', 'gloss'] : [quality];
};

/**
 * The qualities with which the channel `id` may answer in that direction; empty when it cannot. Both: which one depends on the text, or from
 * `auto` on the detected language.
 */
export const qualitiesOf = (abilities: Abilities, id: number, { source, target }: Direction): ReadonlySet<Quality> => {
  const ability = abilities.get(id);
  if (ability === undefined || source === target) return NONE;
  if (ability.kind === 'any')
    return ability.targets.has(target) && (source === AUTO || ability.sources.has(source)) ? TRANSLATION : NONE;
  const starts = source === AUTO ? [...ability.from.values()] : [ability.from.get(source)];
  return new Set(starts.flatMap((targets) => qualitiesOfPair(targets?.get(target))));
};

export const canDo = (abilities: Abilities, id: number, direction: Direction): boolean =>
  qualitiesOf(abilities, id, direction).size > 0;

/** Every language that one of these channels translates from, without `auto`. */
export const sourcesOf = (abilities: Abilities, ids: readonly number[]): ReadonlySet<string> =>
  new Set(
    ids.flatMap((id) => {
      const ability = abilities.get(id);
      if (ability === undefined) return [];
      return ability.kind === 'any' ? [...ability.sources] : [...ability.from.keys()];
    }),
  );

/** Every language that one of these channels translates `source` into. */
export const targetsOf = (abilities: Abilities, ids: readonly number[], source: string): ReadonlySet<string> =>
  new Set(
    ids.flatMap((id) => {
      const ability = abilities.get(id);
      if (ability === undefined) return [];
      if (ability.kind === 'any')
        return source === AUTO || ability.sources.has(source) ? [...ability.targets].filter((t) => t !== source) : [];
      const starts = source === AUTO ? [...ability.from.values()] : [ability.from.get(source)];
      return starts.flatMap((targets) => (targets ? [...targets.keys()] : []));
    }),
  );

/** The pairs that the channel `id` translates (not glosses) from one of `sources`. */
export const narrowedTo = (abilities: Abilities, id: number, sources: readonly string[]): Abilities => {
  const ability = abilities.get(id);
  const may = new Set(sources);
  if (ability === undefined) return new Map();
  if (ability.kind === 'any')
    return new Map([[id, { ...ability, sources: new Set(sources.filter((source) => ability.sources.has(source))) }]]);
  const from = [...ability.from]
    .filter(([source]) => may.has(source))
    .map(
      ([source, targets]) =>
        [source, new Map([...targets].filter(([, quality]) => quality === 'translation'))] as const,
    )
    .filter(([, targets]) => targets.size > 0);
  return new Map([[id, { kind: 'listed', from: new Map(from) }]]);
};

/** The direction: its default, and how it changes when one side changes. */

/** Channels in order of preference: the chosen ones before all that the member may use. */
type Preferred = readonly (readonly number[])[];

const TO_ENGLISH: Direction = { source: 'zh-Hans', target: 'en' };
const FROM_ENGLISH: Direction = { source: 'en', target: 'zh-Hans' };

/** Default directions by the language of the page, tried in this order; a translation is preferred to a gloss. */
const BEGINNINGS: readonly Direction[] = [
  ...(language === 'en' ? [FROM_ENGLISH, TO_ENGLISH] : [TO_ENGLISH]),
  { source: 'zh-Hans', target: 'zh-Hant' },
  { source: 'en', target: 'es' },
];
const USUAL_TARGETS = ['en', 'zh-Hans', 'zh-Hant'];

const translates = (abilities: Abilities, ids: readonly number[], direction: Direction): boolean =>
  ids.some((id) => qualitiesOf(abilities, id, direction).has('translation'));

export const someCan = (abilities: Abilities, ids: readonly number[], direction: Direction): boolean =>
  ids.some((id) => canDo(abilities, id, direction));

/** The new target for `source` when the current one is unavailable: a default one, else any translation, else anything. */
const targetFrom = (abilities: Abilities, ids: readonly number[], source: string): string | undefined => {
  const targets = [...targetsOf(abilities, ids, source)];
  const usual = USUAL_TARGETS.filter((target) => targets.includes(target));
  return [...usual, ...targets].find((target) => translates(abilities, ids, { source, target })) ?? targets[0];
};

/** A direction that works with the most preferred channels, or the default one when none does. */
export const firstDirection = (abilities: Abilities, preferred: Preferred): Direction => {
  for (const ids of preferred) {
    const usual = BEGINNINGS.find((direction) => translates(abilities, ids, direction));
    if (usual) return usual;
    for (const source of sourcesOf(abilities, ids)) {
      const target = targetFrom(abilities, ids, source);
      if (target !== undefined) return { source, target };
    }
  }
  return language === 'en' ? FROM_ENGLISH : TO_ENGLISH;
};

/** The direction after choosing `source`: keeps the target if possible, else takes one of the most preferred channels. */
export const withSource = (abilities: Abilities, preferred: Preferred, next: Direction): Direction => {
  const { source, target } = next;
  if (source !== target && preferred.some((ids) => someCan(abilities, ids, next))) return next;
  for (const ids of preferred) {
    const found = targetFrom(abilities, ids, source);
    if (found !== undefined) return { source, target: found };
  }
  return { source, target };
};

/** The reverse direction. For `auto` it starts from `detected`, the source of the last answer; null when unknown. */
export const swapped = (direction: Direction, detected: string | null): Direction | null => {
  const target = direction.source === AUTO ? detected : direction.source;
  return target === null ? null : { source: direction.target, target };
};
