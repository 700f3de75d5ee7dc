import { HERO_AUTOPLAY_MS } from '@yiqiao/domain/limits';
import { language } from '../../../shared/i18n/language.js';
import { useMessages } from '../../../shared/i18n/messages.js';
import { useBrand } from '../../../shared/site/use-site-info.js';
import { PauseButton, useCarousel } from '../../shared/carousel.js';
import { useFreeTest } from '../../shared/free-test.js';
import { useInvited } from '../../shared/invite.js';
import { AppsWindow, ChatWindow, MediaWindow } from './product-windows.js';

function HeroText() {
  const t = useMessages('home');
  const brand = useBrand();
  const invited = useInvited();
  return (
    <>
      <h1>
        {t('headline1')}
        {language === 'en' && ' '}
        <br />
        {t('headline2')}
      </h1>
      <p className="home-lead">{t('lead', { brand })}</p>
      <div className="home-actions">
        <a className="button button-primary button-large" href={useFreeTest()}>
          {t('freeTest')}
        </a>
        <a className="button button-default button-large" href={invited('/price')}>
          {t('seePrice')}
        </a>
      </div>
      <p>{t('note')}</p>
    </>
  );
}

const SLIDES = [
  { name: 'slideChat', label: 'chatLabel', Window: ChatWindow },
  { name: 'slideApps', label: 'appsLabel', Window: AppsWindow },
  { name: 'slideMedia', label: 'mediaLabel', Window: MediaWindow },
] as const;

/** Three views of the product beside a fixed headline; the labels below it are the pager (DESIGN §3). */
export function Hero() {
  const t = useMessages('home');
  const carousel = useCarousel({ count: SLIDES.length, everyMs: HERO_AUTOPLAY_MS, query: 'hero' });
  const { at, attend, tab, onTabKey, panel, fade } = carousel;
  const { Window, label } = SLIDES[at] ?? SLIDES[0];
  return (
    <div className="home-hero-grid" {...attend}>
      <div>
        <HeroText />
        <div className="home-slides-nav">
          <div role="tablist" aria-label={t('heroLabel')} onKeyDown={onTabKey}>
            {SLIDES.map(({ name }, index) => (
              <button key={name} {...tab(index)}>
                {t(name)}
              </button>
            ))}
          </div>
          <PauseButton carousel={carousel} />
        </div>
      </div>
      <div className="home-hero-view" {...panel}>
        {/* One sentence as text alternative. */}
        <div className={fade} key={at} role="img" aria-label={t(label)}>
          <Window />
        </div>
      </div>
    </div>
  );
}
