import { Button } from 'antd';
import { Fragment, type ReactNode } from 'react';
import { Link } from 'react-router';
import type { ApiError } from '../../../shared/api/api-error.js';
import { billingModeOf, isMain, useMember } from '../../../shared/auth/user.js';
import { useMessages } from '../../../shared/i18n/messages.js';
import { Icon } from '../../../shared/ui/icon.js';
import { useTimeLeft } from '../../shared/use-time-left.js';
import type { TextRequest } from './history.js';
import type { Direction } from './abilities.js';
import { channelNote, detectedIn, readRefusal, type RefusalReading, refusalText, stepsFor } from './refusal.js';

const COST = { no: 'refusedNotCharged', said: 'refusedKept', unknown: 'refusedUnknown' } as const;

/** Retries, after the delay that the server asks for. */
function Retry({ seconds, onRetry }: { seconds: number; onRetry: () => void }) {
  const t = useMessages('translation-test');
  const left = Math.ceil(useTimeLeft(seconds * 1_000) / 1_000);
  return (
    <Button disabled={left > 0} onClick={onRetry}>
      {left > 0 ? t('retryIn', { n: left }) : t('retry')}
    </Button>
  );
}

type CommonSteps = { onRetry: () => void; onLanguage: () => void };
type CommonStep = 'recharge' | 'language' | 'retry';

type RefusalProps<S extends string> = {
  error: ApiError;
  /** In place of the message. */
  title?: string | undefined;
  reading: RefusalReading<S>;
  /** Whether another channel that the main account may choose can do this. */
  others: boolean;
  /** The namespace of the messages about the cost. */
  messages: 'translation-test' | 'media';
  steps: CommonSteps;
  /** Buttons for the steps specific to this kind of request. */
  ownSteps: Readonly<Record<Exclude<S, CommonStep>, ReactNode>>;
  children?: ReactNode;
};

/** Why there is no translation, what it cost, and the next steps. The input is kept. */
export function Refusal<S extends string>(props: RefusalProps<S | CommonStep>) {
  const { error, title, reading, others, messages, steps, ownSteps, children } = props;
  const t = useMessages('translation-test');
  const cost = useMessages(messages)(COST[reading.charged]);
  const member = useMember();
  const main = isMain(member);
  const note = channelNote(reading, { main, others, mode: billingModeOf(member) });
  const reason = typeof error.data['reason'] === 'string' ? [error.data['reason']] : [];
  const details = [...reason, ...error.errors.map(({ msg }) => msg)].filter((msg) => msg !== error.message);
  const buttons: Readonly<Record<string, ReactNode>> = {
    // A sub-account gets its quota from its main account (specification §6).
    recharge: main ? (
      <Link className="button button-default" to="/UserCenterRecharge">
        {t('toRecharge')}
      </Link>
    ) : (
      <span>{t('askMain')}</span>
    ),
    language: <Button onClick={steps.onLanguage}>{t('chooseLanguage')}</Button>,
    retry: <Retry seconds={error.retryAfterSeconds ?? 0} onRetry={steps.onRetry} />,
    ...ownSteps,
  };
  return (
    <div className="tt-refusal" role="alert">
      <Icon name="alert" />
      <div>
        <b>{title ?? refusalText(error, { main, others, t })}</b>
        {children}
        {details.length > 0 && <p>{details.join(' ')}</p>}
        {note !== null && <p>{t(note)}</p>}
        <p>{cost}</p>
        <div className="tt-steps">
          {stepsFor(reading, { main, others }).map((step) => (
            <Fragment key={step}>{buttons[step]}</Fragment>
          ))}
        </div>
      </div>
    </div>
  );
}

/** The steps that lead elsewhere on the page. */
export type Steps = CommonSteps & { onText: () => void; onChannels: () => void };

type RefusalPaneProps = {
  refused: { request: TextRequest; error: ApiError };
  languageName: (code: string) => string;
  hasOther: (direction: Direction) => boolean;
  steps: Steps;
};

/** The refusal of a text. */
export function RefusalPane({ refused, languageName, hasOther, steps }: RefusalPaneProps) {
  const t = useMessages('translation-test');
  const { request, error } = refused;
  const main = isMain(useMember());
  const detected = detectedIn(request.source, error.data);
  const others = hasOther({ source: detected ?? request.source, target: request.target });
  return (
    <Refusal
      error={error}
      reading={readRefusal(error.code)}
      others={others}
      messages="translation-test"
      steps={steps}
      ownSteps={{
        channel: <Button onClick={steps.onChannels}>{t(main && others ? 'otherChannel' : 'pickerOpenSub')}</Button>,
        text: <Button onClick={steps.onText}>{t('edit')}</Button>,
      }}
    >
      {detected !== null && <p>{t('refusedDetected', { name: languageName(detected) })}</p>}
    </Refusal>
  );
}
