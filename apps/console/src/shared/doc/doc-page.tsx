import { Contents } from './contents.js';
import type { Doc } from './doc.js';
import { DocParts } from './doc-parts.js';
import { unbroken } from './unbroken.js';

const PARTS = 'part';

/** A page that is one document. The title stands on the page as it stands in the page table. */
export function DocPage({ title, doc: { lead, updated, parts } }: { title: string; doc: Doc }) {
  return (
    <div className="wrap doc-page">
      <article>
        <h1 className="doc-t">{title}</h1>
        <p className="doc-lead">{unbroken(lead)}</p>
        {updated && <p className="doc-date">{updated}</p>}
        <DocParts parts={parts} id={PARTS} level="h2" />
      </article>
      <Contents parts={parts} id={PARTS} />
    </div>
  );
}
