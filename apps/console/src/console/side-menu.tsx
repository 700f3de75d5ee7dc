import { useMenu } from '@refinedev/core';
import { useId } from 'react';
import { Link } from 'react-router';
import { useMessages } from '../shared/i18n/messages.js';
import { Icon } from '../shared/ui/icon.js';
import { useRow } from './frame.js';
import { useMaySee } from './access-provider.js';
import { consolePages, type PageMeta } from './page-table.js';

const GROUPS = [
  { group: 'member', title: 'memberGroup' },
  { group: 'function', title: 'functionGroup' },
] as const;

/** Preloads a page's code when its entry is hovered. The page itself reports a failure. */
const prefetch = (to: string): void => {
  consolePages
    .find(({ path }) => path === to)
    ?.page()
    .catch(() => undefined);
};

type EntryProps = { name: string; to: string; meta: PageMeta; onGo: (() => void) | undefined };

/** Until the member is known, entries for main accounts are placeholders. */
function Entry({ name, to, meta, onGo }: EntryProps) {
  const may = useMaySee(name);
  const row = useRow();
  if (may === false) return null;
  if (may === null && meta.who === 'main')
    return (
      <li className="side-menu-wait" aria-hidden="true">
        <i className="skeleton" />
      </li>
    );
  return (
    <li>
      <Link
        to={to}
        aria-current={to === (row?.within ?? row?.path) ? 'page' : undefined}
        onClick={onGo}
        onPointerEnter={() => prefetch(to)}
        onFocus={() => prefetch(to)}
      >
        {meta.icon && <Icon name={meta.icon} />}
        {meta.label}
      </Link>
    </li>
  );
}

/** Member center and function management, without the main account's entries for sub-accounts (specification §2). */
export function SideMenu({ onGo }: { onGo?: () => void }) {
  const t = useMessages('console');
  const id = useId(); // the menu is there twice: at the side, and in the drawer of narrow screens
  const { menuItems } = useMenu();
  const entries = menuItems.map(({ name, route, meta }) => ({ name, to: route ?? '', meta: meta as PageMeta }));
  return (
    <nav className="side-menu" aria-label={t('sideMenu')}>
      {GROUPS.map(({ group, title }) => [
        <b key={`${group}-title`} id={`${id}-${group}`}>
          {t(title)}
        </b>,
        <ul key={group} aria-labelledby={`${id}-${group}`}>
          {entries
            .filter(({ meta }) => meta.group === group)
            .map((entry) => (
              <Entry key={entry.name} {...entry} onGo={onGo} />
            ))}
        </ul>,
      ])}
    </nav>
  );
}
