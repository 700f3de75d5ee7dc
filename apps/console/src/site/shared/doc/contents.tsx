import { useEffect, useState, type ReactNode } from 'react';
import { useMessages } from '../../../shared/i18n/messages.js';
import { Icon } from '../../../shared/ui/icon.js';
import type { DocPart } from './doc.js';
import './doc.css';

/** The id of a part, for links to it. */
export const partId = (id: string, index: number): string => `${id}-${index + 1}`;

/** The id of the part being read: the last one that begins in the upper third of the window or above it. */
function useReading(ids: readonly string[]): string | undefined {
  const key = ids.join(' ');
  const [reading, setReading] = useState<string>();
  useEffect(() => {
    const all = key.split(' ').flatMap((id) => document.getElementById(id) ?? []);
    const begun = new Set<Element>();
    const watcher = new IntersectionObserver(
      (entries) => {
        for (const { isIntersecting, target } of entries) begun[isIntersecting ? 'add' : 'delete'](target);
        setReading(all.findLast((part) => begun.has(part))?.id);
      },
      // Everything above the line counts, however far away; after a jump to the top nothing has begun.
      { rootMargin: '1000000px 0px -70% 0px' },
    );
    all.forEach((part) => watcher.observe(part));
    return () => {
      watcher.disconnect();
      setReading(undefined);
    };
  }, [key]);
  return reading ?? ids[0];
}

/** The table of contents, beside the page on wide screens; `id` prefixes the ids of the parts, as in DocParts. */
export function Contents({ parts, id }: { parts: readonly Pick<DocPart, 'title'>[]; id: string }) {
  const t = useMessages('doc');
  const places = parts.map(({ title }, index) => ({ title, part: partId(id, index) }));
  const reading = useReading(places.map(({ part }) => part));
  return (
    <nav className="doc-contents" aria-label={t('contents')}>
      <b>{t('contents')}</b>
      {places.map(({ title, part }) => (
        <a key={part} href={`#${part}`} aria-current={part === reading ? 'location' : undefined}>
          {title}
        </a>
      ))}
    </nav>
  );
}

/** The table of contents on narrow screens: folded, above the text. */
export function FoldedContents({ className = '', children }: { className?: string; children: ReactNode }) {
  const t = useMessages('doc');
  return (
    <nav className={`doc-folded ${className}`} aria-label={t('contents')}>
      <details
        onClick={({ currentTarget, target }) => {
          if ((target as Element).closest('a')) currentTarget.open = false;
        }}
      >
        <summary>
          {t('contents')}
          <Icon name="down" />
        </summary>
        <div>{children}</div>
      </details>
    </nav>
  );
}
