import { useEffect, useState, type ComponentType } from 'react';
import { useMessages } from '../../../shared/i18n/messages.js';
import { usePageTitle } from '../../../shared/page-frame.js';
import { Icon } from '../../../shared/ui/icon.js';
import { Contents, FoldedContents } from '../../shared/doc/contents.js';
import { DocParts } from '../../shared/doc/doc-page.js';
import { nonBreaking } from '../../shared/non-breaking.js';
import { NavLink, useNavigate, useLocation } from '../../shared/routing.js';
import { theSections } from './content.js';
import {
  addressOf,
  FIRST,
  isSection,
  LEAVES,
  NARROW_ONLY,
  PLACES,
  sectionIn,
  TREE,
  type Branch,
  type SectionEntry,
  type SectionId,
} from './tree.js';
import './tutorial.css';

/** Links to the previous and next section; on narrow screens all sections are on the page. */
function Pager({ entry }: { entry: SectionEntry }) {
  const t = useMessages('tutorial');
  const index = LEAVES.findIndex(({ id }) => id === entry.id);
  const before = entry.id === NARROW_ONLY ? LEAVES.at(-1) : LEAVES[index - 1];
  const after = index < 0 ? undefined : LEAVES[index + 1];
  const sections = theSections();
  return (
    <nav className="tutorial-pager" aria-label={t('pager')}>
      {before && (
        <a href={addressOf(before.id)} rel="prev">
          <small>{t('previous')}</small>
          {sections[before.id].title}
        </a>
      )}
      {after && (
        <a className="tutorial-next" href={addressOf(after.id)} rel="next">
          <small>{t('next')}</small>
          {sections[after.id].title}
        </a>
      )}
    </nav>
  );
}

/** One section; the current one has the page's h1, the others (narrow screens) rank below it. */
function SectionArticle({ entry, current }: { entry: SectionEntry; current: boolean }) {
  const t = useMessages('tutorial');
  const { title, lead, parts } = theSections()[entry.id];
  const Title = current ? 'h1' : 'h2';
  return (
    <article className={current ? 'tutorial-section current' : 'tutorial-section'} id={entry.id}>
      {entry.branches.length > 0 && (
        <p className="tutorial-path">{entry.branches.map((branch) => t(`branch_${branch}`)).join(' / ')}</p>
      )}
      <Title className="doc-title">{title}</Title>
      <p className="doc-lead">{nonBreaking(lead)}</p>
      <DocParts parts={parts} id={entry.id} level={current ? 'h2' : 'h3'} />
      {current && <Pager entry={entry} />}
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

/** Loaded after the page. */
function LateSearch() {
  const [Search, setSearch] = useState<ComponentType>();
  useEffect(() => void import('./search.js').then((module) => setSearch(() => module.default)), []);
  return <div className="tutorial-search-place">{Search && <Search />}</div>;
}

/** The accordion beside the text (specification §2): open at the current section and wherever the user opens it. */
function SectionTree({ entry }: { entry: SectionEntry }) {
  const t = useMessages('tutorial');
  const isOpen = (branch: Branch): boolean => entry.branches.includes(branch);
  const summary = (branch: Branch) => (
    <summary>
      {t(`branch_${branch}`)}
      <Icon name="down" />
    </summary>
  );
  return (
    <nav className="tutorial-tree" aria-label={t('tree')}>
      <LateSearch />
      <Leaves ids={[FIRST]} />
      {TREE.map(({ branch, sections, branches }) => (
        <details key={branch} open={isOpen(branch) || entry.id === FIRST}>
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

/** All sections in a folded list on narrow screens, where they follow one another on one long page. */
function NarrowContents() {
  return (
    <FoldedContents className="tutorial-contents">
      <LateSearch />
      <Leaves ids={PLACES.map(({ id }) => id)} />
    </FoldedContents>
  );
}

/** Up to this width all sections are on one page (specification §9). */
const NARROW = '(max-width: 768px)';

/**
 * On a narrow screen the page shows every section: scrolls to the section in the address. One frame later, because a navigation scrolls to
 * the top first (shared/page-frame.ts).
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
  const current = PLACES.find((entry) => entry.id === id);
  return (
    <div className="page-width tutorial">
      {current && <SectionTree entry={current} />}
      <NarrowContents />
      <div className="tutorial-sections">
        {PLACES.map((entry) => (
          <SectionArticle key={entry.id} entry={entry} current={entry.id === id} />
        ))}
      </div>
      <Contents parts={theSections()[id].parts} id={id} />
    </div>
  );
}

/**
 * /productDesc and /productDesc/<section> (specification §2). The markup contains every section; the style sheet shows the current one
 * beside the tree on wide screens, and all of them without the tree on narrow ones.
 */
export default function TutorialPage() {
  const { pathname } = useLocation();
  const navigate = useNavigate();
  const id = sectionIn(pathname);
  const unknown = id !== undefined && !isSection(id);
  useEffect(() => {
    if (unknown) void navigate('/home', { replace: true });
  }, [unknown, navigate]);
  useOwnPlace(id);
  return unknown ? null : <Tutorial id={id ?? FIRST} />;
}
