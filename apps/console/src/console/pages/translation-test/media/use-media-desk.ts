import { useMemo, useState } from 'react';
import { useMember } from '../../../../shared/auth/user.js';
import { nameIn } from '../../../../shared/channels/use-channels.js';
import { sourcesOf, type Direction } from '../abilities.js';
import { firstDirection, someCan, swapped, withSource } from '../directions.js';
import type { Catalogue } from '../use-catalogue.js';
import { useLanguageGroups } from '../use-language-groups.js';
import { usePayer } from '../use-payer.js';
import { useRecentLanguages } from '../use-recent-languages.js';
import { recognisedBy, type MediaAbilities, type MediaKind } from './media-abilities.js';

type Given = { catalogue: Catalogue; abilities: MediaAbilities; kind: MediaKind };

/** Languages, channel and quota of a picture or a recording: it goes through the member's own channel and no other (decisions §7). */
export function useMediaDesk({ catalogue, abilities, kind }: Given) {
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
    /** No direction at all: nothing that is recognised can be translated. */
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

export type MediaDesk = ReturnType<typeof useMediaDesk>;
