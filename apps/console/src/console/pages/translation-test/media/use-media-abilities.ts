import { listMediaAbilities } from '@yiqiao/contracts/media';
import { useEndpoint } from '../../../../shared/api/use-endpoint.js';
import type { MediaAbilities } from './media-abilities.js';

type Known = { abilities: MediaAbilities | null | undefined; failed: { message: string } | null; reload: () => void };

/** What the channel `id` does with pictures and recordings now: null when it does nothing at all, undefined until that is known. */
export function useMediaAbilities(id: number): Known {
  const query = useEndpoint(listMediaAbilities, {});
  return {
    abilities: query.data && (query.data.find(({ channelId }) => channelId === id) ?? null),
    failed: query.data ? null : query.error,
    reload: () => void query.refetch(),
  };
}
