import './icons.js';
import './operator.css';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { RouterProvider } from 'react-router/dom';
import { moveFocusOfDialogs } from '../shared/antd/dialog-focus.js';
import { declareLanguage } from '../shared/i18n/language.js';
import { loadLocale } from '../shared/refine/locale.js';
import { followTheme } from '../shared/theme/theme.js';
import { ToastHost } from '../shared/ui/toast-host.js';
import { createRouter } from './router.js';

const LOCALES = { zh: () => import('./locale.zh.js'), en: () => import('./locale.en.js') };

async function start(root: HTMLElement): Promise<void> {
  followTheme();
  moveFocusOfDialogs();
  declareLanguage();
  await loadLocale(LOCALES);
  createRoot(root).render(
    <StrictMode>
      {/* Timers of a page must know that it is being left at once, not when a transition gets its turn. */}
      <RouterProvider router={createRouter()} useTransitions={false} />
      <ToastHost />
    </StrictMode>,
  );
}

const root = document.getElementById('root');
if (!root) throw new Error('operator.html has no #root');
void start(root);
