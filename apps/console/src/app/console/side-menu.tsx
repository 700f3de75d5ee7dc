import { useId } from 'react';
import { Link } from 'react-router';
import { useUser } from '../../shared/auth/stored-user.js';
import { isMain } from '../../shared/auth/user.js';
import { useTexts } from '../../shared/i18n/texts.js';
import { Icon } from '../../shared/ui/icon.js';
import { useRow } from '../frame.js';
import { pages } from '../pages.js';

const GROUPS = [
  { group: 'member', title: 'memberGroup' },
  { group: 'function', title: 'functionGroup' },
] as const;

/** Member center and function management; what only main accounts may see is not offered to sub-accounts (specification §2). */
export function SideMenu({ onGo }: { onGo?: () => void }) {
  const t = useTexts('app');
  const id = useId(); // the menu is there twice: at the side, and in the drawer of narrow screens
  const user = useUser();
  const row = useRow();
  const here = row?.within ?? row?.path;
  const shown = pages.filter(({ menu, who }) => menu && (who !== 'main' || (user !== null && isMain(user))));
  return (
    <nav className="sd" aria-label={t('memberGroup')}>
      {GROUPS.map(({ group, title }) => [
        <b key={`${group}-title`} id={`${id}-${group}`}>
          {t(title)}
        </b>,
        <ul key={group} aria-labelledby={`${id}-${group}`}>
          {shown
            .filter(({ menu }) => menu?.group === group)
            .map(({ path, name, menu }) => (
              <li key={path}>
                <Link to={path} aria-current={path === here ? 'page' : undefined} onClick={onGo}>
                  {menu && <Icon name={menu.icon} />}
                  {t(name)}
                </Link>
              </li>
            ))}
        </ul>,
      ])}
    </nav>
  );
}
