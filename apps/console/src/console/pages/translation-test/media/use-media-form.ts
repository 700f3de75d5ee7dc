import { listMediaAbilities } from '@yiqiao/contracts/media';
import { useMemo, useState } from 'react';
import { useMessages } from '../../../../shared/i18n/messages.js';
import { useEndpoint } from '../../../../shared/refine/use-endpoint.js';
import { useMember } from '../../../../shared/auth/user.js';
import { nameIn, nameOf } from '../../../shared/channels/channels.js';
import {
  type Abilities,
  canDo,
  type Direction,
  firstDirection,
  someCan,
  sourcesOf,
  swapped,
  withSource,
} from '../abilities.js';
import type { Catalogue } from '../use-catalogue.js';
import { useLanguageGroups, useRecentLanguages } from '../use-language-groups.js';
import { isIncluded } from '../quote.js';
import { usePayer } from '../use-payer.js';
import { type MediaAbilities, type MediaKind, recognisedBy } from './media-abilities.js';

/** A channel in the list of a tab. `why`: the reason that it cannot be chosen, or null. */
type ChannelOption = { id: number; name: string; own: boolean; why: string | null };

/** The channel of a tab: the chosen one, at first the member's own. Sub-accounts have no other. */
export type MediaChannels = {
  id: number;
  options: readonly ChannelOption[];
  choose: (id: number) => void;
  /** The other channels that can do a direction now. `hears`: its vendor recognizes speech. */
  othersFor: (direction: Direction) => readonly { name: string; hears: boolean }[];
};

type Known = {
  channels: MediaChannels;
  /** What the channel can do with pictures and recordings: null if nothing, undefined while loading. */
  abilities: MediaAbilities | null | undefined;
  failed: { message: string } | null;
  reload: () => void;
};

/** The channel for the next request of a tab, and what it can do. The account keeps its own channel. */
export function useMediaChannels(kind: MediaKind, catalogue: Catalogue): Known {
  const t = useMessages('media');
  const say = useMessages('translation-test');
  const query = useEndpoint(listMediaAbilities, {});
  const { own, mode } = usePayer();
  const [picked, choose] = useState<number | null>(null);
  const id = picked ?? own.id;
  const of = (channelId: number): MediaAbilities | undefined => query.data?.find((row) => row.channelId === channelId);
  const price = (channelId: number): number => catalogue.prices.get(channelId) ?? 1;
  const ableOf = (channelId: number, ability: MediaAbilities[MediaKind]): Abilities =>
    recognisedBy(catalogue, channelId, ability).abilities;
  const whyNot = (channelId: number): string | null => {
    const ability = of(channelId)?.[kind];
    if (!ability?.available) return ability?.reason ?? say('unavailable');
    if (!isIncluded({ mode, prices: { asked: price(channelId), own: price(own.id) } })) return say('notIncludedWhy');
    return sourcesOf(ableOf(channelId, ability), [channelId]).size > 0 ? null : t('noLanguage');
  };
  const options = catalogue.channels
    .filter((channel) => channel.available && channel.text && own.main)
    .map((channel) => ({
      id: channel.id,
      name: nameOf(channel),
      own: channel.id === own.id,
      why: whyNot(channel.id),
    }));
  const othersFor = (direction: Direction) =>
    catalogue.channels
      .filter((channel) => channel.available && channel.text && channel.id !== id && whyNot(channel.id) === null)
      .flatMap((channel) => {
        const ability = of(channel.id);
        if (!ability || !canDo(ableOf(channel.id, ability[kind]), channel.id, direction)) return [];
        return [{ name: nameOf(channel), hears: !ability.voice.experimental }];
      });
  return {
    channels: { id, options, choose, othersFor },
    abilities: query.data && (of(id) ?? null),
    failed: query.data ? null : query.error,
    reload: () => void query.refetch(),
  };
}

type Given = { catalogue: Catalogue; channels: MediaChannels; abilities: MediaAbilities; kind: MediaKind };

/** The direction, changed only where the channel cannot translate it. */
function possible(direction: Direction, { abilities, languages }: Catalogue, id: number): Direction {
  const offered = languages.sourceList.some(({ langCode }) => langCode === direction.source);
  if (offered && someCan(abilities, [id], direction)) return direction;
  return offered && sourcesOf(abilities, [id]).has(direction.source)
    ? withSource(abilities, [[id]], direction)
    : firstDirection(abilities, [[id]]);
}

/** Languages, channel and quota for a picture or a recording. */
export function useMediaForm({ catalogue, channels, abilities, kind }: Given) {
  const { memberAccount, userId } = useMember();
  const payer = usePayer();
  const { id } = channels;
  const able = useMemo(() => recognisedBy(catalogue, id, abilities[kind]), [catalogue, id, abilities, kind]);
  const { recent, remember } = useRecentLanguages(userId);
  const [wanted, setDirection] = useState<Direction>(() => firstDirection(able.abilities, [[id]]));
  const direction = possible(wanted, able, id);
  const lists = useLanguageGroups(able, { near: [id], nearKind: 'own', far: [id], recent, source: direction.source });
  return {
    ...lists,
    kind,
    direction,
    setDirection,
    channels,
    channel: { id, name: nameIn(catalogue.channels, id) },
    others: channels.othersFor(direction),
    /** For the request: the chosen channel, unless it is the member's own. */
    channelId: id === payer.own.id ? undefined : String(id),
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
