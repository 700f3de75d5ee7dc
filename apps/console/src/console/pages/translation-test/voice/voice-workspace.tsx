import type { RefSelectProps } from 'antd';
import { useEffect, useEffectEvent, useRef } from 'react';
import { useTexts } from '../../../../shared/i18n/texts.js';
import { Icon } from '../../../../shared/ui/icon.js';
import { AUTO } from '../abilities.js';
import type { FileDropHandle } from '../media/file-drop.js';
import type { MediaAbilities } from '../media/media-abilities.js';
import { MediaBars } from '../media/media-bars.js';
import { MediaRefusalPane } from '../media/media-refusal-pane.js';
import { MediaWaiting } from '../media/media-waiting.js';
import type { MediaDesk } from '../media/use-media-desk.js';
import { useNoStrayDrop } from '../media/use-no-stray-drop.js';
import { useOnline } from '../../../../shared/online.js';
import type { Note } from '../visits.js';
import { CrossedVoice } from './crossed-voice.js';
import { Player } from './player.js';
import { SourceVoice } from './source-voice.js';
import { isSendable, Transcript } from './transcript.js';
import { useSpeech } from './use-speech.js';
import { useVoice } from './use-voice.js';

type VoiceWorkspaceProps = { desk: MediaDesk; abilities: MediaAbilities; note: Note; active: boolean };

/** What is said, across the waterline: recording and transcript left (above on a phone), what has crossed right of it. */
export function VoiceWorkspace({ desk, abilities, note, active }: VoiceWorkspaceProps) {
  const t = useTexts('voice');
  const media = useTexts('media');
  const online = useOnline();
  const drop = useRef<FileDropHandle>(null);
  const sourceSelect = useRef<RefSelectProps>(null);
  const { maxSeconds, experimental, reason } = abilities.voice;
  const voice = useVoice({ desk, note, maxSeconds });
  const { sound, transcript, hearing, crossing, recording } = voice;
  const { direction, channel, payer } = desk;
  useNoStrayDrop(active);
  // Nobody goes on being recorded behind another tab.
  const leave = useEffectEvent(() => recording.stop());
  useEffect(() => {
    if (!active) leave();
  }, [active]);

  const done = crossing.errand.status === 'done' ? crossing.errand : null;
  const speech = useSpeech(done?.answer.speech ?? null, done?.asked.target ?? '');
  const choose = (): void => drop.current?.choose();
  const steps = { onLanguage: () => sourceSelect.current?.focus(), onFile: choose };
  const spoken = abilities.speech.includes(direction.target);

  return (
    <div className="tt-work md-work" data-panes="1">
      <MediaBars ref={sourceSelect} desk={desk} targetLabel={t('target')} />
      <SourceVoice
        ref={drop}
        desk={desk}
        voice={voice}
        maxSeconds={maxSeconds}
        onChoose={choose}
        known={
          <>
            {transcript === null && (experimental || reason !== null) && (
              <p className="md-known">
                <Icon name="info" />
                <span>{reason ?? t('experimental')}</span>
              </p>
            )}
            {!online && (
              <p className="tt-offline" role="status">
                {media('offline')}
              </p>
            )}
          </>
        }
      >
        {sound && (
          <Player key={sound.url} sound={sound} names={{ play: t('playRecording'), seek: t('seekRecording') }} />
        )}
        {hearing.errand.status === 'busy' && (
          <MediaWaiting sent={hearing.errand.sent} working={t('hearing')} onGiveUp={hearing.giveUp} />
        )}
        {hearing.errand.status === 'refused' && (
          <MediaRefusalPane
            error={hearing.errand.error}
            kind="voice"
            main={payer.own.main}
            steps={{ ...steps, onRetry: voice.transcribe }}
          />
        )}
        {transcript === null && hearing.errand.status === 'none' && (
          <p className="tt-nothing">{t('transcriptPlaceholder')}</p>
        )}
        {transcript !== null && hearing.errand.status !== 'busy' && (
          <Transcript
            text={transcript}
            lang={direction.source === AUTO ? undefined : direction.source}
            onChange={voice.setTranscript}
            onSend={() => !voice.busy && isSendable(transcript) && voice.translate()}
          />
        )}
      </SourceVoice>
      <div className="tt-targets">
        <div
          className="tt-pane tt-target"
          role="group"
          aria-label={channel.name}
          aria-live="polite"
          aria-busy={crossing.errand.status === 'busy'}
        >
          {crossing.errand.status === 'none' && (
            <p className="tt-nothing">{t(spoken ? 'resultPlaceholder' : 'notSpoken')}</p>
          )}
          {crossing.errand.status === 'busy' && (
            <MediaWaiting sent={crossing.errand.sent} working={t('working')} onGiveUp={crossing.giveUp} />
          )}
          {done && <CrossedVoice asked={done.asked} crossed={done.answer} seconds={done.seconds} speech={speech} />}
          {crossing.errand.status === 'refused' && (
            <MediaRefusalPane
              error={crossing.errand.error}
              kind="voice"
              main={payer.own.main}
              steps={{ ...steps, onRetry: voice.translate }}
            />
          )}
        </div>
      </div>
    </div>
  );
}
