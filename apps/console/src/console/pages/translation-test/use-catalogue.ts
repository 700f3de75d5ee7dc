import { useQueries } from '@tanstack/react-query';
import { listLanguages, listTranslationPairs } from '@yiqiao/contracts/translation';
import { useMemo } from 'react';
import { call } from '../../../shared/api/call.js';
import { useChannels, type Channel } from '../../../shared/channels/use-channels.js';
import { abilitiesOf, type Abilities, type LanguageLists } from './abilities.js';
import type { PriceList } from './channel-order.js';

export type Catalogue = {
  abilities: Abilities;
  languages: LanguageLists;
  channels: readonly Channel[];
  prices: PriceList;
};

/** What can be translated now, by whom and at which price; asked again each time the page opens, because keys come and go. */
export function useCatalogue(): { catalogue: Catalogue | null; failed: Error | null; reload: () => void } {
  const channels = useChannels();
  const [pairs, languages] = useQueries({
    queries: [
      { queryKey: ['pairs'], queryFn: ({ signal }) => call(listTranslationPairs, {}, { signal }), retry: false },
      { queryKey: ['languages'], queryFn: ({ signal }) => call(listLanguages, {}, { signal }), retry: false },
    ],
  });
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
