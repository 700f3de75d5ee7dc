import { useEffect } from 'react';
import { Outlet, ScrollRestoration, useMatches } from 'react-router';
import { useTexts } from '../shared/i18n/texts.js';
import type { PageRow } from './pages.js';

/** The row of the page table that is on screen. */
export const useRow = (): PageRow | undefined =>
  useMatches()
    .map(({ handle }) => handle as PageRow | undefined)
    .findLast((row) => row !== undefined);

/** Around every page: its title, and the scroll position. */
export function Frame() {
  const t = useTexts('app');
  const brand = useTexts('shared')('brand');
  const row = useRow();
  const title = row ? `${t(row.name)} · ${brand}` : brand;
  useEffect(() => {
    document.title = title;
  }, [title]);
  return (
    <>
      <Outlet />
      <ScrollRestoration />
    </>
  );
}
