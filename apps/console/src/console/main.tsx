import './no-eval.js';
import './icons.js';
import '../shared/entry.css';
import sha256 from 'crypto-js/sha256.js';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { RouterProvider } from 'react-router/dom';
import { signWith } from '../shared/api/signed-headers.js';
import { declareLanguage } from '../shared/i18n/language.js';
import { followTheme } from '../shared/theme/theme.js';
import { ToastHost } from '../shared/ui/toast-host.js';
import { loadConsoleLocale } from './console-locale.js';
import { showFailedFirstLoad } from './first-load-failed.js';
import { moveFocusOfDialogs } from './shared/dialogs/dialog-focus.js';
import { createRouter } from './router.js';

async function start(root: HTMLElement): Promise<void> {
  signWith(sha256);
  followTheme();
  moveFocusOfDialogs();
  declareLanguage();
  await loadConsoleLocale();
  createRoot(root).render(
    <StrictMode>
      <RouterProvider router={createRouter()} />
      <ToastHost />
    </StrictMode>,
  );
}

const root = document.getElementById('root');
if (!root) throw new Error('console.html has no #root');
// Not awaited at the top level: modules that the page still needs would wait for it.
start(root).catch((error: unknown) => {
  reportError(error);
  showFailedFirstLoad();
});
