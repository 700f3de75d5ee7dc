/**
 * Slides of which one is shown. They move on by themselves if they are told to, round and round, but not while somebody points at them or
 * is among them with the keyboard, not after the pause button, and never for a person who asks for less motion (DESIGN §4).
 */
import { useEffect, useId, useState, useSyncExternalStore, type FocusEvent, type KeyboardEvent } from 'react';
import { useMessages } from '../../shared/i18n/messages.js';
import { Icon, type IconName } from '../../shared/ui/icon.js';
import './carousel.css';

const QUESTION = '(prefers-reduced-motion: reduce)';

function follow(tell: () => void): () => void {
  const answer = matchMedia(QUESTION);
  answer.addEventListener('change', tell);
  return () => answer.removeEventListener('change', tell);
}

/** Whether the person asks for less motion. The server cannot know, and says no. */
const useCalm = (): boolean =>
  useSyncExternalStore(
    follow,
    () => matchMedia(QUESTION).matches,
    () => false,
  );

type Options = {
  count: number;
  /** The slide that is shown first, from 0. */
  first?: number;
  /** Milliseconds until the next slide; without it nothing moves by itself. */
  everyMs?: number;
  /** The name in the address that says which slide is shown first, from 1: `?feat=3`. */
  query?: string;
};

const never = () => () => undefined;

/** What the address says. The server makes one page for all addresses: it shows the first slide. */
function useFirst({ count, first = 0, query }: Options): number {
  const asked = (): number => {
    const n = Number(query && new URLSearchParams(location.search).get(query));
    return Number.isInteger(n) && n >= 1 && n <= count ? n - 1 : first;
  };
  return useSyncExternalStore(never, asked, () => first);
}

/** Somebody points here, or has the focus in here. */
function useHeld() {
  const [over, setOver] = useState(false);
  const [inside, setInside] = useState(false);
  const attend = {
    onPointerEnter: () => setOver(true),
    onPointerLeave: () => setOver(false),
    onFocus: () => setInside(true),
    onBlur: ({ currentTarget, relatedTarget }: FocusEvent<HTMLElement>) =>
      setInside(currentTarget.contains(relatedTarget)),
  };
  return { held: over || inside, attend };
}

/** Where a key leads from tab `at`; undefined for keys that lead nowhere. */
const keyTo = (key: string, at: number, count: number): number | undefined =>
  ({ ArrowRight: at + 1, ArrowDown: at + 1, ArrowLeft: at - 1, ArrowUp: at - 1, Home: 0, End: count - 1 })[key];

export function useCarousel(options: Options) {
  const { count, everyMs } = options;
  const id = useId();
  const first = useFirst(options);
  const [chosen, setChosen] = useState<number | null>(null);
  const [paused, setPaused] = useState(false);
  const { held, attend } = useHeld();
  const calm = useCalm();
  const at = chosen ?? first;
  const go = (to: number): void => setChosen((to + count) % count);

  const playing = everyMs !== undefined && !paused && !held && !calm;
  useEffect(() => {
    if (!playing) return undefined;
    const timer = setTimeout(() => setChosen((at + 1) % count), everyMs);
    return () => clearTimeout(timer);
  }, [playing, at, count, everyMs]);

  return {
    at,
    go,
    playing,
    paused,
    togglePause: () => setPaused(!paused),
    /** For the element around all of it. */
    attend,
    /** For each of the tabs that say which slide is shown; all stand in one `tablist`. */
    tab: (index: number) => ({
      ...({ type: 'button', role: 'tab', id: `${id}-${index}`, 'aria-controls': `${id}-panel` } as const),
      'aria-selected': index === at,
      tabIndex: index === at ? 0 : -1,
      onClick: () => go(index),
    }),
    onTabKey: (event: KeyboardEvent<HTMLElement>): void => {
      const to = keyTo(event.key, at, count);
      if (to === undefined) return;
      event.preventDefault();
      go(to);
      event.currentTarget.querySelectorAll<HTMLElement>('[role=tab]')[(to + count) % count]?.focus();
    },
    /** For what fades in: nothing does before the first change. */
    fade: chosen === null ? '' : 'slide',
    /** For what stays around the slides, as only a change within is noticed. What comes by itself is not read out; what was asked for is. */
    panel: {
      ...({ role: 'tabpanel', id: `${id}-panel`, 'aria-labelledby': `${id}-${at}` } as const),
      'aria-live': playing ? ('off' as const) : ('polite' as const),
    },
  };
}

export type Carousel = ReturnType<typeof useCarousel>;

type RoundButtonProps = { icon: IconName; label: string; className?: string; onPress: () => void };

export function RoundButton({ icon, label, className = '', onPress }: RoundButtonProps) {
  return (
    <button type="button" className={`rb ${className}`} aria-label={label} onClick={onPress}>
      <Icon name={icon} />
    </button>
  );
}

/** Stops what moves by itself, for good. Not shown where nothing does: to people who ask for less motion. */
export function PauseButton({ carousel: { paused, togglePause } }: { carousel: Carousel }) {
  const t = useMessages('shared');
  return (
    <RoundButton
      icon={paused ? 'play' : 'pause'}
      label={t(paused ? 'play' : 'pause')}
      className="rb-pause"
      onPress={togglePause}
    />
  );
}

/** Previous and next, round and round. */
export function StepButtons({ carousel: { at, go } }: { carousel: Carousel }) {
  const t = useMessages('shared');
  return (
    <>
      <RoundButton icon="back" label={t('previous')} onPress={() => go(at - 1)} />
      <RoundButton icon="forward" label={t('next')} onPress={() => go(at + 1)} />
    </>
  );
}
