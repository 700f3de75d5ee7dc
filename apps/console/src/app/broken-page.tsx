import { useTexts } from '../shared/i18n/texts.js';
import { ErrorState } from '../shared/ui/error-state.js';

/** A page whose code or texts did not arrive, or that failed while drawing. */
export function BrokenPage() {
  const t = useTexts('app');
  return (
    <main className="page-wait">
      <ErrorState title={t('pageBroke')} onReload={() => location.reload()}>
        {t('pageBrokeWhy')}
      </ErrorState>
    </main>
  );
}
