/** From which language into which: where the page begins, and what becomes of the direction when one side changes. */
import { AUTO, canDo, qualitiesOf, sourcesOf, targetsOf, type Abilities, type Direction } from './abilities.js';

/** Channels in the order in which they are preferred: the chosen ones before all that the member may use. */
type Preferred = readonly (readonly number[])[];

/** Where the page begins, tried in this order; a real translation before a gloss. */
const BEGINNINGS: readonly Direction[] = [
  { source: 'zh-Hans', target: 'en' },
  { source: 'zh-Hans', target: 'zh-Hant' },
  { source: 'en', target: 'es' },
];
const USUAL_TARGETS = ['en', 'zh-Hans', 'zh-Hant'];

const translates = (abilities: Abilities, ids: readonly number[], direction: Direction): boolean =>
  ids.some((id) => qualitiesOf(abilities, id, direction).has('translation'));

export const someCan = (abilities: Abilities, ids: readonly number[], direction: Direction): boolean =>
  ids.some((id) => canDo(abilities, id, direction));

/** The target that `source` gets when its present one cannot be had: a usual one, else any translation, else whatever there is. */
const targetFrom = (abilities: Abilities, ids: readonly number[], source: string): string | undefined => {
  const targets = [...targetsOf(abilities, ids, source)];
  const usual = USUAL_TARGETS.filter((target) => targets.includes(target));
  return [...usual, ...targets].find((target) => translates(abilities, ids, { source, target })) ?? targets[0];
};

/** A direction that works now with the channels preferred most, or the usual one when nothing does. */
export const firstDirection = (abilities: Abilities, preferred: Preferred): Direction => {
  for (const ids of preferred) {
    const usual = BEGINNINGS.find((direction) => translates(abilities, ids, direction));
    if (usual) return usual;
    for (const source of sourcesOf(abilities, ids)) {
      const target = targetFrom(abilities, ids, source);
      if (target !== undefined) return { source, target };
    }
  }
  return { source: 'zh-Hans', target: 'en' };
};

/** The direction after choosing `source`: the target stays when it can, else the channels preferred most give another one. */
export const withSource = (abilities: Abilities, preferred: Preferred, next: Direction): Direction => {
  const { source, target } = next;
  if (source !== target && preferred.some((ids) => someCan(abilities, ids, next))) return next;
  for (const ids of preferred) {
    const found = targetFrom(abilities, ids, source);
    if (found !== undefined) return { source, target: found };
  }
  return { source, target };
};

/** The way back. From `auto` it starts at `detected`, the source of the last answer; null when that is not known. */
export const swapped = (direction: Direction, detected: string | null): Direction | null => {
  const target = direction.source === AUTO ? detected : direction.source;
  return target === null ? null : { source: direction.target, target };
};
