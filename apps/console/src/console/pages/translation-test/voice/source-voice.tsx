import { TEXT_MAX_CODE_POINTS, VOICE_BYTES } from '@yiqiao/domain/limits';
import { codePoints, hasVisible } from '@yiqiao/domain/members';
import { Button, Input } from 'antd';
import { type ReactNode, type Ref, useRef } from 'react';
import { useMessages } from '../../../../shared/i18n/messages.js';
import { grouped } from '../../../../shared/amounts.js';
import { sizeText } from '../../../shared/logs/size-text.js';
import { Icon } from '../../../../shared/ui/icon.js';
import { FileDrop, type FileDropHandle, useRestoreFocus } from '../media/file-drop.js';
import { QuotaLine } from '../media/media-result.js';
import { clockText } from '../media/media-text.js';
import type { MediaForm } from '../media/use-media-form.js';
import type { Recorder } from './recorder.js';
import type { Voice } from './use-voice.js';
import { Waveform } from './player.js';

type RecordingProps = {
  recorder: Extract<Recorder, { status: 'recording' }>;
  maxSeconds: number;
  onStop: () => void;
  onCancel: () => void;
};

/** A recording in progress: level, length, and the buttons that stop or discard it. */
function Recording({ recorder: { levels, seconds }, maxSeconds, onStop, onCancel }: RecordingProps) {
  const t = useMessages('voice');
  return (
    <div className="vo-live">
      <div className="vo-rec">
        <button type="button" className="vo-button vo-stop" aria-label={t('stop')} autoFocus onClick={onStop}>
          <Icon name="stop" />
        </button>
        <span className="vo-track">
          <Waveform peaks={levels} />
        </span>
        <span className="numeric vo-time">
          {clockText(seconds)} / {clockText(maxSeconds)}
        </span>
      </div>
      <p>
        <span role="status">{t('recording')}</span>
        <button type="button" className="tt-clear" onClick={onCancel}>
          {t('discard')}
        </button>
      </p>
    </div>
  );
}

type NoRecordingYetProps = {
  recorder: Exclude<Recorder, { status: 'recording' }>;
  maxSeconds: number;
  onRecord: () => void;
  onChoose: () => void;
};

/** No recording yet: record or choose a file, or why there is no microphone. */
function NoRecordingYet({ recorder, maxSeconds, onRecord, onChoose }: NoRecordingYetProps) {
  const t = useMessages('voice');
  const asking = recorder.status === 'asking';
  const problem = recorder.status === 'idle' ? recorder.problem : null;
  return (
    <div className="md-empty">
      <button
        type="button"
        className="vo-record"
        aria-label={t('record')}
        aria-busy={asking}
        disabled={asking || problem === 'insecure'}
        onClick={onRecord}
      >
        <Icon name="mic" />
      </button>
      {problem === null ? (
        <p role="status">{t(asking ? 'asking' : 'recordNote', { n: maxSeconds })}</p>
      ) : (
        <p className="md-problem" role="alert">
          <Icon name="alert" />
          {t(problem)}
        </p>
      )}
      <Button className="md-choose" onClick={onChoose}>
        <Icon name="upload" />
        {t('choose')}
      </Button>
      <small>{t('limits', { size: sizeText(VOICE_BYTES), n: maxSeconds })}</small>
    </div>
  );
}

/** Whether the transcript can be sent; the server checks everything else. */
export const isSendable = (transcript: string): boolean =>
  hasVisible(transcript) && codePoints(transcript) <= TEXT_MAX_CODE_POINTS;

type TranscriptProps = {
  text: string;
  lang: string | undefined;
  doubtful: boolean;
  onChange: (text: string) => void;
  onSend: () => void;
};

/** The transcript, to be corrected before it is translated. */
export function Transcript({ text, lang, doubtful, onChange, onSend }: TranscriptProps) {
  const t = useMessages('voice');
  const over = codePoints(text) - TEXT_MAX_CODE_POINTS;
  const blank = !hasVisible(text);
  return (
    <>
      <Input.TextArea
        className="tt-text"
        variant="borderless"
        aria-label={t('transcript')}
        aria-describedby="vo-check"
        aria-invalid={over > 0}
        value={text}
        lang={lang}
        dir="auto"
        autoSize={{ minRows: 3, maxRows: 12 }}
        onChange={(event) => onChange(event.target.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey) || event.nativeEvent.isComposing) return;
          event.preventDefault();
          onSend();
        }}
      />
      <p id="vo-check" className={over > 0 || blank ? 'tt-warning tt-over' : 'tt-warning'}>
        {over > 0 ? t('tooMuchText', { n: grouped(over) }) : t(blank ? 'noText' : doubtful ? 'doubtful' : 'check')}
      </p>
    </>
  );
}

type SourceVoiceProps = {
  form: MediaForm;
  voice: Voice;
  maxSeconds: number;
  onChoose: () => void;
  /** The recording and its transcript, once there is a recording. */
  children: ReactNode;
  /** Notes on speech recognition with this channel. */
  known: ReactNode;
  ref: Ref<FileDropHandle>;
};

/** The source: a recording from the microphone or a file, transcribed and corrected before it is translated. */
export function SourceVoice({ form, voice, maxSeconds, onChoose, children, known, ref }: SourceVoiceProps) {
  const t = useMessages('voice');
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
      {!live && <Foot form={form} voice={voice} onChoose={onChoose} />}
    </FileDrop>
  );
}

type FootProps = Pick<SourceVoiceProps, 'form' | 'voice' | 'onChoose'>;

/** The file, its cost, the buttons that replace it, and the next step. */
function Foot({ form, voice, onChoose }: FootProps) {
  const t = useMessages('voice');
  const media = useMessages('media');
  const button = useRef<HTMLButtonElement>(null);
  const { sound, transcript, busy, cost, transcription, translation, recording } = voice;
  useRestoreFocus(button, `${sound?.url} ${transcription.request.status} ${translation.request.status}`);
  const step = transcript === null ? 'transcribe' : 'translate';
  const transcribing = transcription.request.status === 'busy';
  const label = step === 'transcribe' ? t(transcribing ? 'transcribing' : 'transcribe') : null;
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
        <QuotaLine form={form} cost={cost} />
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
