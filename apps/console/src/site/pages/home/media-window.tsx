import { useMessages } from '../../../shared/i18n/messages.js';
import { Icon } from '../../../shared/ui/icon.js';
import { Pair } from '../../shared/divider.js';
import { LabelPair } from './label-pair.js';
import { Rail } from './rail.js';
import { CHINESE_LABEL, PORTUGUESE_LABEL } from './samples.js';
import { ThreadHead } from './thread-head.js';
import { Wave } from './wave.js';

const APPS = [['WA'], ['TG'], ['LN']] as const;
// A twelve-second voice message.
const WAVE = [
  10, 13, 20, 8, 4, 5, 9, 18, 11, 10, 3, 6, 15, 23, 11, 6, 3, 15, 18, 17, 19, 3, 5, 11, 13, 12, 10, 3, 5, 16, 20, 15, 9,
  3, 6, 13,
];
/** Voice is read, pictures are translated in place. */
export function MediaWindow() {
  const t = useMessages('home');
  const wave = (
    <span className="wave">
      <Wave bars={WAVE} height={24} />
      <span>0:12</span>
    </span>
  );
  return (
    <div className="win w2" aria-hidden="true">
      <Rail apps={APPS} open={1} />
      <div className="thr">
        <ThreadHead
          name="Camila Souza"
          place={t('place2')}
          theirs={{ lang: 'pt', name: 'Português' }}
          channel="Google"
        />
        <div className="msgs">
          <span className="day">{t('today2')}</span>
          <div className="m voice">
            <Pair source={{ text: wave }} crossed={{ text: t('voiceText') }} />
          </div>
          <div className="m me picture">
            <LabelPair source={CHINESE_LABEL} crossed={PORTUGUESE_LABEL} />
          </div>
        </div>
        <div className="comp">
          <div className="tools">
            <span>
              <Icon name="image" />
              {t('blocks')}
            </span>
            <i className="btn btn-p">{t('sendImage')}</i>
          </div>
        </div>
      </div>
    </div>
  );
}
