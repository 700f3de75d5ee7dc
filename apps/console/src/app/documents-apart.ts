/**
 * Pages for anybody and pages of the console are documents of two kinds, each with a content security policy of its own, which belongs
 * to the document for as long as it lives (docs/decisions/0027). Whatever leads from one kind to the other loads a document; within one
 * kind nothing is loaded again. Kinds go by the address, so nothing can lead in circles.
 */
import { isConsoleAddress } from '@yiqiao/contracts/addresses';
import { redirect, type createBrowserRouter } from 'react-router';
import { carryToasts } from '../shared/ui/carried-toasts.js';

type Router = ReturnType<typeof createBrowserRouter>;

/** Until the document goes, or comes back as it was (a browser may keep it): whoever waits for the next page stays busy. */
export const untilGone = (): Promise<void> =>
  new Promise((resolve) => addEventListener('pageshow', () => resolve(), { once: true }));

const pathOf = (href: string): string => new URL(href, location.origin).pathname;
/** Of which kind the document on screen is: nothing but a new document changes that. */
const born = (): boolean => isConsoleAddress(location.pathname);

/** Every navigation of the router, links and all: one that crosses becomes the browser's. */
export function apart(router: Router): Router {
  const here = born();
  const within = router.navigate.bind(router);
  const navigate = (to: Parameters<Router['navigate']>[0], options?: Parameters<Router['navigate']>[1]) => {
    const href = typeof to === 'object' && to !== null ? hrefOf(to) : to;
    if (typeof href !== 'string' || !href.startsWith('/') || isConsoleAddress(pathOf(href)) === here)
      return typeof to === 'number' ? within(to) : within(to, options);
    carryToasts();
    if (options?.replace) location.replace(href);
    else location.assign(href);
    return untilGone();
  };
  router.navigate = navigate as Router['navigate'];
  return router;
}

const hrefOf = ({
  pathname = '',
  search = '',
  hash = '',
}: {
  pathname?: string;
  search?: string;
  hash?: string;
}): string => pathname + search + hash;

/** What a loader answers to lead on to a path of ours, whichever kind it is of. What led here leaves no trace in the history. */
export async function leadTo(path: string): Promise<Response> {
  if (isConsoleAddress(pathOf(path)) === born()) return redirect(path);
  carryToasts();
  location.replace(path);
  await untilGone();
  return redirect(path);
}
