import { NavLink } from '../../shared/routing.js';
import { useMessages } from '../../../shared/i18n/messages.js';
import { Icon } from '../../../shared/ui/icon.js';
import { theSections } from './content.js';
import { addressOf, FIRST, TREE, type Branch, type Place, type SectionId } from './tree.js';

function Leaves({ ids }: { ids: readonly SectionId[] }) {
  const sections = theSections();
  return ids.map((id) => (
    <NavLink key={id} href={addressOf(id)} end>
      {sections[id].title}
    </NavLink>
  ));
}

/** The accordion beside the text (specification §2): open where one is, and wherever one opens it. */
export function SectionTree({ place }: { place: Place }) {
  const t = useMessages('tutorial');
  const isOpen = (branch: Branch): boolean => place.branches.includes(branch);
  const summary = (branch: Branch) => (
    <summary>
      {t(`branch_${branch}`)}
      <Icon name="down" />
    </summary>
  );
  return (
    <nav className="tree" aria-label={t('tree')}>
      <Leaves ids={[FIRST]} />
      {TREE.map(({ branch, sections, branches }) => (
        <details key={branch} open={isOpen(branch) || place.id === FIRST}>
          {summary(branch)}
          <Leaves ids={sections} />
          {branches.map((inner) => (
            <details key={inner.branch} open={isOpen(inner.branch)}>
              {summary(inner.branch)}
              <Leaves ids={inner.sections} />
            </details>
          ))}
        </details>
      ))}
    </nav>
  );
}
