import { use } from 'react';
import { language } from '../../../shared/i18n/language.js';
import { useMessages } from '../../../shared/i18n/messages.js';
import { SiteDataContext } from '../../../shared/site/site-data.js';
import { Divider } from '../../shared/divider.js';
import { useFreeTest } from '../../shared/free-test.js';
import { Features } from './features.js';
import { Hero } from './hero.js';
import { Panels } from './panels.js';
import { Try } from './try/try.js';
import { Why } from './why.js';
import './home.css';

/** The product's idea in one sentence and its translation. */
function Statement() {
  const t = useMessages('home');
  return (
    <section className="home-section">
      <div className="page-width home-statement">
        <p className="display">
          {t('statement1')}
          {language === 'en' && ' '}
          <br />
          {t('statement2')}
          <span lang={language === 'zh' ? 'en' : 'zh'}>{t('statementOther')}</span>
        </p>
        <div>
          <p className="muted">{t('statementWhy')}</p>
          <a className="button button-primary button-large" href={useFreeTest()}>
            {t('freeTest')}
          </a>
        </div>
      </div>
    </section>
  );
}

/** Width of the drawing; the bridge extends beyond both sides up to the width of very wide screens. */
const WIDTH = 1240;
const SPAN = WIDTH / 5;
const OVERHANG = 680;

/** Height of the deck at `x`: a very flat arc, 4 at the middle and 34 at the ends. */
const deckAt = (x: number): number => 4 + 30 * ((x - WIDTH / 2) / (WIDTH / 2)) ** 2;

const every = (step: number, from: number, to: number): number[] =>
  Array.from({ length: Math.floor((to - from) / step) + 1 }, (_, index) => from + index * step);

const deck = (above: number): string =>
  every(40, -OVERHANG, WIDTH + OVERHANG)
    .map((x) => `${x} ${(deckAt(x) - above).toFixed(1)}`)
    .join(' ');
const posts = (step: number, height: number, from: number, to: number): string =>
  every(step, from, to)
    .map((x) => `M${x} ${deckAt(x).toFixed(1)}v${-height}`)
    .join('');

const RISES = [126.8, 141.2, 146, 141.2, 126.8];
const arch = (rise: number, index: number): string =>
  `M${index * SPAN + 9} 196V170A115 ${rise} 0 0 1 ${(index + 1) * SPAN - 9} 170V196`;

function Deck() {
  return (
    <svg className="home-deck" viewBox="0 0 1240 196" preserveAspectRatio="none" fill="none" aria-hidden="true">
      <g stroke="var(--c-line-strong)" strokeWidth="1">
        <path d={posts(13, 13, -676, WIDTH + OVERHANG - 9)} opacity=".75" />
        <polyline points={deck(13)} />
      </g>
      <g stroke="var(--c-text)" strokeWidth="1.25">
        <polyline points={deck(0)} />
        <path d={posts(SPAN, 18, 0, WIDTH)} strokeWidth="2.5" />
      </g>
      <g stroke="var(--c-accent)" strokeWidth="1.25">
        {RISES.map((rise, index) => (
          <path key={index} d={arch(rise, index)} />
        ))}
      </g>
    </svg>
  );
}

/** The five achievements (specification §2), one under each arch. */
function Achievements() {
  const t = useMessages('home');
  const figures: readonly (readonly [number: string, unit: string, label: string, to?: string])[] = [
    ['200', '+', t('companies')],
    [t('usersNumber'), t('usersUnit'), t('users')],
    ['180', '+', t('industries')],
    [t('serviceHours'), '', t('service')],
    // A target, not a measurement: the status page says so and shows what is measured.
    ['99.9', '%', t('accuracy'), '/status'],
  ];
  return (
    <div className="home-achievements">
      <Deck />
      <ul>
        {figures.map(([number, unit, label, to]) => (
          <li key={label}>
            <span className="home-figure">
              {number}
              {unit && <small>{unit}</small>}
            </span>
            <span className="home-figure-label">
              {to ? (
                <a className="link" href={to}>
                  {label}
                </a>
              ) : (
                label
              )}
            </span>
          </li>
        ))}
      </ul>
    </div>
  );
}

/** The home page: shows the product itself (DESIGN §1). */
export default function HomePage() {
  const { noTry } = use(SiteDataContext);
  return (
    <>
      <section className="home-hero">
        <div className="page-width">
          <Hero />
          <Achievements />
        </div>
        <Divider />
      </section>
      {!noTry && <Try />}
      <Features />
      <Panels />
      <Why />
      <Statement />
    </>
  );
}
