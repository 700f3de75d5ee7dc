import { Link } from 'react-router';
import { useMessages } from '../../shared/i18n/messages.js';
import { useGivenTitle } from '../../shared/page-frame.js';
import { Icon } from '../../shared/ui/icon.js';
import { operatorPages } from '../resources.js';
import { useRow } from './rail.js';

/** Where the page is: its group of the side bar, the page that leads to it, and its own name. */
export function Place() {
  const t = useMessages('operator');
  const row = useRow();
  const given = useGivenTitle();
  if (!row) return <span className="shell-place" />;
  const parent = operatorPages.find(({ path }) => path === (row.within ?? row.path));
  const group = parent?.menu?.group ?? 'today';
  return (
    <nav className="shell-place" aria-label={t('place')}>
      {group !== 'today' && (
        <span className="shell-group">
          {t(`group_${group}`)}
          <Icon name="next" />
        </span>
      )}
      {parent && parent !== row && (
        <>
          <Link to={parent.path}>{t(parent.name)}</Link>
          <Icon name="next" />
        </>
      )}
      <span className="dynamic-text" aria-current="page">
        {given ?? t(row.name)}
      </span>
    </nav>
  );
}
