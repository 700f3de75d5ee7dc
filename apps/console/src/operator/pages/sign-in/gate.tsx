import './sign-in.css';
import { useSyncExternalStore, type ReactNode } from 'react';
import { language } from '../../../shared/i18n/language.js';
import { useMessages } from '../../../shared/i18n/messages.js';
import { chooseTheme, isDark, subscribeTheme } from '../../../shared/theme/theme.js';
import { Icon } from '../../../shared/ui/icon.js';
import { LanguageSwitch } from '../../../shared/ui/language-switch.js';
import { Wordmark } from '../../shared/wordmark.js';

function ThemeButton() {
  const t = useMessages('sign-in');
  const dark = useSyncExternalStore(subscribeTheme, isDark);
  return (
    <button
      type="button"
      className="button button-text button-small"
      onClick={() => chooseTheme(dark ? 'light' : 'dark')}
    >
      <Icon name={dark ? 'sun' : 'moon'} />
      {t(dark ? 'light' : 'dark')}
    </button>
  );
}

/** One language's half of the equation: words and signs in turn. */
const Row = ({ text, lang }: { text: string; lang: string }) =>
  text.split(' ').map((word, at) =>
    at % 2 ? (
      <i key={at} lang={lang}>
        {word}
      </i>
    ) : (
      <span key={at} lang={lang}>
        {word}
      </span>
    ),
  );

/** What the ledger proves every day, in both languages: the page's above the water. */
function Equation() {
  const t = useMessages('sign-in');
  const [own, other] = language === 'en' ? ['en', 'zh'] : ['zh', 'en'];
  return (
    <div className="gate-equation" aria-hidden="true">
      <Row text={t('statement')} lang={own} />
      <div className="gate-water" />
      <Row text={t('statementOther')} lang={other} />
    </div>
  );
}

/** The members' site, as the operators' process wrote it into the document; null in development without it. */
function membersSignIn(): string | null {
  const site = document.querySelector<HTMLMetaElement>('meta[name="site"]')?.content ?? '';
  return URL.canParse('/login', site) ? new URL('/login', site).href : null;
}

type GateProps = {
  title: ReactNode;
  note?: ReactNode;
  steps?: readonly string[];
  /** The place of the current step. */
  step?: number;
  wide?: boolean;
  children: ReactNode;
};

/** The frame of every page before the session: 紫泥 at the left, the form at the right. */
export function Gate({ title, note, steps = [], step = 0, wide = false, children }: GateProps) {
  const t = useMessages('sign-in');
  const shared = useMessages('shared');
  const memberPage = membersSignIn();
  return (
    <main id="main" className="gate">
      <div className="gate-side">
        <span className="logo">
          <Wordmark />
        </span>
        <Equation />
        <p className="gate-caption">
          {t('capLead')}
          <br />
          {t('cap')}
        </p>
      </div>
      <div className="gate-front">
        <div className="gate-top">
          <ThemeButton />
          <LanguageSwitch />
        </div>
        <section className={wide ? 'gate-form wide' : 'gate-form'}>
          <h1>{title}</h1>
          {note && <p className="gate-note">{note}</p>}
          {steps.length > 0 && (
            <ol className="gate-steps" aria-label={t('steps')}>
              {steps.map((text, at) => (
                <li
                  key={text}
                  className={at < step ? 'done' : undefined}
                  aria-current={at === step ? 'step' : undefined}
                >
                  {at + 1} {text}
                </li>
              ))}
            </ol>
          )}
          {children}
        </section>
        <p className="faint gate-foot">
          {shared('copyright', { brand: shared('brand') })} {t('notHere')}
          {memberPage !== null && (
            <a className="link" href={memberPage}>
              {t('memberSignIn')}
            </a>
          )}
        </p>
      </div>
    </main>
  );
}
