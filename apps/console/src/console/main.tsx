import './no-eval.js';
import './icons.js';
import '../shared/entry.css';
import sha256 from 'crypto-js/sha256.js';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { RouterProvider } from 'react-router/dom';
import { VIEW_LINK } from '../shared/api/session.js';
import { signWith } from '../shared/api/signed-headers.js';
import { declareLanguage } from '../shared/i18n/language.js';
import { followTheme } from '../shared/theme/theme.js';
import { ToastHost } from '../shared/ui/toast-host.js';
import { loadLocale } from '../shared/refine/locale.js';
import { moveFocusOfDialogs } from '../shared/antd/dialog-focus.js';
import { showFailedFirstLoad } from './first-load-failed.js';
import { createRouter } from './router.js';

const LOCALES = { zh: () => import('./locale.zh.js'), en: () => import('./locale.en.js') };

async function start(container: HTMLElement): Promise<void> {
  signWith(sha256);
  followTheme();
  moveFocusOfDialogs();
  declareLanguage();
  await loadLocale(LOCALES);
  const root = createRoot(container);
  // The code of an operator's view is loaded for one only.
  const refusal = VIEW_LINK.test(location.hash) ? await (await import('./view-link.js')).openViewLink() : null;
  if (refusal) return root.render(refusal);
  root.render(
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
