import type { ShownNotice } from '@yiqiao/contracts/notices';

type Listener = () => void;

/**
 * The notices shown since the page was loaded: those of the server without the dismissed ones and those hidden for today. A new one always
 * appears (decisions §6). `hidden` is read each time, because another tab may have changed it.
 */
export function activeNotices(hidden: () => ReadonlySet<number>) {
  const listeners = new Set<Listener>();
  const dismissed = new Set<number>();
  let all: readonly ShownNotice[] = [];
  let shown: readonly ShownNotice[] = [];

  /** A notice that is being read stays, even when another tab hides it. */
  const update = (next: readonly ShownNotice[]): void => {
    all = next;
    const [open, hiddenIds] = [new Set(shown.map(({ id }) => id)), hidden()];
    shown = all.filter(({ id }) => open.has(id) || (!dismissed.has(id) && !hiddenIds.has(id)));
    listeners.forEach((listener) => listener());
  };

  return {
    /** The newest first; the same array until a change. */
    shown: () => shown,
    subscribe: (listener: Listener): (() => void) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    /** Replaces all notices by the server's. */
    set: update,
    /** Adds or updates a notice. */
    put: (notice: ShownNotice): void => {
      const known = all.some(({ id }) => id === notice.id);
      update(known ? all.map((each) => (each.id === notice.id ? notice : each)) : [notice, ...all]);
    },
    remove: (id: number): void => update(all.filter((each) => each.id !== id)),
    /** Dismisses the shown notices and returns their ids. */
    close: (): number[] => {
      const ids = shown.map(({ id }) => id);
      ids.forEach((id) => dismissed.add(id));
      shown = [];
      listeners.forEach((listener) => listener());
      return ids;
    },
  };
}

export type ActiveNotices = ReturnType<typeof activeNotices>;
