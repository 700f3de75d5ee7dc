import { useRef, useState } from 'react';
import { messageOf } from '../api/api-error.js';
import { toast } from '../ui/toast.js';

/** Says a refusal at the top of the page. Errors that are not the API's are bugs and are thrown on. */
export const sayRefusal = (error: unknown): void => {
  const why = messageOf(error);
  if (why !== null) toast.error(why);
};

/**
 * One piece of work at a time: a second press while it runs does nothing. A refusal is said; whatever dialog asked for the
 * work stays open, because `work` itself closes it at its end.
 */
export function useAction() {
  const [busy, setBusy] = useState(false);
  const running = useRef(false);
  const run = async (work: () => Promise<void>, refused: (error: unknown) => void): Promise<void> => {
    if (running.current) return;
    running.current = true;
    setBusy(true);
    try {
      await work();
    } catch (error) {
      refused(error);
    } finally {
      running.current = false;
      setBusy(false);
    }
  };
  return {
    busy,
    run: (work: () => Promise<void>, refused: (error: unknown) => void = sayRefusal): void => void run(work, refused),
  };
}
