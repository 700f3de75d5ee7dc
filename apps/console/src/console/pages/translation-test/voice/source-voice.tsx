import { VOICE_BYTES } from '@yiqiao/domain/limits';
import { Button } from 'antd';
import { useRef, type ReactNode, type Ref } from 'react';
import { useTexts } from '../../../../shared/i18n/texts.js';
import { sizeText } from '../../../../shared/logs/size-text.js';
import { Icon } from '../../../../shared/ui/icon.js';
import { FileDrop, type FileDropHandle } from '../media/file-drop.js';
import { QuotaLine } from '../media/quota-line.js';
import { useFocusKept } from '../media/use-focus-kept.js';
import type { MediaDesk } from '../media/use-media-desk.js';
import { NoRecordingYet, Recording } from './record-pane.js';
import { isSendable } from './transcript.js';
import type { Voice } from './use-voice.js';

type SourceVoiceProps = {
  desk: MediaDesk;
  voice: Voice;
  maxSeconds: number;
  onChoose: () => void;
  /** The recording and its transcript, once there is a recording. */
  children: ReactNode;
  /** What there is to know of recognition here. */
  known: ReactNode;
  ref: Ref<FileDropHandle>;
};

/** The recording above the waterline: spoken or brought, heard again, transcribed and set right before it is translated. */
export function SourceVoice({ desk, voice, maxSeconds, onChoose, children, known, ref }: SourceVoiceProps) {
  const t = useTexts('voice');
  const { sound, problem, recording, busy } = voice;
  const { recorder, start, stop, cancel } = recording;
  const live = recorder.status === 'recording';
  return (
    <FileDrop
      ref={ref}
      className="tt-pane tt-source"
      accept="audio/*,.wav,.mp3,.m4a,.ogg,.oga,.opus,.webm,.flac"
      disabled={busy || recorder.status !== 'idle'}
      onFile={voice.take}
    >
      {live && <Recording recorder={recorder} maxSeconds={maxSeconds} onStop={stop} onCancel={cancel} />}
      {!live && sound === null && (
        <NoRecordingYet recorder={recorder} maxSeconds={maxSeconds} onRecord={start} onChoose={onChoose} />
      )}
      {!live && sound !== null && children}
      {!live && problem !== null && (
        <p className="md-problem" role="alert">
          <Icon name="alert" />
          {t(problem, { size: sizeText(VOICE_BYTES), n: maxSeconds })}
        </p>
      )}
      {known}
      {!live && <Foot desk={desk} voice={voice} onChoose={onChoose} />}
    </FileDrop>
  );
}

type FootProps = Pick<SourceVoiceProps, 'desk' | 'voice' | 'onChoose'>;

/** What the recording is and costs, another one, and the next step with it. */
function Foot({ desk, voice, onChoose }: FootProps) {
  const t = useTexts('voice');
  const media = useTexts('media');
  const button = useRef<HTMLButtonElement>(null);
  const { sound, transcript, busy, cost, hearing, crossing, recording } = voice;
  useFocusKept(button, `${sound?.url} ${hearing.errand.status} ${crossing.errand.status}`);
  const step = transcript === null ? 'transcribe' : 'translate';
  const hearingNow = hearing.errand.status === 'busy';
  const label = step === 'transcribe' ? t(hearingNow ? 'transcribing' : 'transcribe') : null;
  return (
    <div className="tt-foot">
      {sound !== null && sound.name !== null && <span className="md-name">{sound.name}</span>}
      {sound !== null && !busy && (
        <>
          <button type="button" className="tt-clear" onClick={recording.start}>
            {t('again')}
          </button>
          <button type="button" className="tt-clear" onClick={onChoose}>
            {t('change')}
          </button>
          {transcript !== null && (
            <button type="button" className="tt-clear" onClick={voice.transcribe}>
              {t('transcribeAgain')}
            </button>
          )}
        </>
      )}
      <span className="tt-send">
        <QuotaLine desk={desk} cost={cost} />
        {sound !== null && (
          <Button
            ref={button}
            type="primary"
            loading={busy}
            disabled={transcript !== null && !isSendable(transcript)}
            onClick={voice[step]}
          >
            {label ?? media(busy ? 'translating' : 'translate')}
          </Button>
        )}
      </span>
    </div>
  );
}
