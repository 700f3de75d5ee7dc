import { useEffect, type RefObject } from 'react';

/** When what had the focus went away with a change of `state`, it goes to `next` instead of to nowhere. */
export function useFocusKept(next: RefObject<HTMLElement | null>, state: unknown): void {
  useEffect(() => {
    if (document.activeElement === document.body && next.current?.checkVisibility()) next.current.focus();
  }, [next, state]);
}
