import { listMediaAbilities } from '@yiqiao/contracts/media';
import { useMemo, useState } from 'react';
import { useEndpoint } from '../../../shared/api/use-endpoint.js';
import { useMember } from '../../../../shared/auth/user.js';
import { nameIn } from '../../../shared/channels/channels.js';
import { type Direction, firstDirection, someCan, sourcesOf, swapped, withSource } from '../abilities.js';
import type { Catalogue } from '../use-catalogue.js';
import { useLanguageGroups, useRecentLanguages } from '../use-language-groups.js';
import { usePayer } from '../use-payer.js';
import { type MediaAbilities, type MediaKind, recognisedBy } from './media-abilities.js';

type Known = { abilities: MediaAbilities | null | undefined; failed: { message: string } | null; reload: () => void };

/** What the channel `id` can do with pictures and recordings: null if nothing, undefined while loading. */
export function useMediaAbilities(id: number): Known {
  const query = useEndpoint(listMediaAbilities, {});
  return {
    abilities: query.data && (query.data.find(({ channelId }) => channelId === id) ?? null),
    failed: query.data ? null : query.error,
    reload: () => void query.refetch(),
  };
}

type Given = { catalogue: Catalogue; abilities: MediaAbilities; kind: MediaKind };

/** Languages, channel and quota for a picture or a recording, which only use the member's own channel (decisions §7). */
export function useMediaForm({ catalogue, abilities, kind }: Given) {
  const { memberAccount, userId } = useMember();
  const payer = usePayer();
  const { id } = payer.own;
  const able = useMemo(() => recognisedBy(catalogue, id, abilities[kind]), [catalogue, id, abilities, kind]);
  const { recent, remember } = useRecentLanguages(userId);
  const [direction, setDirection] = useState<Direction>(() => firstDirection(able.abilities, [[id]]));
  const lists = useLanguageGroups(able, { near: [id], nearKind: 'own', far: [id], recent, source: direction.source });
  return {
    ...lists,
    kind,
    direction,
    setDirection,
    channel: { id, name: nameIn(catalogue.channels, id) },
    /** No direction is possible: no recognised language can be translated. */
    nothing: sourcesOf(able.abilities, [id]).size === 0,
    payer: { ...payer, left: kind === 'voice' ? memberAccount.usableVoiceNum : memberAccount.usableImageNum },
    remember: (): void => remember([direction.source, direction.target]),
    fromSource: (source: string): Direction => withSource(able.abilities, [[id]], { ...direction, source }),
    back: (): Direction | null => {
      const way = swapped(direction, null);
      return way !== null && someCan(able.abilities, [id], way) ? way : null;
    },
  };
}

export type MediaForm = ReturnType<typeof useMediaForm>;
