import { PageSkeleton } from './page-skeleton.js';
import { pages } from './pages.js';

const isConsole = (): boolean => pages.some(({ path, layout }) => layout === 'console' && path === location.pathname);

/** While the code of the first page is on its way: the outline of the console; public pages come whole. */
export function FirstLoad() {
  if (!isConsole()) return null;
  return (
    <div className="fl">
      <div className="fl-top" />
      <div className="fl-side" />
      <main className="fl-main">
        <PageSkeleton />
      </main>
    </div>
  );
}
