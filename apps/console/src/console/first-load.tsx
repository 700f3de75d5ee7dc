import { PageSkeleton } from './page-skeleton.js';
import { consolePages } from './page-table.js';

const isPage = (): boolean => consolePages.some(({ path }) => path === location.pathname);

/** While the code of the first page is on its way: the outline of the console. An address that leads elsewhere shows nothing. */
export function FirstLoad() {
  if (!isPage()) return null;
  return (
    <div className="first-load">
      <div className="first-load-top" />
      <div className="first-load-side" />
      <main className="first-load-main">
        <PageSkeleton />
      </main>
    </div>
  );
}
