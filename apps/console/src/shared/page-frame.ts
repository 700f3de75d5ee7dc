/** What happens around every page of either site when another one comes: its title, its beginning, the focus. */
import { useEffect, useRef, useSyncExternalStore, type ComponentType } from 'react';
import type { Namespace } from './i18n/messages.js';
import { useBrand } from './site/use-site-info.js';

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
const useGivenTitle = (): string | null =>
  useSyncExternalStore(
    subscribe,
    () => current,
    () => null,
  );

/** A row of a page table (specification §2). `messages`: the parts whose messages the page needs. */
export type PageRow = {
  path: `/${string}`;
  messages: readonly Namespace[];
  page: () => Promise<{ default: ComponentType }>;
};

export const titleOf = (name: string, brand: string): string => `${name} · ${brand}`;

/** `name`: that of the page table; a page may give itself another one. */
export function useDocumentTitle(name: string | undefined): void {
  const brand = useBrand();
  const given = useGivenTitle();
  const title = name === undefined ? brand : titleOf(given ?? name, brand);
  useEffect(() => {
    document.title = title;
  }, [title]);
}

/** Where reading goes on: the title of the page, or its content as long as that has none. */
const beginning = (): HTMLElement | null => document.querySelector('main h1') ?? document.querySelector('main');

/** The page has put the focus somewhere itself. */
const isTaken = (): boolean => Boolean(document.activeElement?.parentElement?.closest('main, dialog'));

/**
 * A new page begins at its top and takes the focus to its title, so that the keyboard goes on there and a screen reader says where one is. Not
 * the first page, which the browser announces; not back and forward, which are the browser's (`byHistory`); the focus not on a page that has
 * put it somewhere. Not `<ScrollRestoration>`: that one writes to session storage, where only the specification's keys may be (decisions §2).
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
