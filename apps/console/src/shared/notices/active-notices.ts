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

/** The cookie with the ids of notices hidden until midnight (docs/decisions/0028). Storage keys are fixed by decisions §2. */
const COOKIE = 'notices';
/** More than a day's notices, and well below a cookie's limit. */
const HIDDEN_MAX = 100;

/** The ids in `document.cookie`; anything else is ignored. */
export function hiddenIn(cookies: string): ReadonlySet<number> {
  const value = new RegExp(`(?:^|; )${COOKIE}=([\\d.]*)(?:;|$)`).exec(cookies)?.[1] ?? '';
  const ids = value.split('.').map(Number);
  return new Set(ids.filter((id) => Number.isSafeInteger(id) && id > 0));
}

/** The next local midnight; days may have 23 or 25 hours. */
function midnightAfter(now: Date): Date {
  return new Date(now.getFullYear(), now.getMonth(), now.getDate() + 1);
}

/** The cookie that hides these notices, and those already hidden, until midnight. */
export function hidingCookie(cookies: string, ids: readonly number[], now: Date): string {
  const kept = [...hiddenIn(cookies)].filter((id) => !ids.includes(id));
  const value = [...kept, ...ids].slice(-HIDDEN_MAX).join('.');
  return `${COOKIE}=${value}; Path=/; Expires=${midnightAfter(now).toUTCString()}; SameSite=Lax`;
}
