/**
 * Whether somebody sits at this page. One that asks the server by itself, at intervals or after an event of the stream, would keep the
 * session of an operator who has left alive (operators §2).
 */
import { useSyncExternalStore } from 'react';

const AWAY_AFTER_MS = 5 * 60_000;

let present = true;
let timer: ReturnType<typeof setTimeout> | undefined;
const listeners = new Set<() => void>();

/** False while nobody has touched the page for five minutes. */
export const isPresent = (): boolean => present;

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

/** Calls `listener` when somebody leaves or comes back. Returns how to stop. */
export function onPresence(listener: () => void): () => void {
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

/** The interval of a query that follows the server; false while nobody sits at the page. */
export const usePollInterval = (ms: number): number | false =>
  useSyncExternalStore(onPresence, isPresent) ? ms : false;
