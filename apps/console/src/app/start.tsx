import { RouterProvider } from 'react-router/dom';
import { onLeave } from '../shared/api/failures.js';
import { readHandedSession } from '../shared/auth/handed-session.js';
import { startTexts } from '../shared/i18n/texts.js';
import { followTheme } from '../shared/theme/theme.js';
import { ToastHost } from '../shared/ui/toast-host.js';
import { createRouter } from './router.js';

/** What must be there before the first pixel: a clean address bar, the texts of the shell, the router. */
export async function startApp() {
  readHandedSession(); // first of all: no request may carry the address as its referrer (decisions §2)
  followTheme();
  const texts = startTexts();
  const router = createRouter(); // begins to fetch the page beside the texts
  await texts;
  onLeave((path) => void router.navigate(path));
  return (
    <>
      <RouterProvider router={router} />
      <ToastHost />
    </>
  );
}
