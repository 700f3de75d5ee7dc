import { VOICE_BYTES } from '@yiqiao/domain/limits';
import { Button } from 'antd';
import { useTexts } from '../../../../shared/i18n/texts.js';
import { sizeText } from '../../../../shared/logs/size-text.js';
import { Icon } from '../../../../shared/ui/icon.js';
import { clockText } from './clock-text.js';
import type { Recorder } from './use-recorder.js';
import { Waveform } from './waveform.js';

type RecordingProps = {
  recorder: Extract<Recorder, { status: 'recording' }>;
  maxSeconds: number;
  onStop: () => void;
  onCancel: () => void;
};

/** While somebody speaks: that it is heard, how long so far, and both ways to end it. */
export function Recording({ recorder: { levels, seconds }, maxSeconds, onStop, onCancel }: RecordingProps) {
  const t = useTexts('voice');
  return (
    <div className="vo-live">
      <div className="vo-rec">
        <button type="button" className="vo-button vo-stop" aria-label={t('stop')} autoFocus onClick={onStop}>
          <Icon name="stop" />
        </button>
        <span className="vo-track">
          <Waveform peaks={levels} />
        </span>
        <span className="num vo-time">
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

/** Nothing to hear yet: speak, or bring a file; and why there is no microphone. */
export function NoRecordingYet({ recorder, maxSeconds, onRecord, onChoose }: NoRecordingYetProps) {
  const t = useTexts('voice');
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
      <Button onClick={onChoose}>
        <Icon name="upload" />
        {t('choose')}
      </Button>
      <small>{t('limits', { size: sizeText(VOICE_BYTES), n: maxSeconds })}</small>
    </div>
  );
}
