/**
 * A carousel. It autoplays if configured, but not while hovered or focused, not after the pause button, and never with reduced motion
 * (DESIGN §4).
 */
import { useEffect, useId, useState, useSyncExternalStore, type FocusEvent, type KeyboardEvent } from 'react';
import { useMessages } from '../../shared/i18n/messages.js';
import { Icon, type IconName } from '../../shared/ui/icon.js';
import '../../shared/ui/more-icons.js';
import './carousel.css';

const QUESTION = '(prefers-reduced-motion: reduce)';

function follow(listener: () => void): () => void {
  const answer = matchMedia(QUESTION);
  answer.addEventListener('change', listener);
  return () => answer.removeEventListener('change', listener);
}

/** Whether the user prefers reduced motion; false on the server. */
const useReducedMotion = (): boolean =>
  useSyncExternalStore(
    follow,
    () => matchMedia(QUESTION).matches,
    () => false,
  );

type Options = {
  count: number;
  /** Index of the first slide. */
  first?: number;
  /** Autoplay interval in milliseconds; none by default. */
  everyMs?: number;
  /** Query parameter with the first slide, counted from 1: `?feat=3`. */
  query?: string;
};

const never = () => () => undefined;

/** The first slide from the address. The server renders one page for all addresses, with the default. */
function useFirst({ count, first = 0, query }: Options): number {
  const asked = (): number => {
    const n = Number(query && new URLSearchParams(location.search).get(query));
    return Number.isInteger(n) && n >= 1 && n <= count ? n - 1 : first;
  };
  return useSyncExternalStore(never, asked, () => first);
}

/** Whether the element is hovered or contains the focus. */
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

/** The index that a key moves to; undefined for other keys. */
const keyTo = (key: string, at: number, count: number): number | undefined =>
  ({ ArrowRight: at + 1, ArrowDown: at + 1, ArrowLeft: at - 1, ArrowUp: at - 1, Home: 0, End: count - 1 })[key];

export function useCarousel(options: Options) {
  const { count, everyMs } = options;
  const id = useId();
  const first = useFirst(options);
  const [chosen, setChosen] = useState<number | null>(null);
  const [paused, setPaused] = useState(false);
  const { held, attend } = useHeld();
  const reducedMotion = useReducedMotion();
  const at = chosen ?? first;
  const go = (to: number): void => setChosen((to + count) % count);

  const playing = everyMs !== undefined && !paused && !held && !reducedMotion;
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
    /** Props of the element around the carousel. */
    attend,
    /** Props of each tab; all in one `tablist`. */
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
    /** Class of the slide: no animation before the first change. */
    fade: chosen === null ? '' : 'carousel-slide',
    /**
     * Props of the element around the slides, which must persist for changes to be announced. Autoplay is not announced, user actions are.
     */
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
    <button type="button" className={`round-button ${className}`} aria-label={label} onClick={onPress}>
      <Icon name={icon} />
    </button>
  );
}

/** Stops autoplay for good. Hidden with reduced motion. */
export function PauseButton({ carousel: { paused, togglePause } }: { carousel: Carousel }) {
  const t = useMessages('shared');
  return (
    <RoundButton
      icon={paused ? 'play' : 'pause'}
      label={t(paused ? 'play' : 'pause')}
      className="round-button-pause"
      onPress={togglePause}
    />
  );
}

/** Previous and next; the ends wrap around. */
export function StepButtons({ carousel: { at, go } }: { carousel: Carousel }) {
  const t = useMessages('shared');
  return (
    <>
      <RoundButton icon="back" label={t('previous')} onPress={() => go(at - 1)} />
      <RoundButton icon="forward" label={t('next')} onPress={() => go(at + 1)} />
    </>
  );
}
