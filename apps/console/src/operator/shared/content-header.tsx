import type { ReactNode } from 'react';
import { Link, useLocation } from 'react-router';
import { useMessages } from '../../shared/i18n/messages.js';
import { PageHeader } from '../../shared/ui/page-header.js';

const TABS = [
  { to: '/notices', name: 'tabNotices' },
  { to: '/content/SITE_INFO', name: 'tabSite' },
  { to: '/content/CUSTOMER_SERVICE', name: 'tabService' },
  { to: '/content/SOFT_DOWNLOAD_CONFIG', name: 'tabDownloads' },
] as const;

/** The title of notices and content, and the way from one to the other. */
export function ContentHeader({ note, children }: { note: string; children?: ReactNode }) {
  const t = useMessages('operator');
  const { pathname } = useLocation();
  return (
    <>
      <PageHeader title={t('pageNotices')} note={note}>
        {children}
      </PageHeader>
      <nav className="page-tabs" aria-label={t('contentTabs')}>
        {TABS.map(({ to, name }) => {
          const here = pathname === to || pathname.startsWith(`${to}/`);
          return (
            <Link key={to} to={to} className={here ? 'active' : ''} aria-current={here ? 'page' : undefined}>
              {t(name)}
            </Link>
          );
        })}
      </nav>
    </>
  );
}
