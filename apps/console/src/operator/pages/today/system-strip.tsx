import { getSystemDetails } from '@yiqiao/contracts/operator/system';
import type { getSystem } from '@yiqiao/contracts/operator/today';
import type { Response } from '@yiqiao/contracts/endpoint';
import type { ReactNode } from 'react';
import { grouped } from '../../../shared/amounts.js';
import { useMessages } from '../../../shared/i18n/messages.js';
import { type EndpointQuery, useEndpoint } from '../../../shared/refine/use-endpoint.js';
import { Loaded } from '../../shared/states.js';
import { useAge } from '../../shared/age.js';
import { usePollInterval } from '../../shared/presence.js';

type State = 'ok' | 'warning' | 'bad';
type System = Response<typeof getSystem>;
type Details = Response<typeof getSystemDetails>;

/** Slower or older than this is worth a look. */
const SLOW_WRITE_MS = 50;
const OLD_SECONDS = 60;
const EVERY_MS = 30_000;

const Cell = ({ name, state, value, note }: { name: string; state: State; value: ReactNode; note: ReactNode }) => (
  <div>
    <dt>
      <span className={`state ${state}`}>{name}</span>
    </dt>
    <dd>
      {value}
      <small>{note}</small>
    </dd>
  </div>
);

const backlog = (seconds: number | null): State => (seconds !== null && seconds > OLD_SECONDS ? 'warning' : 'ok');

/** Those that have fallen silent are missing, not running. */
function Processes({ processes }: { processes: NonNullable<Details['processes']> }) {
  const t = useMessages('today');
  const api = processes.filter(({ kind }) => kind === 'api');
  const running = api.filter(({ silent }) => !silent);
  const p95 = Math.max(0, ...running.map(({ p95Ms }) => p95Ms ?? 0));
  return (
    <Cell
      name={t('api')}
      state={running.length === 0 ? 'bad' : running.length < api.length ? 'warning' : 'ok'}
      value={`${running.length} / ${api.length}`}
      note={p95 > 0 && t('p95Of', { ms: grouped(p95) })}
    />
  );
}

const BACKUP_STATES: Record<Details['nightly'][number]['state'], State> = {
  ok: 'ok',
  running: 'ok',
  late: 'warning',
  unknown: 'warning',
  failed: 'bad',
  differs: 'bad',
};

function Backup({ nightly }: { nightly: Details['nightly'] }) {
  const t = useMessages('today');
  const age = useAge();
  const backup = nightly.find(({ name }) => name === 'backup');
  if (!backup) return null;
  const { at, ageSeconds, state, failedAt } = backup;
  const last = ageSeconds === null ? t('noBackupNote') : t('ago', { age: age(ageSeconds) });
  return (
    <Cell
      name={t('backup')}
      state={BACKUP_STATES[state]}
      value={at === null ? t('noBackup') : at.slice(5, 16)}
      note={failedAt === null ? last : t('backupFailed', { at: failedAt.slice(5, 16) })}
    />
  );
}

function Strip({ system, details }: { system: System; details: Details | undefined }) {
  const t = useMessages('today');
  const age = useAge();
  const { database, redis, mail, outbox } = system;
  const oldest = (seconds: number | null): string =>
    seconds === null ? t('none') : t('oldest', { age: age(seconds) });
  const queued = redis?.queues.reduce((sum, { waiting, active }) => sum + waiting + active, 0) ?? 0;
  return (
    <dl className="system-strip numeric">
      {details?.processes && <Processes processes={details.processes} />}
      <Cell
        name={t('workers')}
        state={redis && redis.workers > 0 ? backlog(outbox.oldestSeconds) : 'bad'}
        value={redis && redis.workers > 0 ? t('workersCount', { n: redis.workers }) : t('noWorker')}
        note={
          outbox.open > 0
            ? t('outboxOpen', { n: grouped(outbox.open), age: age(outbox.oldestSeconds ?? 0) })
            : t('none')
        }
      />
      <Cell
        name="PostgreSQL"
        state={database.writeMs > SLOW_WRITE_MS ? 'warning' : 'ok'}
        value={t('writes', { ms: database.writeMs })}
        note={
          details &&
          t('connections', {
            n: grouped(details.postgres.connections),
            most: grouped(details.postgres.connectionsMost),
          })
        }
      />
      <Cell
        name="Redis"
        state={redis ? 'ok' : 'bad'}
        value={redis ? t('redisUp', { ms: redis.pingMs }) : t('redisDown')}
        note={redis && t('queued', { n: grouped(queued) })}
      />
      <Cell
        name={t('mail')}
        state={backlog(mail.oldestSeconds)}
        value={t('mailWaiting', { n: grouped(mail.waiting) })}
        note={oldest(mail.oldestSeconds)}
      />
      {details && <Backup nightly={details.nightly} />}
    </dl>
  );
}

/** The machinery in a line. */
export function SystemStrip({ query }: { query: EndpointQuery<typeof getSystem> }) {
  const t = useMessages('today');
  const details = useEndpoint(getSystemDetails, {}, { refetchInterval: usePollInterval(EVERY_MS) }).data;
  return (
    <section className="card" aria-label={t('system')}>
      <Loaded query={query} rows={1}>
        {(system) => <Strip system={system} details={details} />}
      </Loaded>
    </section>
  );
}
