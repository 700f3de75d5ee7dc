import { MEDIA_UPSTREAM_MS } from '@yiqiao/domain/limits';
import { Button } from 'antd';
import { useEffect, useState } from 'react';
import { Link } from 'react-router';
import type { ApiError } from '../../../../shared/api/api-error.js';
import { useMessages } from '../../../../shared/i18n/messages.js';
import { grouped } from '../../../../shared/amounts.js';
import { PackageExpired, usePackageExpired } from '../../../shared/package-warning/package-warning.js';
import { BeforeAfter } from '../../../shared/ui/before-after.js';
import { Icon } from '../../../../shared/ui/icon.js';
import { Retry } from '../refusal-pane.js';
import { refusalText } from '../refusal.js';
import type { MediaKind } from './media-abilities.js';
import { type MediaStep, mediaSteps, readMediaRefusal } from './media-refusal.js';
import { unitsText } from './media-text.js';
import type { MediaForm } from './use-media-form.js';

type QuotaLineProps = {
  form: Pick<MediaForm, 'kind' | 'payer'>;
  /** What sending will cost; 0 while there is nothing to send. */
  cost: number;
};

/** What the quota becomes: as it is, before → after, or what it lacks and who can help. What a sub-account lacks of it never comes by itself
 * (decisions §4). */
export function QuotaLine({ form: { kind, payer }, cost }: QuotaLineProps) {
  const t = useMessages('media');
  const { left, own } = payer;
  const over = usePackageExpired();
  const help = own.main ? (
    <Link className="link" to="/UserCenterRecharge">
      {t('toRecharge')}
    </Link>
  ) : (
    <span>{t('askMain')}</span>
  );
  if (over) return <PackageExpired className="tt-lack" />;
  if (cost > left)
    return (
      <span className="numeric tt-lack">
        {t('lack', { units: unitsText(kind, cost - left, t) })} {help}
      </span>
    );
  return (
    <span className="numeric tt-balance">
      {t('left')}
      {cost === 0 ? (
        ` ${unitsText(kind, left, t)}`
      ) : (
        <BeforeAfter before={grouped(left)} after={unitsText(kind, left - cost, t)} />
      )}
    </span>
  );
}

const TICK_MS = 500;
const SLOW_MS = 2_000;

/** Counts from when it is first shown. */
function Elapsed({ working }: { working: string }) {
  const t = useMessages('media');
  const [waited, setWaited] = useState(0);
  useEffect(() => {
    const begun = performance.now();
    const timer = setInterval(() => setWaited(performance.now() - begun), TICK_MS);
    return () => clearInterval(timer);
  }, []);
  const seconds = Math.floor(waited / 1_000);
  const most = MEDIA_UPSTREAM_MS / 1_000;
  return (
    <p>
      <progress max={most} value={Math.min(seconds, most)} aria-hidden="true" />
      <span role="status">{working}</span>
      {waited >= SLOW_MS && (
        <span className="numeric" aria-hidden="true">
          {t('stillGoing', { n: seconds, max: most })}
        </span>
      )}
    </p>
  );
}

type MediaWaitingProps = {
  /** How much of the file has left, from 0 to 1. */
  sent: number;
  /** What is done with it then. */
  working: string;
  onGiveUp: () => void;
};

/** First the file on its way, then what is made of it, and how long that has been of how long it can be. */
export function MediaWaiting({ sent, working, onGiveUp }: MediaWaitingProps) {
  const t = useMessages('media');
  const percent = Math.floor(sent * 100);
  return (
    <div className="tt-waiting md-waiting">
      {sent < 1 ? (
        <p>
          <progress max={100} value={percent} aria-label={t('sending')} />
          <span className="numeric">
            {t('sending')} {percent}%
          </span>
        </p>
      ) : (
        <Elapsed working={working} />
      )}
      <Button size="small" onClick={onGiveUp}>
        {t('giveUp')}
      </Button>
    </div>
  );
}

const CHARGED = { no: 'refusedNotCharged', said: 'refusedKept', unknown: 'refusedUnknown' } as const;
const OTHER_FILE = { image: 'otherImage', voice: 'otherVoice' } as const;

type MediaSteps = { onRetry: () => void; onLanguage: () => void; onFile: () => void };

type StepProps = { step: MediaStep; error: ApiError; kind: MediaKind; main: boolean; steps: MediaSteps };

/** One way on. Sub-accounts neither recharge nor change the channel: their main account does. */
function Step({ step, error, kind, main, steps }: StepProps) {
  const t = useMessages('media');
  switch (step) {
    case 'recharge':
      return main ? (
        <Link className="button button-default" to="/UserCenterRecharge">
          {t('toRecharge')}
        </Link>
      ) : (
        <span>{t('askMain')}</span>
      );
    case 'channel':
      return main ? (
        <Link className="button button-default" to="/UserCenterIndex?channel=change">
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
  const t = useMessages('media');
  const test = useMessages('translation-test');
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
