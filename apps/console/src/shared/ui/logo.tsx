import { useTexts } from '../i18n/texts.js';

/** The mark: upper arc in ink, deck, lower arc in 青. */
export function Mark() {
  return (
    <svg viewBox="0 0 32 32" fill="none" aria-hidden="true">
      <path className="mk-a" d="M4.5 15a11.5 11.5 0 0 1 23 0" strokeWidth="3.2" />
      <path className="mk-a" d="M1 15h30" strokeWidth="1.6" />
      <path className="mk-b" d="M4.5 18.5a11.5 11.5 0 0 0 23 0" strokeWidth="3.2" />
    </svg>
  );
}

/** Mark and name; the link around it belongs to whoever shows it. */
export function Logo() {
  const t = useTexts('shared');
  return (
    <>
      <Mark />
      <b>{t('brand')}</b>
    </>
  );
}
