import { NavigationType, Outlet, useLocation, useMatches, useNavigation, useNavigationType } from 'react-router';
import { useMessages } from '../shared/i18n/messages.js';
import { useDocumentTitle, usePageStart } from '../shared/page-frame.js';
import { NavigationProgress } from '../shared/ui/navigation-progress.js';
import type { ConsolePage } from './page-table.js';

/** The row of the page table whose page is on screen. */
export const useRow = (): ConsolePage | undefined =>
  useMatches()
    .map(({ handle }) => handle as ConsolePage | undefined)
    .findLast((row) => row !== undefined);

/** Around every page: title, scroll position, and the progress line of the next page. */
export function Frame() {
  const t = useMessages('console');
  const row = useRow();
  const { pathname } = useLocation();
  useDocumentTitle(row && t(row.name));
  usePageStart(pathname, useNavigationType() === NavigationType.Pop);
  const { state } = useNavigation();
  return (
    <>
      {state === 'loading' && <NavigationProgress />}
      <Outlet />
    </>
  );
}
