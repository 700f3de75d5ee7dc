import './app/no-eval.js';
import './shared/fonts.css';
import './shared/tokens.css';
import './shared/base.css';
import './shared/pieces.css';
import './app/arrival.css';
import './app/after-react.js';
import './app/after-router.js';
import { startTransition, StrictMode } from 'react';
import { flushSync } from 'react-dom';
import { createRoot, hydrateRoot } from 'react-dom/client';
import { breath } from './app/breath.js';
import { isDrawnFor } from './app/address.js';
import { layOutRest } from './app/lay-out-rest.js';
import { startApp } from './app/start.js';
import { language } from './shared/i18n/language.js';

/**
 * What the server drew is taken over, if it is this page in this language, in small pieces between which the page scrolls and answers;
 * anything else is drawn anew.
 */
async function begin(root: HTMLElement): Promise<void> {
  await breath();
  const app = <StrictMode>{await startApp()}</StrictMode>;
  const { address, language: drawn } = root.dataset;
  if (address !== undefined && drawn === language && isDrawnFor(address, location))
    startTransition(() => void hydrateRoot(root, app));
  else flushSync(() => createRoot(root).render(app));
  delete document.documentElement.dataset['wait'];
  layOutRest();
}

const root = document.getElementById('root');
if (!root) throw new Error('index.html has no #root');
// Not awaited here: the file of this module would be waited for by those that the page still needs.
void begin(root);
