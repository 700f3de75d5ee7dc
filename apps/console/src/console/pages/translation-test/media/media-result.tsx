import { MEDIA_UPSTREAM_MS } from '@yiqiao/domain/limits';
import { Button } from 'antd';
import { type ReactNode, useEffect, useState } from 'react';
import { Link } from 'react-router';
import type { ApiError } from '../../../../shared/api/api-error.js';
import { isMain, useMember } from '../../../../shared/auth/user.js';
import { useMessages } from '../../../../shared/i18n/messages.js';
import { grouped } from '../../../../shared/amounts.js';
import { PackageExpired, usePackageExpired } from '../../../shared/package-warning/package-warning.js';
import { BeforeAfter } from '../../../../shared/ui/before-after.js';
import { Refusal } from '../refusal-pane.js';
import type { MediaKind } from './media-abilities.js';
import { readMediaRefusal } from './media-refusal.js';
import { unitsText } from './media-text.js';
import type { MediaForm } from './use-media-form.js';

type QuotaLineProps = {
  form: Pick<MediaForm, 'kind' | 'payer'>;
  /** The cost of sending; 0 while there is nothing to send. */
  cost: number;
};

/** The quota after sending: unchanged, before → after, or the shortfall, which is never topped up automatically (decisions §4). */
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

/** Counts the seconds since it was mounted. */
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
  /** The uploaded share, from 0 to 1. */
  sent: number;
  /** What happens after the upload. */
  working: string;
  onGiveUp: () => void;
};

/** The upload progress, then the processing step with its elapsed and maximum time. */
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

const OTHER_FILE = { image: 'otherImage', voice: 'otherVoice' } as const;

type MediaRefusalProps = {
  error: ApiError;
  kind: MediaKind;
  /** Whether another channel can do this. */
  others: boolean;
  steps: {
    onRetry: () => void;
    onLanguage: () => void;
    onFile: () => void;
    onChannel: () => void;
    onTranscript?: () => void;
  };
  children?: ReactNode;
};

/** The refusal of a picture or a recording. */
export function MediaRefusal({ error, kind, others, steps, children }: MediaRefusalProps) {
  const t = useMessages('media');
  const test = useMessages('translation-test');
  const main = isMain(useMember());
  const own = { ABORTED: 'givenUp', NOT_TRANSLATED: 'notTranslated' } as const;
  return (
    <Refusal
      error={error}
      title={error.code === 'ABORTED' || error.code === 'NOT_TRANSLATED' ? t(own[error.code]) : undefined}
      reading={readMediaRefusal(error.code)}
      others={others}
      messages="media"
      steps={steps}
      ownSteps={{
        channel: main && others && <Button onClick={steps.onChannel}>{test('otherChannel')}</Button>,
        file: <Button onClick={steps.onFile}>{t(OTHER_FILE[kind])}</Button>,
        transcript: <Button onClick={steps.onTranscript}>{t('correct')}</Button>,
      }}
    >
      {children}
    </Refusal>
  );
}
