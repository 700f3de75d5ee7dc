import { useEffect, useRef } from 'react';

const FIELDS = 'input, textarea, select, [contenteditable=true], dialog, .ant-modal, .ant-drawer';
/** The space bar presses these by itself. */
const PRESSED = 'button, a, summary, [role=tab]';

/** What the keys of a time machine do; `by`: 1 forward, −1 back. */
export type MachineActs = {
  play: () => void;
  step: (by: 1 | -1) => void;
  day: (by: 1 | -1) => void;
  first: () => void;
  last: () => void;
  /** −1: closer. */
  zoom: (by: 1 | -1) => void;
  mark: (which: 'a' | 'b') => void;
  compare: () => void;
  goTo: () => void;
};

/** Keys of the time machine (OPERATOR.md §5). They rest while a field has the focus. */
export function useMachineKeys(acts: MachineActs): void {
  const latest = useRef(acts);
  useEffect(() => {
    latest.current = acts;
  });
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      const { target, ctrlKey, metaKey, altKey, defaultPrevented } = event;
      if (defaultPrevented || ctrlKey || metaKey || altKey) return;
      if (target instanceof Element && target.closest(FIELDS)) return;
      if (event.key === ' ' && target instanceof Element && target.closest(PRESSED)) return;
      const act = actOf(event, latest.current);
      if (!act) return;
      event.preventDefault();
      act();
    };
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  }, []);
}

function actOf({ key, shiftKey }: KeyboardEvent, acts: MachineActs): (() => void) | undefined {
  const { play, step, day, first, last, zoom, mark, compare, goTo } = acts;
  const move = shiftKey ? day : step;
  const keys: Readonly<Record<string, () => void>> = {
    ' ': play,
    ArrowLeft: () => move(-1),
    ArrowRight: () => move(1),
    Home: first,
    End: last,
    '+': () => zoom(-1),
    '=': () => zoom(-1),
    '-': () => zoom(1),
    '[': () => mark('a'),
    ']': () => mark('b'),
    d: compare,
    D: compare,
    G: goTo,
  };
  return keys[key];
}
