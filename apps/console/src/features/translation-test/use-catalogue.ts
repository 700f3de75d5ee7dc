import { useQueries } from '@tanstack/react-query';
import type { Response } from '@yiqiao/contracts/endpoint';
import { listChannels, listLanguages, listTranslationPairs } from '@yiqiao/contracts/translation';
import { useMemo } from 'react';
import { call } from '../../shared/api/call.js';
import type { Pair } from './pairs.js';

export type Channel = Response<typeof listChannels>[number];
export type Catalogue = {
  pairs: readonly Pair[];
  languages: Response<typeof listLanguages>;
  channels: readonly Channel[];
  prices: ReadonlyMap<number, number>;
};

/** What can be translated now, by whom and at which price; asked again each time the page opens, because keys come and go. */
export function useCatalogue(): { catalogue: Catalogue | null; failed: Error | null; reload: () => void } {
  const [pairs, languages, channels] = useQueries({
    queries: [
      { queryKey: ['pairs'], queryFn: ({ signal }) => call(listTranslationPairs, {}, { signal }), retry: false },
      { queryKey: ['languages'], queryFn: ({ signal }) => call(listLanguages, {}, { signal }), retry: false },
      { queryKey: ['channels'], queryFn: ({ signal }) => call(listChannels, {}, { signal }), retry: false },
    ],
  });
  const catalogue = useMemo(
    () =>
      pairs.data && languages.data && channels.data
        ? {
            pairs: pairs.data,
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
