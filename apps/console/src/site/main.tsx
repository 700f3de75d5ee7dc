import '../shared/entry.css';
import './preferences.css';
import { yieldToMain } from './yield-to-main.js';
import './add-messages.js';
import { startTransition, StrictMode } from 'react';
import { flushSync } from 'react-dom';
import { createRoot, hydrateRoot } from 'react-dom/client';
import { preloadSigning } from '../shared/api/signed-headers.js';
import { declareLanguage, language } from '../shared/i18n/language.js';
import { loadMessages } from '../shared/i18n/messages.js';
import { readSiteData } from '../shared/site/site-data.js';
import { followTheme } from '../shared/theme/theme.js';
import { loadPageOrMessage } from './load-page.js';
import { pageAt, type SitePage } from './page-table.js';
import { isPrerenderedFor } from './paths.js';
import { readUrlSession } from './shared/url-session.js';
import { Site } from './site.js';

/** The page at the address. For an unknown address the server sends the home page (decisions §6); here the address bar follows. */
function currentPage(): SitePage | undefined {
  const { pathname, search } = location;
  const page = pageAt(pathname);
  if (!page) history.replaceState(history.state, '', `/home${search}`);
  return page ?? pageAt('/home');
}

/** The parts of a page that site.css leaves out of the first layout on phones. */
const BELOW_THE_FOLD = '#main > section:nth-of-type(n + 2), .site-footer';

const whenIdle = (act: () => void): void => {
  if ('requestIdleCallback' in globalThis) requestIdleCallback(act, { timeout: 1_000 });
  else setTimeout(act, 100);
};

/** Lays out the parts below the first screen after hydration, one per idle callback. */
function layOutBelowTheFold(): void {
  const parts = [...document.querySelectorAll<HTMLElement>(BELOW_THE_FOLD)];
  const next = (): void => {
    const part = parts.shift();
    if (part) part.dataset['whole'] = '';
    // Pages that come by navigation are laid out at once.
    else document.documentElement.dataset['whole'] = '';
    if (part) whenIdle(next);
  };
  whenIdle(next);
}

/** Hydrates the prerendered page as a transition, which yields to input, if it is this page in this language; renders it from scratch otherwise. */
async function start(root: HTMLElement): Promise<void> {
  await yieldToMain();
  readUrlSession(); // before any request: none may carry the address as its referrer (decisions §2)
  const row = currentPage();
  if (!row) throw new Error('the site has no home page');
  preloadSigning();
  followTheme();
  declareLanguage();
  const [page] = await Promise.all([loadPageOrMessage(row), loadMessages('shared', 'site')]);
  const { pathname, search } = location;
  const site = (
    <StrictMode>
      <Site data={readSiteData()} page={page} place={{ pathname, search }} />
    </StrictMode>
  );
  const { address, language: renderedIn } = root.dataset;
  if (address !== undefined && renderedIn === language && isPrerenderedFor(address, location))
    startTransition(() => void hydrateRoot(root, site));
  else flushSync(() => createRoot(root).render(site));
  delete document.documentElement.dataset['wait'];
  layOutBelowTheFold();
}

const root = document.getElementById('root');
if (!root) throw new Error('index.html has no #root');
// Not awaited: chunks that import from this module would wait for it.
void start(root);
