import './policies.css';
import type { Doc } from '../../shared/doc/doc.js';
import { DocParts } from '../../shared/doc/doc-parts.js';

/** The title stands on the page as it stands in the page table. */
export function PolicyArticle({ title, policy: { lead, parts } }: { title: string; policy: Doc }) {
  return (
    <article className="wrap po">
      <h1 className="doc-t">{title}</h1>
      <p className="doc-lead">{lead}</p>
      <DocParts parts={parts} id="part" level="h2" />
    </article>
  );
}
