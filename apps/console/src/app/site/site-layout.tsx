import './site.css';
import { Outlet } from 'react-router';
import { useTexts } from '../../shared/i18n/texts.js';
import { Notices } from '../../shared/notices/notices.js';
import { SiteFooter } from './site-footer.js';
import { SiteHeader } from './site-header.js';
import { SideBar } from './side-bar.js';

/** The public shell (specification §2). */
export function SiteLayout() {
  const t = useTexts('app');
  return (
    <>
      <a className="skip" href="#main">
        {t('skip')}
      </a>
      <SiteHeader />
      <main id="main" tabIndex={-1}>
        <Outlet />
      </main>
      <SiteFooter />
      <SideBar />
      <Notices />
    </>
  );
}
