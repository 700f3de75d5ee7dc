import { useEffect } from 'react';
import { NavigationType, Outlet, useLocation, useMatches, useNavigation, useNavigationType } from 'react-router';
import { language } from '../shared/i18n/language.js';
import { useTexts } from '../shared/i18n/texts.js';
import { useGivenTitle } from '../shared/page-title.js';
import { useBrand } from '../shared/site/use-site-info.js';
import { canonicalOf, titleOf } from './head.js';
import type { PageRow } from './page-row.js';
import { useFocusOnPage } from './use-focus-on-page.js';
import { useLate } from './use-late.js';

/** The row of the page table that is on screen. */
export const useRow = (): PageRow | undefined =>
  useMatches()
    .map(({ handle }) => handle as PageRow | undefined)
    .findLast((row) => row !== undefined);

/**
 * A new page begins at its top; back and forward are the browser's. Not `<ScrollRestoration>`: that one writes to session
 * storage, where only the specification's keys may be (decisions §2).
 */
function useTopOfPage(): void {
  const { pathname } = useLocation();
  const kind = useNavigationType();
  useEffect(() => {
    if (kind !== NavigationType.Pop) window.scrollTo({ top: 0, behavior: 'instant' });
  }, [pathname, kind]);
}

/** Pages that search engines may keep say which address is theirs: the next page's is another one. */
function useOwnAddress(): void {
  const { pathname } = useLocation();
  useEffect(() => {
    const link = document.querySelector<HTMLLinkElement>('link[rel=canonical]');
    if (link) link.href = canonicalOf(new URL(link.href).origin, pathname, language);
  }, [pathname]);
}

/** The next page is on its way, and takes its time. */
function Going() {
  return useLate() ? <div className="going" aria-hidden="true" /> : null;
}

/** Around every page: its title, where it begins, and the way to the next one. */
export function Frame() {
  const t = useTexts('app');
  const brand = useBrand();
  const row = useRow();
  const given = useGivenTitle();
  const title = row ? titleOf(given ?? t(row.name), brand) : brand;
  useEffect(() => {
    document.title = title;
  }, [title]);
  useOwnAddress();
  useTopOfPage();
  useFocusOnPage();
  const { state } = useNavigation();
  return (
    <>
      {state === 'loading' && <Going />}
      <Outlet />
    </>
  );
}
