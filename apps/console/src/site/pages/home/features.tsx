import { FEATURES_AUTOPLAY_MS } from '@yiqiao/domain/limits';
import { useId } from 'react';
import { useMessages } from '../../../shared/i18n/messages.js';
import { PauseButton, StepButtons, useCarousel } from '../../shared/carousel.js';
import { Pair } from '../../shared/divider.js';
import { LabelPair, type LabelText } from './illustrations.js';
import { ASKED_IN_JAPANESE, JAPANESE_LABEL, SPANISH } from './samples.js';

function TwoWay() {
  const t = useMessages('home');
  return (
    <div className="home-card home-thread">
      <div className="home-card-head">
        <b className="home-card-title">Rafael Souza</b>
        <span className="faint">{t('place2')}</span>
      </div>
      <div className="home-message">
        <Pair
          source={{ text: 'Vocês fazem desconto para 500 peças?', lang: 'pt' }}
          translation={{ text: t('discountAsked') }}
        />
      </div>
      <div className="home-message outgoing">
        <Pair
          source={{ text: t('discountGiven') }}
          translation={{ text: 'A partir de 500 peças, 8% a menos por unidade, com laudo de qualidade.', lang: 'pt' }}
        />
      </div>
      <div className="home-message">
        <Pair
          source={{ text: 'Fechado, 500 peças. Quando embarca?', lang: 'pt' }}
          translation={{ text: t('discountTaken') }}
        />
      </div>
      <div className="home-thread-draft">
        <Pair
          source={{ text: t('shipmentDraft') }}
          translation={{ text: 'Embarcamos 12 dias após o sinal', lang: 'pt' }}
        />
        <i className="button button-primary button-small">{t('send')}</i>
      </div>
    </div>
  );
}

function ImageTranslation() {
  const t = useMessages('home');
  const translation: LabelText = {
    title: t('label'),
    measures: t('labelMeasures'),
    rows: [
      [t('labelMaterial'), t('labelMaterialValue')],
      [t('labelOrigin'), t('labelOriginValue')],
      [t('labelCare'), t('labelCareValue')],
    ],
  };
  return <LabelPair source={JAPANESE_LABEL} translation={translation} />;
}

const TONES = [
  ['tone1', 'tone1Text'],
  ['tone2', 'tone2Text'],
  ['tone3', 'tone3Text'],
] as const;

function AiReply() {
  const t = useMessages('home');
  return (
    <div className="home-card">
      <div className="home-message wide">
        <Pair
          source={{ text: 'Die letzte Lieferung kam zehn Tage zu spät.', lang: 'de' }}
          translation={{ text: t('lateDelivery') }}
        />
      </div>
      <ul className="home-tones">
        {TONES.map(([tone, text], index) => (
          <li key={tone} className={index === 0 ? 'active' : ''}>
            <b>{t(tone)}</b>
            {t(text)}
          </li>
        ))}
      </ul>
    </div>
  );
}

const REPLIES = [
  ['/fh', 'reply1', 'Enviado, le paso la guía en breve'],
  ['/yp', 'reply2', 'Las muestras salen en 3 días'],
  ['/fk', 'reply3', '30% de anticipo, saldo antes del envío'],
] as const;

function QuickReplies() {
  const t = useMessages('home');
  return (
    <div className="home-card">
      <b className="home-card-title">{t('quickReply')}</b>
      <ul className="home-replies">
        {REPLIES.map(([short, reply, translation]) => (
          <li key={short}>
            <kbd>{short}</kbd>
            <span>
              {t(reply)}
              <em lang="es">{translation}</em>
            </span>
          </li>
        ))}
      </ul>
      <div className="home-mass-send">
        <span>{t('massTo')}</span>
        <i className="button button-primary button-small">{t('massSend')}</i>
      </div>
    </div>
  );
}

const CUSTOMER = 'Mariana López';

function CustomerCard() {
  const t = useMessages('home');
  const facts = [
    [
      'cardLanguage',
      <span key="es" lang={SPANISH.lang}>
        {SPANISH.name}
      </span>,
    ],
    ['cardChannel', 'DeepL'],
    ['cardOwner', t('cardOwnerValue')],
    ['cardNote', t('cardNoteValue')],
  ] as const;
  return (
    <div className="home-card">
      <div className="home-card-head">
        <b className="home-card-title">{CUSTOMER}</b>
        <span className="faint">{t('cardPlace')}</span>
      </div>
      <div className="home-tags">
        <span className="badge transfer">{t('tag1')}</span>
        <span className="badge increase">{t('tag2')}</span>
        <span className="badge">{t('tag3')}</span>
      </div>
      <dl className="home-card-list">
        {facts.map(([name, value]) => (
          <div key={name}>
            <dt>{t(name)}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </div>
  );
}

const ASKED = <span lang="ja">{ASKED_IN_JAPANESE}</span>;

function DisplaySettings() {
  const t = useMessages('home');
  const ways = [
    ['displayBoth', <Pair key="both" source={{ text: ASKED }} translation={{ text: t('delivery') }} />],
    ['displayTranslation', t('delivery')],
    ['displaySource', ASKED],
  ] as const;
  return (
    <div className="home-display">
      {ways.map(([name, message], index) => (
        <figure key={name} className={index === 0 ? 'active' : ''}>
          <div className="home-message wide">{message}</div>
          <figcaption>
            <span className="radio-dot" />
            {t(name)}
          </figcaption>
        </figure>
      ))}
    </div>
  );
}

/** In the order of a seller's working day (specification §1). */
const FEATURES = [
  { name: 'feature1', text: 'feature1Text', Stage: TwoWay },
  { name: 'feature2', text: 'feature2Text', Stage: ImageTranslation },
  { name: 'feature3', text: 'feature3Text', Stage: QuickReplies },
  { name: 'feature4', text: 'feature4Text', Stage: AiReply },
  { name: 'feature5', text: 'feature5Text', Stage: CustomerCard },
  { name: 'feature6', text: 'feature6Text', Stage: DisplaySettings },
] as const;

/** The feature carousel (specification §2, §9): tabs at the left, stage at the right; three seconds per slide. */
function Slider() {
  const t = useMessages('home');
  const shared = useMessages('shared');
  const id = useId();
  const carousel = useCarousel({ count: FEATURES.length, everyMs: FEATURES_AUTOPLAY_MS, query: 'feat' });
  const { at, attend, tab, onTabKey, panel, fade } = carousel;
  const { Stage, name: current } = FEATURES[at] ?? FEATURES[0];
  return (
    <div
      className="home-features"
      role="group"
      aria-roledescription={shared('carousel')}
      aria-label={t('featuresLabel')}
      {...attend}
    >
      <div
        className="home-feature-tabs"
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
      <div className="home-stage">
        {/* Labelled by the title alone: the tab also contains the sentence. */}
        <div className="home-slide" {...panel} aria-labelledby={`${id}-${current}`}>
          <div className={fade} key={at}>
            <Stage />
          </div>
        </div>
        <div className="home-controls">
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
    <section className="home-section">
      <div className="page-width">
        <div className="home-section-head">
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
