import { useMessages } from '../../../shared/i18n/messages.js';
import { useBrand } from '../../../shared/site/use-site-info.js';
import { RoundButton, useCarousel } from '../../shared/carousel.js';

const REASONS = [
  ['serviceHours', 'why1Title', 'why1Text'],
  ['99.9%', 'why2Title', 'why2Text'],
  ['200+', 'why3Title', 'why3Text'],
] as const;

/** Three spans of a bridge; the texts rotate left or right, and the middle one is highlighted. */
function Spans() {
  const t = useMessages('home');
  const shared = useMessages('shared');
  const { at, go, fade } = useCarousel({ count: REASONS.length, first: 1 });
  const round = [at + 2, at, at + 1].map((n) => n % REASONS.length);
  return (
    <div role="group" aria-roledescription={shared('carousel')} aria-label={t('whyLabel')}>
      <div className="home-spans">
        {round.map((reason, place) => {
          const [figure = '', title = 'why1Title', text = 'why1Text'] = REASONS[reason] ?? [];
          return (
            <article key={`${title} ${place}`} className={`home-span ${fade} ${place === 1 ? 'active' : ''}`}>
              <span className="home-span-figure">{figure === 'serviceHours' ? t(figure) : figure}</span>
              <h3>{t(title)}</h3>
              <p>{t(text)}</p>
              {title === 'why2Title' && place === 1 && <a href="/status">{t('why2Measured')}</a>}
            </article>
          );
        })}
      </div>
      <div className="home-reflection">
        <i />
        <i />
        <i />
        <div className="home-controls">
          <RoundButton icon="back" label={t('turnLeft')} onPress={() => go(at - 1)} />
          <span className="numeric" role="status">
            <span className="visually-hidden">{t(REASONS[at]?.[1] ?? 'why1Title')}</span> {at + 1} / {REASONS.length}
          </span>
          <RoundButton icon="forward" label={t('turnRight')} onPress={() => go(at + 1)} />
        </div>
      </div>
    </div>
  );
}

export function Why() {
  const t = useMessages('home');
  const brand = useBrand();
  return (
    <section className="home-why">
      <div className="page-width">
        <div className="home-section-head">
          <h2>
            {t('whyTitle')}
            <br />
            {t('whySecondTitle', { brand })}
          </h2>
          <p>{t('whyLead')}</p>
        </div>
        <Spans />
      </div>
    </section>
  );
}
