import { useMessages } from '../i18n/messages.js';
import { ErrorState } from './error-state.js';

/**
 * In the place of a page whose code or texts did not arrive, or that failed while drawing. Loading the site again is the only second
 * try that helps: browsers keep the failure of a module, and after a release the old one is gone.
 */
export function BrokenPart() {
  const t = useMessages('shared');
  return (
    <ErrorState title={t('pageBroke')} onReload={() => location.reload()}>
      {t('pageBrokeWhy')}
    </ErrorState>
  );
}

/** The same where nothing else is on the screen. */
export function BrokenPage() {
  return (
    <main className="page-wait">
      <BrokenPart />
    </main>
  );
}
