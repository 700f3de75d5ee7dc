/** Document title, scroll position and focus on navigation, for both entries. */
import { useEffect, useRef, useSyncExternalStore, type ComponentType } from 'react';
import { useBrand } from './site/use-site-info.js';

let current: string | null = null;
const listeners = new Set<() => void>();
const set = (title: string | null): void => {
  current = title;
  listeners.forEach((listener) => listener());
};
const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

/** Sets the title of a page that shows one of many items; other pages are titled by their row in the page table. */
export function usePageTitle(title: string): void {
  useEffect(() => {
    set(title);
    return () => set(null);
  }, [title]);
}

/** The title that the page has set for itself, or null. */
export const useGivenTitle = (): string | null =>
  useSyncExternalStore(
    subscribe,
    () => current,
    () => null,
  );

/** A row of a page table (specification §2). `messages`: the parts whose messages the page needs. */
export type PageRow = {
  path: `/${string}`;
  page: () => Promise<{ default: ComponentType }>;
};

export const titleOf = (name: string, brand: string): string => `${name} · ${brand}`;

/** `name`: from the page table; a page may override it. `whole`: the title without the brand's name added. */
export function useDocumentTitle(name: string | undefined, whole?: string): void {
  useTitle(name, useBrand(), whole);
}

/** The same for an entry with a name of its own, `brand`. */
export function useTitle(name: string | undefined, brand: string, whole?: string): void {
  const given = useGivenTitle();
  const title = whole ?? (name === undefined ? brand : titleOf(given ?? name, brand));
  useEffect(() => {
    document.title = title;
  }, [title]);
}

/** The focus target: the page's heading, or its content until there is one. */
const beginning = (): HTMLElement | null => document.querySelector('main h1') ?? document.querySelector('main');

/** Whether the page has moved the focus itself. */
const isTaken = (): boolean => Boolean(document.activeElement?.parentElement?.closest('main, dialog'));

/**
 * A new page scrolls to the top and moves the focus to its heading, for keyboards and screen readers. Not for the first page, which the
 * browser announces, not for back and forward (`byHistory`), and not when the page has moved the focus itself. `<ScrollRestoration>` does
 * not fit: it writes to session storage, whose keys are fixed (decisions §2).
 */
export function usePageStart(pathname: string, byHistory: boolean): void {
  useEffect(() => {
    if (!byHistory) window.scrollTo({ top: 0, behavior: 'instant' });
  }, [pathname, byHistory]);
  const before = useRef(pathname);
  useEffect(() => {
    if (before.current === pathname) return;
    before.current = pathname;
    if (byHistory || isTaken()) return;
    const target = beginning();
    if (!target) return;
    if (target.tabIndex < 0) target.tabIndex = -1;
    target.focus({ preventScroll: true });
  }, [pathname, byHistory]);
}
