import { findTerms, type FoundTerm } from '@yiqiao/domain/glossary';
import { Fragment } from 'react';
import { useTexts } from '../../../shared/i18n/texts.js';
import type { Done } from './visits.js';
import { useTerms } from './use-terms.js';

/** The translated text, with the family's own words marked in it and named below. */
export function Crossed({ done: { answer, asked } }: { done: Done }) {
  const t = useTexts('translation-test');
  const terms = useTerms(answer.source, answer.target);
  const used = [...new Map(findTerms(asked.text, terms).map((found) => [found.term, found])).values()];
  // Only what the text gave cause for: the same words may stand in the answer by chance.
  const marks = findTerms(
    answer.translated,
    used.map(({ term, translation }) => ({ term: translation, translation: term })),
  );
  return (
    <>
      <p className="tt-crossed" lang={answer.target} dir="auto" data-testid="translated">
        <Marked text={answer.translated} marks={marks} />
      </p>
      {used.length > 0 && (
        <p className="tt-terms">
          <span>{t('terms')}</span>
          {used.map(({ term, translation }) => (
            <span key={term} className="dyn">
              {t('termPair', { term, translation })}
            </span>
          ))}
        </p>
      )}
    </>
  );
}

function Marked({ text, marks }: { text: string; marks: readonly FoundTerm[] }) {
  return (
    <>
      {marks.map(({ start, end, translation }, at) => (
        <Fragment key={start}>
          {text.slice(marks[at - 1]?.end ?? 0, start)}
          <mark title={translation}>{text.slice(start, end)}</mark>
        </Fragment>
      ))}
      {text.slice(marks.at(-1)?.end ?? 0)}
    </>
  );
}
