import { useSyncExternalStore } from 'react';

/** Polling would keep the session of somebody who has left alive (operators §2). */
const AWAY_AFTER_MS = 5 * 60_000;

let present = true;
let timer: ReturnType<typeof setTimeout> | undefined;
const listeners = new Set<() => void>();

function set(value: boolean): void {
  if (present === value) return;
  present = value;
  listeners.forEach((listener) => listener());
}

function noteInput(): void {
  clearTimeout(timer);
  timer = setTimeout(() => set(false), AWAY_AFTER_MS);
  set(true);
}

const INPUTS = ['pointerdown', 'pointermove', 'keydown'] as const;

function subscribe(listener: () => void): () => void {
  if (listeners.size === 0) INPUTS.forEach((name) => addEventListener(name, noteInput, { passive: true }));
  listeners.add(listener);
  noteInput();
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    INPUTS.forEach((name) => removeEventListener(name, noteInput));
    clearTimeout(timer);
  };
}

/** The interval of a query that follows the server; false while nobody has touched the page for five minutes. */
export const usePollInterval = (ms: number): number | false =>
  useSyncExternalStore(subscribe, () => present) ? ms : false;
