import './page-skeleton.css';
import { useMessages } from '../shared/i18n/messages.js';

/** A header and two cards until the first page is there: the same as in console.html, which they take the place of. */
export function PageSkeleton() {
  const t = useMessages('shared');
  return (
    <div className="page-skeleton" role="status">
      <span className="visually-hidden">{t('loading')}</span>
      <div aria-hidden="true">
        <i className="skeleton page-skeleton-title" />
        <i className="skeleton page-skeleton-note" />
        <div className="page-skeleton-cards">
          <i className="skeleton" />
          <i className="skeleton" />
        </div>
      </div>
    </div>
  );
}
