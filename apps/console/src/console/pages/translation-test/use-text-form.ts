import { codePoints, hasVisible } from '@yiqiao/domain/members';
import { useEffect, useState } from 'react';
import { useMember } from '../../../shared/auth/user.js';
import { forgetTriedSentence, readTriedSentence } from '../../../shared/tried-sentence.js';
import { nameIn } from '../../shared/channels/channels.js';
import { type Direction, firstDirection, qualitiesOf, someCan, swapped, withSource } from './abilities.js';
import { shownOf, toggled, usableBy } from './channel-order.js';
import { quoteOf, sumOf, type Quote } from './quote.js';
import type { Catalogue } from './use-catalogue.js';
import { useLanguageGroups, useRecentLanguages } from './use-language-groups.js';
import { usePayer } from './use-payer.js';

/** A channel on the form. `quote`: the cost of the current text through it. */
export type Shown = { id: number; name: string; own: boolean; quote: Quote };

/** The form: text, direction and channels, and the languages and cost derived from them. */
export function useTextForm(catalogue: Catalogue) {
  const { abilities, channels, prices } = catalogue;
  const payer = usePayer();
  const { own } = payer;
  const { recent, remember } = useRecentLanguages(useMember().userId);
  const usable = usableBy({ own, mode: payer.mode, abilities, prices });
  const [tried] = useState(readTriedSentence);
  useEffect(forgetTriedSentence, []);
  const [text, setText] = useState(tried?.text ?? '');
  const [picked, setPicked] = useState<readonly number[] | null>(null);
  const near = picked ?? [own.id];
  const [direction, setDirection] = useState<Direction>(() =>
    tried
      ? withSource(abilities, [near, usable], { source: tried.source, target: tried.target })
      : firstDirection(abilities, [near, usable]),
  );
  const { source, target } = direction;
  const lists = useLanguageGroups(catalogue, { near, nearKind: picked ? 'shown' : 'own', far: usable, recent, source });
  const ids = shownOf(picked, { own, mode: payer.mode, abilities, prices }, direction);

  const length = codePoints(text);
  // Invisible text is neither translated nor charged (decisions §4).
  const paid = hasVisible(text) ? length : 0;
  const price = (id: number): number => prices.get(id) ?? 1;
  const quote = (id: number): Quote =>
    quoteOf(paid, qualitiesOf(abilities, id, direction), {
      mode: payer.mode,
      prices: { asked: price(id), own: price(own.id) },
    });
  const shown = ids.map((id): Shown => ({ id, name: nameIn(channels, id), own: id === own.id, quote: quote(id) }));

  return {
    ...lists,
    payer,
    text,
    length,
    setText,
    direction,
    setDirection,
    shown,
    quote,
    sum: sumOf(shown.map((channel) => channel.quote)),
    remember: (): void => remember([source, target]),
    fromSource: (code: string): Direction => withSource(abilities, [near, usable], { source: code, target }),
    /** The reverse direction, if a channel supports it. */
    back: (detected: string | null): Direction | null => {
      const way = swapped(direction, detected);
      return way !== null && someCan(abilities, usable, way) ? way : null;
    },
    toggle: (id: number): void => setPicked(toggled(ids, id, own.id)),
  };
}

export type TextForm = ReturnType<typeof useTextForm>;
