import { Button } from 'antd';
import { Link } from 'react-router';
import type { ApiError } from '../../shared/api/api-error.js';
import { isMain, useMember } from '../../shared/auth/user.js';
import { useTexts } from '../../shared/i18n/texts.js';
import { useTimeLeft } from '../../shared/payment/use-time-left.js';
import { Icon } from '../../shared/ui/icon.js';
import { detectedIn, readRefusal, type NextStep } from './refusal.js';
import type { Asked } from './translate-one.js';

const CHARGED = { no: 'refusedNotCharged', said: 'refusedKept', unknown: 'refusedUnknown' } as const;

/** What can be done about a refusal elsewhere on the page. */
export type Steps = { onRetry: () => void; onLanguage: () => void; onText: () => void; onChannels: () => void };

/** Trying again, once as much time has passed as the server asked for. */
function Retry({ seconds, onRetry }: { seconds: number; onRetry: () => void }) {
  const t = useTexts('translation-test');
  const left = Math.ceil(useTimeLeft(seconds * 1_000) / 1_000);
  return (
    <Button disabled={left > 0} onClick={onRetry}>
      {left > 0 ? t('retryIn', { n: left }) : t('retry')}
    </Button>
  );
}

type NextProps = { next: NextStep; error: ApiError; steps: Steps };

/** The one thing to do next. Sub-accounts cannot recharge: their main account gives them quota (specification §6). */
function Next({ next, error, steps }: NextProps) {
  const t = useTexts('translation-test');
  const main = isMain(useMember());
  switch (next) {
    case 'recharge':
      return main ? (
        <Link className="btn btn-d" to="/UserCenterRecharge">
          {t('toRecharge')}
        </Link>
      ) : (
        <span>{t('askMain')}</span>
      );
    case 'choose-language':
      return <Button onClick={steps.onLanguage}>{t('chooseLanguage')}</Button>;
    case 'other-channel':
      return <Button onClick={steps.onChannels}>{t('otherChannel')}</Button>;
    case 'shorten':
      return <Button onClick={steps.onText}>{t('edit')}</Button>;
    case 'wait':
    case 'retry':
      return <Retry seconds={error.retryAfterSeconds ?? 0} onRetry={steps.onRetry} />;
    case 'none':
      return null;
  }
}

type RefusalPaneProps = {
  refused: { asked: Asked; error: ApiError };
  languageName: (code: string) => string;
  steps: Steps;
};

/** Why there is no translation, what it cost, and how to go on. The text stays where it was. */
export function RefusalPane({ refused, languageName, steps }: RefusalPaneProps) {
  const t = useTexts('translation-test');
  const { asked, error } = refused;
  const { next, charged } = readRefusal(error.code);
  const detected = detectedIn(asked.source, error.data);
  const reason = typeof error.data['reason'] === 'string' ? [error.data['reason']] : [];
  const details = [...reason, ...error.errors.map((e) => e.msg)].filter((msg) => msg !== error.message);
  return (
    <div className="tt-refusal" role="alert">
      <Icon name="alert" />
      <div>
        <b>{error.message}</b>
        {detected !== null && <p>{t('refusedDetected', { name: languageName(detected) })}</p>}
        {details.length > 0 && <p>{details.join(' ')}</p>}
        <p>{t(CHARGED[charged])}</p>
        <Next next={next} error={error} steps={steps} />
      </div>
    </div>
  );
}
