/**
 * The only script of console.html itself, built into it (build/console-gate.ts): whoever is signed in gets the files of the page at the
 * address, all at once and in their language; whoever is not gets none of them and goes to the login form (docs/decisions/0054).
 */
import { rememberReturnPath } from '../shared/auth/return-path.js';
import { language } from '../shared/i18n/language.js';
import { showFailedFirstLoad } from './first-load-failed.js';

/** What the build knows: the entry, and of all `files` those of everybody, of a language and of a page, by their place in the list. */
type Files = Record<'all' | 'zh' | 'en', number[]> & {
  entry: string;
  files: string[];
  pages: Record<string, number[]>;
};
declare const CONSOLE_FILES: Files;

const { entry, files, pages, ...needed } = CONSOLE_FILES;
const root = document.documentElement;
const { pathname, search } = location;

// Old addresses have pages, too (router.tsx).
const name = (
  /^\/userCenter(\/[^/]*)?$/.exec(pathname) ? pathname.slice(11) || '/UserCenterIndex' : pathname
).toLowerCase();
const path = Object.keys(pages).find((page) => page.toLowerCase() === name);

const load = (href: string): Promise<unknown> => {
  const isStyle = href.endsWith('.css');
  const link = Object.assign(document.createElement('link'), { rel: isStyle ? 'stylesheet' : 'modulepreload', href });
  document.head.append(link);
  // A script that does not come fails the import below.
  if (!isStyle) return Promise.resolve();
  return new Promise((resolve, reject) => {
    link.onload = resolve;
    link.onerror = () => reject(new Error(`${href} was not loaded`));
  });
};

/** The page appears in its styles, or says that it was not loaded. */
async function open(): Promise<void> {
  delete root.dataset['wait'];
  const wanted = new Set([...needed.all, ...needed[language], ...((path && pages[path]) || [])]);
  try {
    await Promise.all(files.filter((_, at) => wanted.has(at)).map(load));
    await import(/* @vite-ignore */ entry);
  } catch (error) {
    reportError(error);
    showFailedFirstLoad();
  }
}

/** Another tab hands its session over (shared/api/session.ts). Where tabs cannot say that they have one, the console asks them. */
async function mayBeSignedIn(): Promise<boolean> {
  if (sessionStorage.getItem('sk') || !('locks' in navigator)) return true;
  const { held } = await navigator.locks.query();
  return held?.some(({ name: lock }) => lock === 'signed-in') ?? false;
}

const theme = /(?:^|; )theme=(light|dark)(?:;|$)/.exec(document.cookie)?.[1];
if (theme) root.dataset['theme'] = theme;
if (sessionStorage.getItem('sk') || location.hash.startsWith('#view=') || !path) void open();
else {
  root.dataset['wait'] = ''; // no glimpse of the console on the way to the login form
  void mayBeSignedIn().then((may) => {
    if (may) return open();
    rememberReturnPath(path + search);
    return location.replace('/login?type=1');
  });
}
