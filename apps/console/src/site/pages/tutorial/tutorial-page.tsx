import './tutorial.css';
import { useEffect } from 'react';
import { useNavigate, usePlace } from '../../shared/routing.js';
import { Contents } from '../../shared/doc/doc-page.js';
import { usePageTitle } from '../../../shared/page-frame.js';
import { theSections } from './content.js';
import { SectionArticle } from './section-article.js';
import { SectionTree } from './section-tree.js';
import { FIRST, isSection, PLACES, sectionIn, type SectionId } from './tree.js';
import { useOwnPlace } from './use-own-place.js';

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
