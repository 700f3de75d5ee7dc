import { useMessages } from '../../../shared/i18n/messages.js';
import { grouped } from '../../../shared/amounts.js';
import { Icon } from '../../../shared/ui/icon.js';
import { healthOf, type ChannelStatus } from './health.js';
import type { ChannelStatusQuery } from './channels.js';
import './channel-health.css';

function Figures({ status }: { status: ChannelStatus }) {
  const t = useMessages('channels');
  const health = healthOf(status);
  if (health.kind === 'little')
    return <>{health.requests === 0 ? t('noTraffic') : t('littleTraffic', { n: grouped(health.requests) })}</>;
  const { share, times, well } = health;
  return (
    <>
      <span className={well ? undefined : 'ch-unwell'}>
        {!well && <Icon name="alert" />}
        {t('share', { share })}
      </span>
      {times !== null && <span>{t('median', { s: times.median })}</span>}
      {times !== null && <span>{t('p95', { s: times.p95 })}</span>}
    </>
  );
}

type ChannelHealthProps = { id: number; query: Pick<ChannelStatusQuery, 'data' | 'isError'> };

/** Success rate and response times of one channel in the last 24 hours; a skeleton until they are loaded. */
export function ChannelHealth({ id, query: { data, isError } }: ChannelHealthProps) {
  const t = useMessages('channels');
  const status = data?.find((row) => row.id === id) ?? {
    id,
    requests: 0,
    successShare: null,
    medianMs: null,
    p95Ms: null,
  };
  if (data) return <span className="ch-health numeric">{<Figures status={status} />}</span>;
  if (isError) return <span className="ch-health">{t('statusFailed')}</span>;
  return (
    <span className="ch-health" aria-hidden="true">
      <i className="skeleton" />
    </span>
  );
}
