import { Button } from 'antd';
import { Link } from 'react-router';
import type { ApiError } from '../../shared/api/api-error.js';
import { isMain, useMember } from '../../shared/auth/user.js';
import { useTexts } from '../../shared/i18n/texts.js';
import { Icon } from '../../shared/ui/icon.js';
import { detectedIn, readRefusal, type NextStep } from './refusal.js';
import type { Asked } from './translate-one.js';

const CHARGED = { no: 'refusedNotCharged', said: 'refusedKept', unknown: 'refusedUnknown' } as const;

type Wait = { count: number; running: boolean };
type Steps = { onRetry: () => void; onLanguage: () => void; onText: () => void };

/** The one thing to do next. Sub-accounts cannot recharge: their main account gives them quota (specification §6). */
function Next({ next, wait, steps }: { next: NextStep; wait: Wait; steps: Steps }) {
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
      return (
        <a className="btn btn-d" href="#channels">
          {t('otherChannel')}
        </a>
      );
    case 'shorten':
      return <Button onClick={steps.onText}>{t('edit')}</Button>;
    case 'wait':
    case 'retry':
      return (
        <Button disabled={wait.running} onClick={steps.onRetry}>
          {wait.running ? t('retryIn', { n: wait.count }) : t('retry')}
        </Button>
      );
    case 'none':
      return null;
  }
}

type RefusalPaneProps = Steps & {
  refused: { asked: Asked; error: ApiError };
  languageName: (code: string) => string;
  wait: Wait;
};

/** Why there is no translation, what it cost, and how to go on. The text stays where it was. */
export function RefusalPane({ refused, languageName, wait, ...steps }: RefusalPaneProps) {
  const t = useTexts('translation-test');
  const { asked, error } = refused;
  const { next, charged } = readRefusal(error.code);
  const detected = detectedIn(asked.source, error.data);
  const details = error.errors.map((e) => e.msg).filter((msg) => msg !== error.message);
  return (
    <div className="tt-refusal" role="alert">
      <Icon name="alert" />
      <div>
        <b>{error.message}</b>
        {detected !== null && <p>{t('refusedDetected', { name: languageName(detected) })}</p>}
        {details.length > 0 && <p>{details.join(' ')}</p>}
        <p>{t(CHARGED[charged])}</p>
        <Next next={next} wait={wait} steps={steps} />
      </div>
    </div>
  );
}
