/** Whether the server answers. A browser that says it is online may still reach nobody. */
import { useSyncExternalStore } from 'react';
import { useOnline } from '../../../shared/ui/use-online.js';

let answers = true;
let answeredAt: number | null = null;
const listeners = new Set<() => void>();

/** Called after every request: with true for any answer, refusals too. */
export function reportAnswer(answered: boolean): void {
  if (answered) answeredAt = Date.now();
  if (answers === answered) return;
  answers = answered;
  listeners.forEach((listener) => listener());
}

/** When the server answered last, in ms of this machine's clock: a request counts as use of the session (operators §2). */
export const lastAnswerAt = (): number | null => answeredAt;

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

/** Null while connected; else when the server answered last, if it ever did. */
export function useLostConnection(): { since: number | null } | null {
  const online = useOnline();
  const answering = useSyncExternalStore(subscribe, () => answers);
  return online && answering ? null : { since: answeredAt };
}
