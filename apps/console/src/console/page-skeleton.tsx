import './page-skeleton.css';
import { useMessages } from '../shared/i18n/messages.js';
import { useDelayed } from '../shared/ui/navigation-progress.js';

/** A header and two cards while a page loads, shown after 200 ms so that fast responses do not flicker. */
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
