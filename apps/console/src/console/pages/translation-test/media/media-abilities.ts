import type { Response } from '@yiqiao/contracts/endpoint';
import type { listMediaAbilities } from '@yiqiao/contracts/media';
import { AUTO, narrowedTo } from '../abilities.js';
import type { Catalogue } from '../use-catalogue.js';

export type MediaAbilities = Response<typeof listMediaAbilities>[number];
/** Pictures and recordings have quotas of their own. */
export type MediaKind = 'image' | 'voice';
type Recognised = Pick<MediaAbilities[MediaKind], 'sources' | 'auto'>;

/** What is left of the catalogue for a channel whose sources have to be recognised first; a gloss is no translation here. */
export const recognisedBy = (catalogue: Catalogue, id: number, { sources, auto }: Recognised): Catalogue => ({
  ...catalogue,
  abilities: narrowedTo(catalogue.abilities, id, sources),
  languages: {
    ...catalogue.languages,
    sourceList: catalogue.languages.sourceList.filter(({ langCode }) => auto || langCode !== AUTO),
  },
});
