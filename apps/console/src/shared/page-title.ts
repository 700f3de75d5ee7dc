import { useEffect, useSyncExternalStore } from 'react';

let current: string | null = null;
const listeners = new Set<() => void>();
const set = (title: string | null): void => {
  current = title;
  listeners.forEach((tell) => tell());
};
const subscribe = (tell: () => void): (() => void) => {
  listeners.add(tell);
  return () => listeners.delete(tell);
};

/** A page that shows one of many things names that thing; every other page is named by its row in the page table. */
export function usePageTitle(title: string): void {
  useEffect(() => {
    set(title);
    return () => set(null);
  }, [title]);
}

/** For whoever writes the title: what the page calls itself, if it does. */
export const useGivenTitle = (): string | null =>
  useSyncExternalStore(
    subscribe,
    () => current,
    () => null,
  );
