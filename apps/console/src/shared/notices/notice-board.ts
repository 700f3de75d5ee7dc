import type { ShownNotice } from '@yiqiao/contracts/notices';

type Listener = () => void;

/**
 * The notices that this load of the page shows: what the server shows, without those that were closed since the page was loaded and those
 * that shall not appear today. A new one always appears (decisions §6). `hidden` is asked each time: another tab may have ticked it.
 */
export function noticeBoard(hidden: () => ReadonlySet<number>) {
  const listeners = new Set<Listener>();
  const closed = new Set<number>();
  let all: readonly ShownNotice[] = [];
  let shown: readonly ShownNotice[] = [];

  /** One that is being read stays, even when another tab hides it. */
  const become = (next: readonly ShownNotice[]): void => {
    all = next;
    const [open, hides] = [new Set(shown.map(({ id }) => id)), hidden()];
    shown = all.filter(({ id }) => open.has(id) || (!closed.has(id) && !hides.has(id)));
    listeners.forEach((listener) => listener());
  };

  return {
    /** The newest first; the same array until something changes. */
    shown: () => shown,
    subscribe: (listener: Listener): (() => void) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    /** All that the server shows now. */
    set: become,
    /** One that is shown from now on, or reads otherwise now. */
    put: (notice: ShownNotice): void => {
      const known = all.some(({ id }) => id === notice.id);
      become(known ? all.map((each) => (each.id === notice.id ? notice : each)) : [notice, ...all]);
    },
    remove: (id: number): void => become(all.filter((each) => each.id !== id)),
    /** The person has closed what is shown; answers the ids of that. */
    close: (): number[] => {
      const ids = shown.map(({ id }) => id);
      ids.forEach((id) => closed.add(id));
      shown = [];
      listeners.forEach((listener) => listener());
      return ids;
    },
  };
}

export type NoticeBoard = ReturnType<typeof noticeBoard>;
