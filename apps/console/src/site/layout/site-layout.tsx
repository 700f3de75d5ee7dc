import './site.css';
import type { ReactNode } from 'react';
import { useMessages } from '../../shared/i18n/messages.js';
import { Notices } from '../../shared/notices/notices.js';
import { SiteFooter } from './site-footer.js';
import { SiteHeader } from './site-header.js';
import { SideBar } from './side-bar.js';

/** The public shell (specification §2). */
export function SiteLayout({ visit, children }: { visit: number; children: ReactNode }) {
  const t = useMessages('shared');
  return (
    <>
      <a className="skip" href="#main">
        {t('skip')}
      </a>
      <SiteHeader visit={visit} />
      <main id="main" tabIndex={-1}>
        {children}
      </main>
      <SiteFooter />
      <SideBar />
      <Notices />
    </>
  );
}
