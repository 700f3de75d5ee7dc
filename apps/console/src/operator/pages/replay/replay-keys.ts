import { useEffect, useRef } from 'react';
import { limitOf } from './replay-store.js';
import { entryAt, type Replay } from './use-replay.js';
import { wire } from './window.js';

const DAY = 86_400_000;
const FIELDS = 'input, textarea, select, [contenteditable=true], dialog, .ant-modal, .ant-drawer';
/** The space bar presses these by itself. */
const PRESSED = 'button, a, summary, [role=tab]';

type Elsewhere = { compare: () => void; goTo: () => void };

/** Keys of the time machine (OPERATOR.md §5). They rest while a field has the focus. */
export function useReplayKeys(replay: Replay, elsewhere: Elsewhere): void {
  const latest = useRef({ replay, elsewhere });
  useEffect(() => {
    latest.current = { replay, elsewhere };
  });
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      const { target, ctrlKey, metaKey, altKey, defaultPrevented } = event;
      if (defaultPrevented || ctrlKey || metaKey || altKey) return;
      if (target instanceof Element && target.closest(FIELDS)) return;
      if (event.key === ' ' && target instanceof Element && target.closest(PRESSED)) return;
      const act = actOf(event, latest.current.replay, latest.current.elsewhere);
      if (!act) return;
      event.preventDefault();
      act();
    };
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  }, []);
}

function actOf(
  { key, shiftKey }: KeyboardEvent,
  { state, dispatch, picture }: Replay,
  { compare, goTo }: Elsewhere,
): (() => void) | undefined {
  const { seq, moment, playing } = state;
  const byDay = (days: 1 | -1) => (): void => {
    if (moment === null || seq === null) return;
    const found = entryAt(picture, moment + days * DAY);
    // Outside of the window, or without an entry in that day: the next entry in that direction.
    dispatch({ do: 'went', seq: found === null || found === seq ? seq + days : found });
  };
  const mark = (which: 'a' | 'b') => (): void => {
    if (moment !== null) dispatch({ do: 'marked', which, at: wire(moment) });
  };
  const keys: Readonly<Record<string, () => void>> = {
    ' ': () => dispatch({ do: 'played', playing: !playing }),
    ArrowLeft: shiftKey ? byDay(-1) : () => dispatch({ do: 'stepped', by: -1 }),
    ArrowRight: shiftKey ? byDay(1) : () => dispatch({ do: 'stepped', by: 1 }),
    Home: () => dispatch({ do: 'went', seq: 1 }),
    End: () => dispatch({ do: 'went', seq: limitOf(state) }),
    '+': () => dispatch({ do: 'zoomedBy', by: -1 }),
    '=': () => dispatch({ do: 'zoomedBy', by: -1 }),
    '-': () => dispatch({ do: 'zoomedBy', by: 1 }),
    '[': mark('a'),
    ']': mark('b'),
    d: compare,
    D: compare,
    G: goTo,
  };
  return keys[key];
}
