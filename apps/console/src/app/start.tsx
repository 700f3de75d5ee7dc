import { RouterProvider } from 'react-router/dom';
import { onLeave } from '../shared/api/failures.js';
import { readHandedSession } from '../shared/auth/handed-session.js';
import { declareLanguage } from '../shared/i18n/language.js';
import { loadCommonTexts } from '../shared/i18n/texts.js';
import { readSiteData, SiteDataContext } from '../shared/site/site-data.js';
import { followTheme } from '../shared/theme/theme.js';
import { ToastHost } from '../shared/ui/toast-host.js';
import { settleAddress } from './address.js';
import { EarlyPress } from './early-press.js';
import { publicPageAt } from './public-pages.js';
import { createRouter } from './router.js';
import { loadPageOrSaySo } from './site-routes.js';

/** What must be there before the first pixel: a clean address bar, the texts of the shell, the page itself when it is for everybody. */
export async function startApp() {
  readHandedSession(); // first of all: no request may carry the address as its referrer (decisions §2)
  settleAddress();
  followTheme();
  declareLanguage();
  const row = publicPageAt(location.pathname);
  const [page] = await Promise.all([row && loadPageOrSaySo(row), loadCommonTexts()]);
  const router = createRouter(page);
  onLeave((path) => void router.navigate(path));
  return (
    <SiteDataContext value={readSiteData()}>
      <RouterProvider router={router} />
      <ToastHost />
      <EarlyPress />
    </SiteDataContext>
  );
}
