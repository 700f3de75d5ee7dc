import { useMessages } from '../../../shared/i18n/messages.js';
import { DocParts } from '../../shared/doc/doc-page.js';
import { nonBreaking } from '../../shared/non-breaking.js';
import { theSections } from './content.js';
import { addressOf, LEAVES, NARROW_ONLY, type Place } from './tree.js';

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
export function SectionArticle({ place, current }: { place: Place; current: boolean }) {
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
