import { Button } from 'antd';
import { Link } from 'react-router';
import { save } from '../../../../shared/api/download.js';
import { secondsText } from '../../../../shared/channels/health.js';
import { copyText } from '../../../../shared/clipboard.js';
import { useTexts } from '../../../../shared/i18n/texts.js';
import { Icon } from '../../../../shared/ui/icon.js';
import { unitsText } from '../media/units-text.js';
import { Player } from './player.js';
import type { Sound } from './sound.js';
import type { AskedVoice, Crossed } from './translate-recording.js';

type CrossedVoiceProps = { asked: AskedVoice; crossed: Crossed; seconds: number; speech: Sound | null };

/** What has crossed, to read and to hear, what it cost, and where that is written down. */
export function CrossedVoice({ asked, crossed, seconds, speech }: CrossedVoiceProps) {
  const t = useTexts('voice');
  const media = useTexts('media');
  return (
    <>
      {speech && <Player key={speech.url} sound={speech} names={{ play: t('playSpeech'), seek: t('seekSpeech') }} />}
      <div className="tt-result">
        <p className="tt-crossed" lang={asked.target} dir="auto" data-testid="crossed">
          {crossed.translated}
        </p>
        {crossed.speech === null && (
          <p className="tt-warning">
            <Icon name="info" />
            <span>{t('noSpeech')}</span>
          </p>
        )}
      </div>
      <div className="tt-foot">
        <span className="num" data-testid="charged">
          {media('charged', { s: secondsText(seconds * 1_000), units: unitsText('voice', crossed.charged, media) })}
        </span>
        <Link className="link" to="/UserCenterAccountLog">
          {media('seeLedger')}
        </Link>
        <span className="md-tools">
          {speech && (
            <Button size="small" onClick={() => save({ name: speech.name ?? 'speech', content: speech.file })}>
              <Icon name="download" />
              {t('download')}
            </Button>
          )}
          <Button size="small" onClick={({ currentTarget }) => void copyText(crossed.translated, currentTarget)}>
            <Icon name="copy" />
            {media('copyResult')}
          </Button>
        </span>
      </div>
    </>
  );
}
