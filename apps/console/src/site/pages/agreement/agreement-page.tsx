import './agreement.css';
import { useEffect, useRef } from 'react';
import { nonBreaking } from '../../shared/non-breaking.js';
import { language } from '../../../shared/i18n/language.js';
import { useMessages } from '../../../shared/i18n/messages.js';
import { useBrand } from '../../../shared/site/use-site-info.js';
import { Logo } from '../../../shared/site/logo.js';
import { clauses as en } from './clauses.en.js';
import { clauses as zh } from './clauses.zh.js';

const CLAUSES = { zh, en };
/** Tells the parent page, of this origin only, that the end has been reached (specification §2, decisions §6). */
function useToldAtEnd() {
  const end = useRef<HTMLParagraphElement>(null);
  useEffect(() => {
    if (window.parent === window || !end.current) return undefined;
    const watcher = new IntersectionObserver(([entry]) => {
      if (entry?.isIntersecting) window.parent.postMessage('TermScrollToBottom', location.origin);
    });
    watcher.observe(end.current);
    return () => watcher.disconnect();
  }, []);
  return end;
}

/**
 * The agreement: a page of its own, or in a frame of the registration form, where the style sheet hides its head (public/first-paint.js).
 */
export default function AgreementPage() {
  const t = useMessages('agreement');
  const page = useMessages('site');
  const brand = useBrand();
  const end = useToldAtEnd();
  return (
    <div className="agreement">
      <header>
        <a className="logo" href="/home">
          <Logo />
        </a>
      </header>
      <main>
        <h1>{t('title')}</h1>
        <p className="faint agreement-dates">
          <span>{t('updated')}</span>
          <span>{t('inForce')}</span>
        </p>
        <p className="agreement-intro">{t('intro', { brand })}</p>
        {CLAUSES[language].map(({ title, paragraphs }) => (
          <section key={title}>
            <h2>{title}</h2>
            {paragraphs.map((paragraph) => (
              <p key={paragraph}>{nonBreaking(paragraph)}</p>
            ))}
          </section>
        ))}
        <p className="faint agreement-end" ref={end}>
          {t('end')}
        </p>
        <p className="agreement-aside">
          <a href="/privacy">{page('pagePrivacy')}</a>
          <a href="/refund">{page('pageRefund')}</a>
        </p>
      </main>
    </div>
  );
}
