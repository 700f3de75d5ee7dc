import { lazy, Suspense, useSyncExternalStore, type ReactNode } from 'react';
import { loadMessages, useMessages } from '../../shared/i18n/messages.js';
import { SiteFooter } from './site-footer.js';
import { SiteHeader } from './site-header.js';
import './site.css';

/** Phones have none (specification §2). */
const DESKTOP = '(min-width: 769px)';

const ContactBar = lazy(async () => {
  try {
    const [file] = await Promise.all([import('./contact-bar.js'), loadMessages('customer-service')]);
    return file;
  } catch {
    return { default: () => null }; // the footer has the same contacts
  }
});

/** Not in the HTML and no part of the page's first script: there is nothing to see until a notice comes. */
const loadLive = () =>
  Promise.all([import('../../shared/notices/watch-notices.js'), import('../../shared/live/live.js')]);

const Notices = lazy(async () => {
  try {
    return { default: (await import('../../shared/notices/notices.js')).Notices };
  } catch {
    return { default: () => null };
  }
});

function follow(listener: () => void): () => void {
  const answer = matchMedia(DESKTOP);
  answer.addEventListener('change', listener);
  return () => answer.removeEventListener('change', listener);
}

/** The contact bar at the right, loaded after the page and not on phones. */
function SideBar() {
  const wide = useSyncExternalStore(
    follow,
    () => matchMedia(DESKTOP).matches,
    () => false,
  );
  return wide ? (
    <Suspense>
      <ContactBar />
    </Suspense>
  ) : null;
}

const never = (): (() => void) => () => undefined;

/** False while the server's HTML is rendered and hydrated. */
const useHydrated = (): boolean =>
  useSyncExternalStore(
    never,
    () => true,
    () => false,
  );

/** The layout of public pages (specification §2). */
export function SiteLayout({ visit, children }: { visit: number; children: ReactNode }) {
  const t = useMessages('shared');
  const hydrated = useHydrated();
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
      {hydrated && (
        <Suspense>
          <Notices load={loadLive} />
        </Suspense>
      )}
    </>
  );
}
