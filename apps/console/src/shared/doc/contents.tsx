import { useMessages } from '../i18n/messages.js';
import type { DocPart } from './doc.js';
import { partId } from './doc-parts.js';
import { useReading } from './use-reading.js';

/** What the page holds, beside it on wide screens; `id` begins the addresses of its parts, as in DocParts. */
export function Contents({ parts, id }: { parts: readonly DocPart[]; id: string }) {
  const t = useMessages('doc');
  const places = parts.map(({ title }, index) => ({ title, part: partId(id, index) }));
  const reading = useReading(places.map(({ part }) => part));
  return (
    <nav className="toc" aria-label={t('contents')}>
      <b>{t('contents')}</b>
      {places.map(({ title, part }) => (
        <a key={part} href={`#${part}`} aria-current={part === reading ? 'location' : undefined}>
          {title}
        </a>
      ))}
    </nav>
  );
}
