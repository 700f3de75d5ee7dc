import { listLanguages, listTranslationPairs } from '@yiqiao/contracts/translation';
import { useMemo } from 'react';
import { useEndpoint } from '../../../shared/refine/use-endpoint.js';
import { useChannels, type Channel } from '../../shared/channels/channels.js';
import { abilitiesOf, type Abilities, type LanguageLists } from './abilities.js';
import type { PriceList } from './channel-order.js';

export type Catalogue = {
  abilities: Abilities;
  languages: LanguageLists;
  channels: readonly Channel[];
  prices: PriceList;
};

/** Channels, languages and prices; refetched each time the page opens, because vendors' keys change. */
export function useCatalogue(): {
  catalogue: Catalogue | null;
  failed: { message: string } | null;
  reload: () => void;
} {
  const channels = useChannels();
  const pairs = useEndpoint(listTranslationPairs, {});
  const languages = useEndpoint(listLanguages, {});
  const catalogue = useMemo(
    () =>
      pairs.data && languages.data && channels.data
        ? {
            abilities: abilitiesOf({ channels: channels.data, languages: languages.data, pairs: pairs.data }),
            languages: languages.data,
            channels: channels.data,
            prices: new Map(channels.data.map((c) => [c.id, c.price])),
          }
        : null,
    [pairs.data, languages.data, channels.data],
  );
  const all = [pairs, languages, channels];
  return {
    catalogue,
    failed: catalogue === null ? (all.find((q) => q.error !== null)?.error ?? null) : null,
    reload: () => all.filter((q) => q.isError).forEach((q) => void q.refetch()),
  };
}
