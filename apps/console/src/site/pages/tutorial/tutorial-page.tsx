import { useEffect } from 'react';
import { useMessages } from '../../../shared/i18n/messages.js';
import { usePageTitle } from '../../../shared/page-frame.js';
import { Icon } from '../../../shared/ui/icon.js';
import { Contents, DocParts } from '../../shared/doc/doc-page.js';
import { nonBreaking } from '../../shared/non-breaking.js';
import { NavLink, useNavigate, usePlace } from '../../shared/routing.js';
import { theSections } from './content.js';
import { addressOf, FIRST, isSection, LEAVES, NARROW_ONLY, PLACES, sectionIn, TREE, type Branch, type Place, type SectionId } from './tree.js';
import './tutorial.css';

/** On to the neighbours in the tree; on narrow screens they are on the page themselves. */
function Pager({ place }: { place: Place }) {
  const t = useMessages('tutorial');
  const index = LEAVES.findIndex(({ id }) => id === place.id);
  const before = place.id === NARROW_ONLY ? LEAVES.at(-1) : LEAVES[index - 1];
  const after = index < 0 ? undefined : LEAVES[index + 1];
  const sections = theSections();
  return (
    <nav className="pgr" aria-label={t('pager')}>
      {before && (
        <a href={addressOf(before.id)} rel="prev">
          <small>{t('previous')}</small>
          {sections[before.id].title}
        </a>
      )}
      {after && (
        <a className="after" href={addressOf(after.id)} rel="next">
          <small>{t('next')}</small>
          {sections[after.id].title}
        </a>
      )}
    </nav>
  );
}

/** One section; the current one is the page's own heading, the others (narrow screens) come below it in rank. */
function SectionArticle({ place, current }: { place: Place; current: boolean }) {
  const t = useMessages('tutorial');
  const { title, lead, parts } = theSections()[place.id];
  const Title = current ? 'h1' : 'h2';
  return (
    <article className={current ? 'sec current' : 'sec'} id={place.id}>
      {place.branches.length > 0 && (
        <p className="cr">{place.branches.map((branch) => t(`branch_${branch}`)).join(' / ')}</p>
      )}
      <Title className="doc-t">{title}</Title>
      <p className="doc-lead">{nonBreaking(lead)}</p>
      <DocParts parts={parts} id={place.id} level={current ? 'h2' : 'h3'} />
      {current && <Pager place={place} />}
    </article>
  );
}

function Leaves({ ids }: { ids: readonly SectionId[] }) {
  const sections = theSections();
  return ids.map((id) => (
    <NavLink key={id} href={addressOf(id)} end>
      {sections[id].title}
    </NavLink>
  ));
}

/** The accordion beside the text (specification §2): open where one is, and wherever one opens it. */
function SectionTree({ place }: { place: Place }) {
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

/** The width up to which all sections follow one another (specification §9). */
const NARROW = '(max-width: 768px)';

/**
 * On a narrow screen the page holds every section: a section's address leads to where it stands. A frame later, because another page
 * begins at its top (shared/page-frame.ts).
 */
function useOwnPlace(id: string | undefined): void {
  useEffect(() => {
    if (id === undefined || !matchMedia(NARROW).matches) return;
    const frame = requestAnimationFrame(() => document.getElementById(id)?.scrollIntoView({ behavior: 'instant' }));
    return () => cancelAnimationFrame(frame);
  }, [id]);
}

function Tutorial({ id }: { id: SectionId }) {
  usePageTitle(theSections()[id].title);
  const current = PLACES.find((place) => place.id === id);
  return (
    <div className="wrap tu">
      {current && <SectionTree place={current} />}
      <div className="secs">
        {PLACES.map((place) => (
          <SectionArticle key={place.id} place={place} current={place.id === id} />
        ))}
      </div>
      <Contents parts={theSections()[id].parts} id={id} />
    </div>
  );
}

/**
 * /productDesc and /productDesc/<section> (specification §2). The page holds every section in one markup; its style sheet shows the
 * chosen one beside the tree on wide screens, and all of them without the tree on narrow ones.
 */
export default function TutorialPage() {
  const { pathname } = usePlace();
  const navigate = useNavigate();
  const id = sectionIn(pathname);
  const unknown = id !== undefined && !isSection(id);
  useEffect(() => {
    if (unknown) void navigate('/home', { replace: true });
  }, [unknown, navigate]);
  useOwnPlace(id);
  return unknown ? null : <Tutorial id={id ?? FIRST} />;
}
