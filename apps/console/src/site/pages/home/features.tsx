import { FEATURES_AUTOPLAY_MS } from '@yiqiao/domain/limits';
import { useId } from 'react';
import { useMessages } from '../../../shared/i18n/messages.js';
import { PauseButton, StepButtons, useCarousel } from '../../shared/carousel.js';
import { CustomerCard, DisplaySettings, QuickReplies } from './feature-desk.js';
import { AiReply, ImageTranslation, TwoWay } from './feature-talk.js';

/** In the order of a seller's day (specification §1). */
const FEATURES = [
  { name: 'feature1', text: 'feature1Text', Stage: TwoWay },
  { name: 'feature2', text: 'feature2Text', Stage: ImageTranslation },
  { name: 'feature3', text: 'feature3Text', Stage: QuickReplies },
  { name: 'feature4', text: 'feature4Text', Stage: AiReply },
  { name: 'feature5', text: 'feature5Text', Stage: CustomerCard },
  { name: 'feature6', text: 'feature6Text', Stage: DisplaySettings },
] as const;

/** The features slider (specification §2, §9): index at the left, stage at the right; three seconds each, round and round. */
function Slider() {
  const t = useMessages('home');
  const shared = useMessages('shared');
  const id = useId();
  const carousel = useCarousel({ count: FEATURES.length, everyMs: FEATURES_AUTOPLAY_MS, query: 'feat' });
  const { at, attend, tab, onTabKey, panel, fade } = carousel;
  const { Stage, name: current } = FEATURES[at] ?? FEATURES[0];
  return (
    <div
      className="fs"
      role="group"
      aria-roledescription={shared('carousel')}
      aria-label={t('featuresLabel')}
      {...attend}
    >
      <div
        className="fi"
        role="tablist"
        aria-orientation="vertical"
        aria-label={t('featuresLabel')}
        onKeyDown={onTabKey}
      >
        {FEATURES.map(({ name, text }, index) => (
          <button key={name} {...tab(index)}>
            <b id={`${id}-${name}`}>{t(name)}</b>
            <span>{t(text)}</span>
          </button>
        ))}
      </div>
      <div className="stage">
        {/* Its title is enough of a name: the tab says the sentence, too. */}
        <div className="sl" {...panel} aria-labelledby={`${id}-${current}`}>
          <div className={fade} key={at}>
            <Stage />
          </div>
        </div>
        <div className="ctl">
          <PauseButton carousel={carousel} />
          <StepButtons carousel={carousel} />
        </div>
      </div>
    </div>
  );
}

export function Features() {
  const t = useMessages('home');
  return (
    <section className="sec">
      <div className="wrap">
        <div className="sh">
          <h2>
            {t('featuresTitle')}
            <br />
            {t('featuresSecondTitle')}
          </h2>
          <p>{t('featuresLead')}</p>
        </div>
        <Slider />
      </div>
    </section>
  );
}
