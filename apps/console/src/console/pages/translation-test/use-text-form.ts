import { codePoints, hasVisible } from '@yiqiao/domain/members';
import { useEffect, useState } from 'react';
import { useMember } from '../../../shared/auth/user.js';
import { forgetTriedSentence, readTriedSentence } from '../../../shared/tried-sentence.js';
import { nameIn } from '../../shared/channels/channels.js';
import { type Direction, firstDirection, qualitiesOf, someCan, swapped, withSource } from './abilities.js';
import { hasOther, shownOf, toggled, usableBy } from './channel-order.js';
import { quoteOf, sumOf, type Quote } from './quote.js';
import type { Catalogue } from './use-catalogue.js';
import { useLanguageGroups, useRecentLanguages } from './use-language-groups.js';
import { usePayer } from './use-payer.js';

/** A channel on the form. `quote`: the cost of the current text through it. */
export type Shown = { id: number; name: string; own: boolean; quote: Quote };

// In memory only, because browser storage is restricted (specification §3).
let left: ({ userId: number; text: string } & Direction) | null = null;

/** The form: text, direction and channels, and the languages and cost derived from them. */
export function useTextForm(catalogue: Catalogue) {
  const { abilities, channels, prices } = catalogue;
  const payer = usePayer();
  const { own } = payer;
  const { userId } = useMember();
  const { recent, remember } = useRecentLanguages(userId);
  // The sentence tried on the home page, else the text and the languages with which the member left this page.
  const [begun] = useState(() => readTriedSentence() ?? (left?.userId === userId ? left : null));
  const options = { own, mode: payer.mode, abilities, prices };
  const usable = usableBy(options);
  useEffect(forgetTriedSentence, []);
  const [text, setText] = useState(begun?.text ?? '');
  const [picked, setPicked] = useState<readonly number[] | null>(null);
  const near = picked ?? [own.id];
  const [direction, setDirection] = useState<Direction>(() =>
    begun
      ? withSource(abilities, [near, usable], { source: begun.source, target: begun.target })
      : firstDirection(abilities, [near, usable]),
  );
  useEffect(() => {
    left = { userId, text, ...direction };
  }, [userId, text, direction]);
  const { source, target } = direction;
  const lists = useLanguageGroups(catalogue, { near, nearKind: picked ? 'shown' : 'own', far: usable, recent, source });
  const ids = shownOf(picked, options, direction);

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
    /** Whether another channel than `id` could be chosen for this direction. */
    hasOther: (id: number, way: Direction): boolean => hasOther(id, options, way),
    toggle: (id: number): void => setPicked(toggled(ids, id, own.id)),
  };
}

export type TextForm = ReturnType<typeof useTextForm>;
