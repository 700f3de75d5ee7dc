import { useMessages } from '../i18n/messages.js';
import { ErrorState } from './error-state.js';

/**
 * Shown when a page's code or messages failed to load, or when rendering threw. Only a reload helps: browsers cache a failed module import,
 * and after a release the old chunk is gone.
 */
export function BrokenPart() {
  const t = useMessages('shared');
  return (
    <ErrorState title={t('pageBroke')} onReload={() => location.reload()}>
      {t('pageBrokeWhy')}
    </ErrorState>
  );
}

/** The same as a full page. */
export function BrokenPage() {
  return (
    <main className="page-wait">
      <BrokenPart />
    </main>
  );
}
