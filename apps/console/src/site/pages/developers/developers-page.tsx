import { useMessages } from '../../../shared/i18n/messages.js';
import { Contents, FoldedContents, partId } from '../../shared/doc/contents.js';
import { nonBreaking } from '../../shared/non-breaking.js';
import { theContent } from './content.js';
import { CodeLanguageChoice, DevBlockView } from './dev-blocks.js';
import './developers.css';

const PARTS = 'part';

/** /developers: the API for the members' own software (docs/decisions/0071). All of it but the form is prerendered. */
export default function DevelopersPage() {
  const title = useMessages('site')('pageDevelopers');
  const { lead, parts } = theContent();
  return (
    <div className="page-width doc-page dev">
      <Contents parts={parts} id={PARTS} />
      <article>
        <h1 className="doc-title">{title}</h1>
        <p className="doc-lead">{nonBreaking(lead)}</p>
        <FoldedContents>
          {parts.map((part, index) => (
            <a key={part.title} href={`#${partId(PARTS, index)}`}>
              {part.title}
            </a>
          ))}
        </FoldedContents>
        <CodeLanguageChoice>
          {parts.map((part, index) => (
            <section key={part.title} className="doc-part" id={partId(PARTS, index)}>
              <h2 className="doc-part-title">
                <span className="numeric">{index + 1}</span>
                {part.title}
              </h2>
              <div className="doc-indent">
                {part.blocks.map((block, at) => (
                  <DevBlockView key={at} block={block} title={part.title} />
                ))}
              </div>
            </section>
          ))}
        </CodeLanguageChoice>
      </article>
    </div>
  );
}
