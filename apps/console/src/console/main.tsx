import './no-eval.js';
import './icons.js';
import '../shared/entry.css';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { RouterProvider } from 'react-router/dom';
import { declareLanguage, language } from '../shared/i18n/language.js';
import { addTable, namespaceOf } from '../shared/i18n/messages.js';
import { followTheme } from '../shared/theme/theme.js';
import { ToastHost } from '../shared/ui/toast-host.js';
import { moveFocusOfDialogs } from './shared/dialogs/dialog-focus.js';
import { createRouter } from './router.js';

const TEXTS = { zh: () => import('./texts.zh.js'), en: () => import('./texts.en.js') };

async function start(root: HTMLElement): Promise<void> {
  followTheme();
  moveFocusOfDialogs();
  declareLanguage();
  const texts = await TEXTS[language]();
  for (const [path, table] of Object.entries(texts.default)) addTable(namespaceOf(path), table);
  createRoot(root).render(
    <StrictMode>
      <RouterProvider router={createRouter()} />
      <ToastHost />
    </StrictMode>,
  );
  delete document.documentElement.dataset['wait'];
}

const root = document.getElementById('root');
if (!root) throw new Error('console.html has no #root');
// Not awaited at the top level: modules that the page still needs would wait for it.
void start(root);
