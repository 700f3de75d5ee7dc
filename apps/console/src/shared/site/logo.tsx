import { useMessages } from '../i18n/messages.js';
import { useBrand, useSiteInfo } from './use-site-info.js';

/** The logo mark: upper arc in ink, deck, lower arc in 青. */
export function Mark() {
  return (
    <svg viewBox="0 0 32 32" fill="none" aria-hidden="true">
      <path className="logo-ink" d="M4.5 15a11.5 11.5 0 0 1 23 0" strokeWidth="3.2" />
      <path className="logo-ink" d="M1 15h30" strokeWidth="1.6" />
      <path className="logo-accent" d="M4.5 18.5a11.5 11.5 0 0 0 23 0" strokeWidth="3.2" />
    </svg>
  );
}

/** Logo and name, from the data config if set (decisions §6); the caller wraps it in a link. */
export function Logo() {
  const t = useMessages('shared');
  const picture = useSiteInfo()?.logo;
  const brand = useBrand();
  return (
    <>
      {picture ? <img src={picture} width={30} height={30} alt="" /> : <Mark />}
      {/* The display font is a subset with the glyphs of our own name only (DESIGN §2). */}
      <b className={brand === t('brand') ? undefined : 'dynamic-text'}>{brand}</b>
    </>
  );
}
