import './use-doc.css';
import { DocParts } from '../../shared/doc/doc-parts.js';
import { useTexts } from '../../shared/i18n/texts.js';
import { theContent } from './content.js';

/** /useDoc (specification §2): registration, operation, translation capture. */
export default function UseDocPage() {
  const t = useTexts('app');
  const { lead, parts } = theContent();
  return (
    <article className="wrap ud">
      <h1 className="doc-t">{t('pageUseDoc')}</h1>
      <p className="doc-lead">{lead}</p>
      <DocParts parts={parts} id="part" level="h2" />
    </article>
  );
}
