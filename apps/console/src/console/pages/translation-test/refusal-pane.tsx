import { Button } from 'antd';
import { Link } from 'react-router';
import type { ApiError } from '../../../shared/api/api-error.js';
import { isMain, useMember } from '../../../shared/auth/user.js';
import { useMessages } from '../../../shared/i18n/messages.js';
import { useTimeLeft } from '../../shared/use-time-left.js';
import { Icon } from '../../../shared/ui/icon.js';
import { detectedIn, type NextStep, readRefusal, refusalText, stepsFor } from './refusal.js';
import type { TextRequest } from './history.js';

const CHARGED = { no: 'refusedNotCharged', said: 'refusedKept', unknown: 'refusedUnknown' } as const;

/** What can be done about a refusal elsewhere on the page. */
export type Steps = { onRetry: () => void; onLanguage: () => void; onText: () => void; onChannels: () => void };

/** Retries, after the delay that the server asks for. */
export function Retry({ seconds, onRetry }: { seconds: number; onRetry: () => void }) {
  const t = useMessages('translation-test');
  const left = Math.ceil(useTimeLeft(seconds * 1_000) / 1_000);
  return (
    <Button disabled={left > 0} onClick={onRetry}>
      {left > 0 ? t('retryIn', { n: left }) : t('retry')}
    </Button>
  );
}

type StepProps = { step: NextStep; main: boolean; error: ApiError; steps: Steps };

/** One way on. Sub-accounts cannot recharge: their main account gives them quota (specification §6). */
function Step({ step, main, error, steps }: StepProps) {
  const t = useMessages('translation-test');
  switch (step) {
    case 'recharge':
      return main ? (
        <Link className="button button-default" to="/UserCenterRecharge">
          {t('toRecharge')}
        </Link>
      ) : (
        <span>{t('askMain')}</span>
      );
    case 'language':
      return <Button onClick={steps.onLanguage}>{t('chooseLanguage')}</Button>;
    case 'channel':
      return <Button onClick={steps.onChannels}>{t(main ? 'otherChannel' : 'pickerOpenSub')}</Button>;
    case 'text':
      return <Button onClick={steps.onText}>{t('edit')}</Button>;
    case 'retry':
      return <Retry seconds={error.retryAfterSeconds ?? 0} onRetry={steps.onRetry} />;
  }
}

type RefusalPaneProps = {
  refused: { request: TextRequest; error: ApiError };
  languageName: (code: string) => string;
  steps: Steps;
};

/** Why there is no translation, what it cost, and how to go on. The text stays where it was. */
export function RefusalPane({ refused, languageName, steps }: RefusalPaneProps) {
  const t = useMessages('translation-test');
  const { request, error } = refused;
  const reading = readRefusal(error.code);
  const main = isMain(useMember());
  const detected = detectedIn(request.source, error.data);
  const reason = typeof error.data['reason'] === 'string' ? [error.data['reason']] : [];
  const details = [...reason, ...error.errors.map((e) => e.msg)].filter((msg) => msg !== error.message);
  return (
    <div className="tt-refusal" role="alert">
      <Icon name="alert" />
      <div>
        <b>{refusalText(error, { main, t })}</b>
        {detected !== null && <p>{t('refusedDetected', { name: languageName(detected) })}</p>}
        {details.length > 0 && <p>{details.join(' ')}</p>}
        <p>{t(CHARGED[reading.charged])}</p>
        <div className="tt-steps">
          {stepsFor(reading, main).map((step) => (
            <Step key={step} step={step} main={main} error={error} steps={steps} />
          ))}
        </div>
      </div>
    </div>
  );
}
