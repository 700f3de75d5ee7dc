import { startTransition, StrictMode } from 'react';
import { flushSync } from 'react-dom';
import { createRoot, hydrateRoot } from 'react-dom/client';
import { declareLanguage, language } from '../shared/i18n/language.js';
import { loadMessages } from '../shared/i18n/messages.js';
import { readSiteData } from '../shared/site/site-data.js';
import { followTheme } from '../shared/theme/theme.js';
import './add-messages.js';
import { isDrawnFor, settleAddress } from './address.js';
import { layOutRest } from './deferred-layout.js';
import { loadPageOrMessage } from './load-page.js';
import { readHandedSession } from './shared/url-session.js';
import { Site } from './site.js';
import { yieldToMain } from './yield-to-main.js';
import '../shared/entry.css';

/**
 * Hydrates the prerendered page, if it is this page in this language, in small pieces between which the page scrolls and answers; anything
 * else is rendered anew.
 */
async function start(root: HTMLElement): Promise<void> {
  await yieldToMain();
  readHandedSession(); // first of all: no request may carry the address as its referrer (decisions §2)
  const row = settleAddress();
  if (!row) throw new Error('the site has no home');
  followTheme();
  declareLanguage();
  const [page] = await Promise.all([loadPageOrMessage(row), loadMessages('shared', 'site')]);
  const { pathname, search } = location;
  const site = (
    <StrictMode>
      <Site data={readSiteData()} page={page} place={{ pathname, search }} />
    </StrictMode>
  );
  const { address, language: drawn } = root.dataset;
  if (address !== undefined && drawn === language && isDrawnFor(address, location))
    startTransition(() => void hydrateRoot(root, site));
  else flushSync(() => createRoot(root).render(site));
  delete document.documentElement.dataset['wait'];
  layOutRest();
}

const root = document.getElementById('root');
if (!root) throw new Error('index.html has no #root');
// Not awaited here: the file of this module would be waited for by those that the page still needs.
void start(root);
