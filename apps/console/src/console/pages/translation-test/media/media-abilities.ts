import type { Response } from '@yiqiao/contracts/endpoint';
import type { listMediaAbilities } from '@yiqiao/contracts/media';
import { AUTO, narrowedTo } from '../abilities.js';
import type { Catalogue } from '../use-catalogue.js';

export type MediaAbilities = Response<typeof listMediaAbilities>[number];
/** Pictures and recordings have their own quotas. */
export type MediaKind = 'image' | 'voice';
type Recognised = Pick<MediaAbilities[MediaKind], 'sources' | 'auto'>;

/** The catalogue of a channel limited to languages that can be recognised; a gloss does not count as a translation here. */
export const recognisedBy = (catalogue: Catalogue, id: number, { sources, auto }: Recognised): Catalogue => ({
  ...catalogue,
  abilities: narrowedTo(catalogue.abilities, id, sources),
  languages: {
    ...catalogue.languages,
    sourceList: catalogue.languages.sourceList.filter(({ langCode }) =>
      langCode === AUTO ? auto : sources.includes(langCode),
    ),
  },
});
