import { useDeferredValue, useId, useState } from 'react';
import { useMessages } from '../../../shared/i18n/messages.js';
import { theSections } from './content.js';
import { addressOf, PLACES, type SectionId } from './tree.js';

/** Every text below `value`, without addresses and language codes. */
function textsOf(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) =>
    key === 'to' || key === 'languages' || key === 'shot' ? [] : textsOf(inner),
  );
}

type Hit = { id: SectionId; title: string; line: string };

/** The sections that contain every word, those with a word in their title first; `line` is the text that contains the first word. */
function hitsOf(query: string): Hit[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  const sections = theSections();
  const hits = PLACES.flatMap(({ id }) => {
    const { title, lead, parts } = sections[id];
    const texts = [title, lead, ...textsOf(parts)];
    const contains = (text: string, word = ''): boolean => text.toLowerCase().includes(word);
    if (!words.every((word) => texts.some((text) => contains(text, word)))) return [];
    const inTitle = words.some((word) => contains(title, word));
    const line = inTitle ? lead : (texts.find((text) => contains(text, words[0])) ?? lead);
    return [{ id, title, line, inTitle }];
  });
  return hits.sort((a, b) => Number(b.inTitle) - Number(a.inTitle));
}

/** Searches the sections, which the page has loaded anyway; loaded after the page itself. */
export default function Search() {
  const t = useMessages('tutorial');
  const id = useId();
  const [query, setQuery] = useState('');
  const asked = useDeferredValue(query.trim());
  const hits = asked === '' ? [] : hitsOf(asked);
  return (
    <search className="tutorial-search">
      <label className="visually-hidden" htmlFor={id}>
        {t('search')}
      </label>
      <input
        id={id}
        type="search"
        className="field-input"
        placeholder={t('search')}
        autoComplete="off"
        value={query}
        onChange={(event) => setQuery(event.target.value)}
      />
      <p className="visually-hidden" role="status">
        {asked !== '' && hits.length > 0 ? t('found', { n: hits.length }) : ''}
      </p>
      {asked !== '' && (
        <div className="tutorial-hits">
          {hits.map((hit) => (
            <a key={hit.id} href={addressOf(hit.id)} onClick={() => setQuery('')}>
              <b>{hit.title}</b>
              <span>{hit.line}</span>
            </a>
          ))}
          {hits.length === 0 && <p role="status">{t('notFound')}</p>}
        </div>
      )}
    </search>
  );
}
