/** Features of a conversation, as the stage shows them. */
import { useMessages } from '../../../shared/i18n/messages.js';
import { Pair } from '../../shared/divider.js';
import { LabelPair, type LabelText } from './label-pair.js';
import { JAPANESE_LABEL } from './samples.js';

export function TwoWay() {
  const t = useMessages('home');
  return (
    <div className="fc bare">
      <div className="m">
        <Pair
          source={{ text: 'Vocês fazem desconto para 500 peças?', lang: 'pt' }}
          crossed={{ text: t('discountAsked') }}
        />
      </div>
      <div className="m me">
        <Pair
          source={{ text: t('discountGiven') }}
          crossed={{ text: 'A partir de 500 peças, 8% a menos por unidade, com laudo de qualidade.', lang: 'pt' }}
        />
      </div>
    </div>
  );
}

export function ImageTranslation() {
  const t = useMessages('home');
  const crossed: LabelText = {
    title: t('label'),
    measures: t('labelMeasures'),
    rows: [
      [t('labelMaterial'), t('labelMaterialValue')],
      [t('labelOrigin'), t('labelOriginValue')],
      [t('labelCare'), t('labelCareValue')],
    ],
  };
  return <LabelPair source={JAPANESE_LABEL} crossed={crossed} />;
}

const TONES = [
  ['tone1', 'tone1Text'],
  ['tone2', 'tone2Text'],
  ['tone3', 'tone3Text'],
] as const;

export function AiReply() {
  const t = useMessages('home');
  return (
    <div className="fc">
      <div className="m wide">
        <Pair
          source={{ text: 'Die letzte Lieferung kam zehn Tage zu spät.', lang: 'de' }}
          crossed={{ text: t('lateDelivery') }}
        />
      </div>
      <ul className="ail">
        {TONES.map(([tone, text], index) => (
          <li key={tone} className={index === 0 ? 'on' : ''}>
            <b>{t(tone)}</b>
            {t(text)}
          </li>
        ))}
      </ul>
    </div>
  );
}
