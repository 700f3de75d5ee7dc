import { Link } from 'react-router';
import { useTexts } from '../shared/i18n/texts.js';
import { Empty } from '../shared/ui/empty.js';

/** A page that this role may not see says so and offers a way back (decisions §6). */
export function NoPermission() {
  const t = useTexts('console');
  return (
    <div className="card">
      <Empty
        level="h1"
        title={t('noPermission')}
        action={
          <Link className="btn btn-p" to="/UserCenterIndex">
            {t('toOverview')}
          </Link>
        }
      >
        {t('noPermissionWhy')}
      </Empty>
    </div>
  );
}
