import { useEffect, useRef } from 'react';
import { NavigationType, useLocation, useNavigationType } from 'react-router';

/** Where reading goes on: the title of the page, or its content as long as that has none. */
const beginning = (): HTMLElement | null => document.querySelector('main h1') ?? document.querySelector('main');

/** The page has put the focus somewhere itself. */
const isTaken = (): boolean => Boolean(document.activeElement?.parentElement?.closest('main, dialog'));

/**
 * Another page takes the focus to its title, so that the keyboard goes on there and a screen reader says where one is. Not the first
 * page, which the browser announces; not back and forward, which are the browser's, and not a page that has put the focus somewhere.
 */
export function useFocusOnPage(): void {
  const { pathname } = useLocation();
  const kind = useNavigationType();
  const before = useRef(pathname);
  useEffect(() => {
    if (before.current === pathname) return;
    before.current = pathname;
    if (kind === NavigationType.Pop || isTaken()) return;
    const target = beginning();
    if (!target) return;
    if (target.tabIndex < 0) target.tabIndex = -1;
    target.focus({ preventScroll: true });
  }, [pathname, kind]);
}
