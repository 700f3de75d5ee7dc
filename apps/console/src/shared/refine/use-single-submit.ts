import { useRef } from 'react';

/**
 * Submits one at a time: a second press before the first submission has settled does nothing. `isPending` of a mutation is a render too
 * late for a double click. The submission shows its own refusal.
 */
export function useSingleSubmit<A extends unknown[]>(submit: (...args: A) => Promise<unknown>): (...args: A) => void {
  const running = useRef(false);
  return (...args) => {
    if (running.current) return;
    running.current = true;
    submit(...args)
      .catch(() => undefined)
      .finally(() => {
        running.current = false;
      });
  };
}
