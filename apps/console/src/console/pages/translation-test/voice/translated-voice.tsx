import { Button } from 'antd';
import { Link } from 'react-router';
import { save } from '../../../shared/api/download.js';
import { secondsText } from '../../../shared/channels/health.js';
import { copyText } from '../../../../shared/clipboard.js';
import { useMessages } from '../../../../shared/i18n/messages.js';
import { Icon } from '../../../../shared/ui/icon.js';
import { unitsText } from '../media/media-text.js';
import { Player } from './player.js';
import type { Sound } from './sound.js';
import type { VoiceRequest, VoiceAnswer } from './use-voice.js';

type TranslatedVoiceProps = { input: VoiceRequest; answer: VoiceAnswer; seconds: number; speech: Sound | null };

/** The translation as text and speech, its cost, and a link to its log entry. */
export function TranslatedVoice({ input, answer, seconds, speech }: TranslatedVoiceProps) {
  const t = useMessages('voice');
  const media = useMessages('media');
  return (
    <>
      {speech && <Player key={speech.url} sound={speech} names={{ play: t('playSpeech'), seek: t('seekSpeech') }} />}
      <div className="tt-result">
        <p className="tt-translated" lang={input.target} dir="auto" data-testid="translated">
          {answer.translated}
        </p>
        {answer.speech === null && (
          <p className="tt-warning">
            <Icon name="info" />
            <span>{t('noSpeech')}</span>
          </p>
        )}
      </div>
      <div className="tt-foot">
        <span className="numeric" data-testid="charged">
          {media('charged', { s: secondsText(seconds * 1_000), units: unitsText('voice', answer.charged, media) })}
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
          <Button size="small" onClick={({ currentTarget }) => void copyText(answer.translated, currentTarget)}>
            <Icon name="copy" />
            {media('copyResult')}
          </Button>
        </span>
      </div>
    </>
  );
}
