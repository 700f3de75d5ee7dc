import { lazy, Suspense, useSyncExternalStore } from 'react';
import { loadMessages } from '../../shared/i18n/messages.js';

/** On phones there is none (specification §2). */
const DESKTOP = '(min-width: 769px)';

const ContactBar = lazy(async () => {
  try {
    const [file] = await Promise.all([import('./contact-bar.js'), loadMessages('customer-service')]);
    return file;
  } catch {
    return { default: () => null }; // the same ways stand in the footer
  }
});

function follow(tell: () => void): () => void {
  const answer = matchMedia(DESKTOP);
  answer.addEventListener('change', tell);
  return () => answer.removeEventListener('change', tell);
}

/** The bar at the right. It comes after the page; phones do not load it. */
export function SideBar() {
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
