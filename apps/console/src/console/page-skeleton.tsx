import './page-skeleton.css';
import { useMessages } from '../shared/i18n/messages.js';
import { useDelayed } from '../shared/ui/navigation-progress.js';

/** A head and two cards, in the place of a page that is not there yet; it shows after 200 ms, so that quick answers do not flicker. */
export function PageSkeleton() {
  const t = useMessages('shared');
  const late = useDelayed();
  return (
    <div className="page-skeleton" role="status">
      <span className="visually-hidden">{t('loading')}</span>
      {late && (
        <div aria-hidden="true">
          <i className="skeleton page-skeleton-title" />
          <i className="skeleton page-skeleton-note" />
          <div className="page-skeleton-cards">
            <i className="skeleton" />
            <i className="skeleton" />
          </div>
        </div>
      )}
    </div>
  );
}
