import type { RefSelectProps } from 'antd';
import { useEffect, useEffectEvent, useRef } from 'react';
import type { ApiError } from '../../../../shared/api/api-error.js';
import { language } from '../../../../shared/i18n/language.js';
import { useMessages } from '../../../../shared/i18n/messages.js';
import { useOnline } from '../../../../shared/ui/use-online.js';
import { Icon } from '../../../../shared/ui/icon.js';
import { AUTO } from '../abilities.js';
import type { AddToHistory } from '../history.js';
import { type FileDropHandle, usePreventDropNavigation } from '../media/file-drop.js';
import type { MediaAbilities } from '../media/media-abilities.js';
import { Cannot, MediaBars, MediaFrame } from '../media/media-frame.js';
import { MediaRefusal, MediaWaiting } from '../media/media-result.js';
import { type MediaChannels, type MediaForm, useMediaForm } from '../media/use-media-form.js';
import type { Catalogue } from '../use-catalogue.js';
import { TranslatedVoice } from './translated-voice.js';
import { Player } from './player.js';
import { isSendable, SourceVoice, Transcript } from './source-voice.js';
import { useSpeech } from './use-sound.js';
import { useVoice, type Voice } from './use-voice.js';
import './voice.css';

type VoiceWorkspaceProps = { form: MediaForm; abilities: MediaAbilities; addToHistory: AddToHistory; active: boolean };

/** Recording and transcript on the left (above on a phone), the translation on the right. */
function VoiceWorkspace({ form, abilities, addToHistory, active }: VoiceWorkspaceProps) {
  const t = useMessages('voice');
  const media = useMessages('media');
  const online = useOnline();
  const drop = useRef<FileDropHandle>(null);
  const sourceSelect = useRef<RefSelectProps>(null);
  const channelSelect = useRef<RefSelectProps>(null);
  const { maxSeconds, experimental, reason } = abilities.voice;
  const voice = useVoice({ form, addToHistory, maxSeconds });
  const { sound, transcript, transcription, translation, recording } = voice;
  const { direction, channel } = form;
  usePreventDropNavigation(active);
  // Recording stops when another tab opens.
  const leave = useEffectEvent(() => recording.stop());
  useEffect(() => {
    if (!active) leave();
  }, [active]);

  const done = translation.request.status === 'done' ? translation.request : null;
  const speech = useSpeech(done?.answer.speech ?? null, done?.input.target ?? '');
  const choose = (): void => drop.current?.choose();
  const steps = {
    onLanguage: () => sourceSelect.current?.focus(),
    onChannel: () => channelSelect.current?.focus(),
    onFile: choose,
  };
  const spoken = abilities.speech.includes(direction.target);

  return (
    <div className="tt-work md-work" data-panes="1">
      <MediaBars ref={sourceSelect} channelRef={channelSelect} form={form} targetLabel={t('target')} />
      <SourceVoice
        ref={drop}
        form={form}
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
        {transcription.request.status === 'busy' && (
          <MediaWaiting sent={transcription.request.sent} working={t('hearing')} onGiveUp={transcription.giveUp} />
        )}
        {transcription.request.status === 'refused' && (
          <Unheard voice={voice} error={transcription.request.error} others={form.others} steps={steps} />
        )}
        {transcript === null && transcription.request.status === 'none' && (
          <p className="tt-nothing">{t('transcriptPlaceholder')}</p>
        )}
        {transcript !== null && transcription.request.status !== 'busy' && (
          <Transcript
            text={transcript}
            lang={direction.source === AUTO ? undefined : direction.source}
            doubtful={voice.doubtful}
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
          aria-busy={translation.request.status === 'busy'}
        >
          {translation.request.status === 'none' && (
            <p className="tt-nothing">{t(spoken ? 'resultPlaceholder' : 'notSpoken')}</p>
          )}
          {translation.request.status === 'busy' && (
            <MediaWaiting sent={translation.request.sent} working={t('working')} onGiveUp={translation.giveUp} />
          )}
          {done && <TranslatedVoice input={done.input} answer={done.answer} seconds={done.seconds} speech={speech} />}
          {translation.request.status === 'refused' && (
            <MediaRefusal
              error={translation.request.error}
              kind="voice"
              others={form.others.length > 0}
              steps={{ ...steps, onRetry: voice.translate }}
            />
          )}
        </div>
      </div>
    </div>
  );
}

type UnheardProps = {
  voice: Voice;
  error: ApiError;
  others: MediaForm['others'];
  steps: { onLanguage: () => void; onChannel: () => void; onFile: () => void };
};

/** A refused transcript. One that is only unreliable can be corrected by hand. */
function Unheard({ voice, error, others, steps }: UnheardProps) {
  const t = useMessages('voice');
  const unclear = error.code === 'SPEECH_UNCLEAR';
  const vendors = others.filter(({ hears }) => hears).map(({ name }) => name);
  const heard = typeof error.data['transcript'] === 'string' ? error.data['transcript'] : '';
  return (
    <MediaRefusal
      error={error}
      kind="voice"
      others={unclear ? vendors.length > 0 : others.length > 0}
      steps={{ ...steps, onRetry: voice.transcribe, onTranscript: () => voice.correct(heard) }}
    >
      {unclear && heard !== '' && <p>{t('heard', { text: heard })}</p>}
      {unclear && vendors.length > 0 && <p>{t('vendors', { names: vendors.join(language === 'zh' ? '、' : ', ') })}</p>}
    </MediaRefusal>
  );
}

type VoiceTabProps = { catalogue: Catalogue; addToHistory: AddToHistory; active: boolean };

/** The voice tab. */
export function VoiceTab(props: VoiceTabProps) {
  return (
    <MediaFrame kind="voice" catalogue={props.catalogue}>
      {(able) => <Able {...props} {...able} />}
    </MediaFrame>
  );
}

type AbleProps = VoiceTabProps & { abilities: MediaAbilities; channels: MediaChannels };

function Able({ abilities, channels, catalogue, ...rest }: AbleProps) {
  const media = useMessages('media');
  const form = useMediaForm({ catalogue, channels, abilities, kind: 'voice' });
  if (form.nothing)
    return (
      <Cannot kind="voice" channels={channels}>
        {media('nothing')}
      </Cannot>
    );
  return <VoiceWorkspace form={form} abilities={abilities} {...rest} />;
}
