import { Button } from 'antd';
import { Link } from 'react-router';
import type { ApiError } from '../../../../shared/api/api-error.js';
import { useTexts } from '../../../../shared/i18n/texts.js';
import { Icon } from '../../../../shared/ui/icon.js';
import { Retry } from '../refusal-pane.js';
import { refusalText } from '../sub-words.js';
import { mediaSteps, readMediaRefusal, type MediaStep } from './media-refusal.js';
import type { MediaKind } from './media-abilities.js';

const CHARGED = { no: 'refusedNotCharged', said: 'refusedKept', unknown: 'refusedUnknown' } as const;
const OTHER_FILE = { image: 'otherImage', voice: 'otherVoice' } as const;

export type MediaSteps = { onRetry: () => void; onLanguage: () => void; onFile: () => void };

type StepProps = { step: MediaStep; error: ApiError; kind: MediaKind; main: boolean; steps: MediaSteps };

/** One way on. Sub-accounts neither recharge nor change the channel: their main account does. */
function Step({ step, error, kind, main, steps }: StepProps) {
  const t = useTexts('media');
  switch (step) {
    case 'recharge':
      return main ? (
        <Link className="btn btn-d" to="/UserCenterRecharge">
          {t('toRecharge')}
        </Link>
      ) : (
        <span>{t('askMain')}</span>
      );
    case 'channel':
      return main ? (
        <Link className="btn btn-d" to="/UserCenterIndex?channel=change">
          {t('otherChannel')}
        </Link>
      ) : (
        <span>{t('mainChanges')}</span>
      );
    case 'language':
      return <Button onClick={steps.onLanguage}>{t('chooseLanguage')}</Button>;
    case 'file':
      return <Button onClick={steps.onFile}>{t(OTHER_FILE[kind])}</Button>;
    case 'retry':
      return <Retry seconds={error.retryAfterSeconds ?? 0} onRetry={steps.onRetry} />;
  }
}

type MediaRefusalPaneProps = { error: ApiError; kind: MediaKind; main: boolean; steps: MediaSteps };

/** Why there is no translation, what it cost, and how to go on. The file and what was written stay as they are. */
export function MediaRefusalPane({ error, kind, main, steps }: MediaRefusalPaneProps) {
  const t = useTexts('media');
  const test = useTexts('translation-test');
  const reading = readMediaRefusal(error.code);
  const reason = typeof error.data['reason'] === 'string' ? [error.data['reason']] : [];
  const details = [...reason, ...error.errors.map(({ msg }) => msg)].filter((msg) => msg !== error.message);
  return (
    <div className="tt-refusal" role="alert">
      <Icon name="alert" />
      <div>
        <b>{error.code === 'ABORTED' ? t('givenUp') : refusalText(error, { main, t: test })}</b>
        {details.length > 0 && <p>{details.join(' ')}</p>}
        <p>{t(CHARGED[reading.charged])}</p>
        <div className="tt-steps">
          {mediaSteps(reading, main).map((step) => (
            <Step key={step} step={step} error={error} kind={kind} main={main} steps={steps} />
          ))}
        </div>
      </div>
    </div>
  );
}
