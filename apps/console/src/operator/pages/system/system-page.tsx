import './system.css';
import type { Response } from '@yiqiao/contracts/endpoint';
import { getSystemDetails } from '@yiqiao/contracts/operator/system';
import { getSystem } from '@yiqiao/contracts/operator/today';
import type { ReactNode } from 'react';
import { grouped } from '../../../shared/amounts.js';
import { useMessages } from '../../../shared/i18n/messages.js';
import { useEndpoint } from '../../../shared/refine/use-endpoint.js';
import { Card } from '../../../shared/ui/card.js';
import { PageHeader } from '../../../shared/ui/page-header.js';
import { useAge } from '../../shared/age.js';
import { FigureStrip } from '../../shared/figure-strip.js';
import { Loaded } from '../../shared/states.js';
import { usePollInterval } from '../../shared/presence.js';
import { Jobs, Nightly } from './jobs.js';

type System = Response<typeof getSystem>;
type Details = Response<typeof getSystemDetails>;
type Process = NonNullable<Details['processes']>[number];
type Both = { system: System; details: Details };

const EVERY_MS = 10_000;
/** A backlog whose oldest is older than this is worth a look. */
const OLD_SECONDS = 60;

const sum = (processes: Details['processes'], field: 'requests' | 'failed' | 'streams'): number =>
  (processes ?? []).reduce((total, { silent, ...one }) => total + (silent ? 0 : (one[field] ?? 0)), 0);

function Figures({ system, details }: Both) {
  const t = useMessages('system');
  const age = useAge();
  const [requests, failed] = [sum(details.processes, 'requests'), sum(details.processes, 'failed')];
  const { holds, oldestSeconds } = system.held;
  const figures = [
    {
      name: t('entries'),
      value: details.entriesPerSecond,
      after: t('perSecond'),
      note: t('write', { ms: system.database.writeMs }),
    },
    {
      name: t('held'),
      value: grouped(holds),
      after: t('holds'),
      note: oldestSeconds === null ? t('noHolds') : t('oldestHold', { age: age(oldestSeconds) }),
    },
    {
      name: t('streams'),
      value: grouped(sum(details.processes, 'streams')),
      after: t('openStreams'),
      note: t('streamsMost', { n: grouped(details.limits.streamsPerProcess) }),
    },
    {
      name: t('failures'),
      value: requests > 0 ? ((failed / requests) * 100).toFixed(2) : '–',
      after: t('ofHour'),
      note: requests > 0 ? t('failedRequests', { all: grouped(requests), n: grouped(failed) }) : t('noRequests'),
    },
  ];
  return (
    <section className="card span-12" aria-label={t('figures')}>
      <FigureStrip figures={figures} />
    </section>
  );
}

type RowProps = {
  name: ReactNode;
  state: 'ok' | 'warning' | 'bad';
  says: string;
  load: string;
  detail: string;
  since: string;
};

const ServiceRow = ({ name, state, says, load, detail, since }: RowProps) => (
  <tr>
    <th scope="row">{name}</th>
    <td>
      <span className={`state ${state}`}>{says}</span>
    </td>
    <td className="muted">{load}</td>
    <td className="muted">{detail}</td>
    <td className="end muted">{since}</td>
  </tr>
);

function ProcessRow({ process }: { process: Process }) {
  const t = useMessages('system');
  const age = useAge();
  const { kind, name, silent, seenSeconds, p95Ms, stallMs, streams, memoryMb, startedAt } = process;
  const details = [streams === null ? null : t('streamsOf', { n: grouped(streams) }), t('memory', { mb: memoryMb })];
  return (
    <ServiceRow
      name={
        <>
          {t(`kind_${kind}`)} <code>{name}</code>
        </>
      }
      state={silent ? 'bad' : 'ok'}
      says={silent ? t('silent', { age: age(seenSeconds) }) : t('present')}
      load={p95Ms === null ? t('stall', { ms: Math.round(stallMs) }) : t('p95', { ms: grouped(p95Ms) })}
      detail={details.filter((one) => one !== null).join(' · ')}
      since={startedAt.slice(5, 16)}
    />
  );
}

function Services({ system, details: { processes, postgres, redis } }: Both) {
  const t = useMessages('system');
  return (
    <Card title={t('services')}>
      <div className="table-scroll rows-scroll">
        <table className="rows-table numeric">
          <thead>
            <tr>
              <th scope="col">{t('service')}</th>
              <th scope="col">{t('state')}</th>
              <th scope="col">{t('load')}</th>
              <th scope="col">{t('detail')}</th>
              <th scope="col" className="end">
                {t('since')}
              </th>
            </tr>
          </thead>
          <tbody>
            {processes?.map((process) => (
              <ProcessRow key={process.name} process={process} />
            ))}
            <ServiceRow
              name="PostgreSQL"
              state={postgres.readOnly ? 'bad' : 'ok'}
              says={postgres.readOnly ? t('readOnly') : t('present')}
              load={t('write', { ms: system.database.writeMs })}
              detail={t('connections', { n: postgres.connections, most: postgres.connectionsMost })}
              since={postgres.version.split(' ', 1)[0] ?? ''}
            />
            <ServiceRow
              name="Redis"
              state={redis ? 'ok' : 'bad'}
              says={redis ? t('present') : t('away')}
              load={system.redis ? t('ms', { ms: system.redis.pingMs }) : ''}
              detail={redis ? `${t('memory', { mb: redis.memoryMb })} · ${redis.policy}` : ''}
              since={redis?.version ?? ''}
            />
          </tbody>
        </table>
      </div>
      {!processes && <p className="card-body muted">{t('noProcess')}</p>}
    </Card>
  );
}

function Queues({ system: { redis, mail, outbox } }: Both) {
  const t = useMessages('system');
  const age = useAge();
  const rows = [
    { name: t('outbox'), waiting: outbox.open, oldestSeconds: outbox.oldestSeconds },
    { name: t('outgoingMail'), waiting: mail.waiting, oldestSeconds: mail.oldestSeconds },
    ...(redis?.queues ?? []).map(({ name, waiting, active, oldestSeconds }) => ({
      name: t(`queue_${name as 'events'}`),
      waiting: waiting + active,
      oldestSeconds,
    })),
  ];
  return (
    <Card title={t('queues')}>
      <table className="rows-table numeric">
        <thead>
          <tr>
            <th scope="col">{t('queue')}</th>
            <th scope="col" className="end">
              {t('waiting')}
            </th>
            <th scope="col" className="end">
              {t('oldest')}
            </th>
            <th scope="col">{t('state')}</th>
          </tr>
        </thead>
        <tbody>
          {rows.map(({ name, waiting, oldestSeconds }) => {
            const isBehind = oldestSeconds !== null && oldestSeconds > OLD_SECONDS;
            return (
              <tr key={name}>
                <th scope="row">{name}</th>
                <td className="end">{grouped(waiting)}</td>
                <td className="end muted">{oldestSeconds === null ? '–' : age(oldestSeconds)}</td>
                <td>
                  <span className={`state ${isBehind ? 'warning' : 'ok'}`}>{isBehind ? t('behind') : t('normal')}</span>
                </td>
              </tr>
            );
          })}
        </tbody>
      </table>
    </Card>
  );
}

function Limits({ details: { limits, configured } }: Both) {
  const t = useMessages('system');
  const rows = [
    {
      name: t('signInFailures'),
      value: t('timesInMinutes', { n: limits.signInFailures, minutes: limits.signInMinutes }),
    },
    { name: t('translation'), value: t('perAccount', { n: limits.translationsPerSecond }) },
    { name: t('orderLife'), value: t('seconds', { n: limits.orderSeconds }) },
    ...configured.map(({ name, set }) => ({ name, value: set ? t('set') : t('notSet') })),
  ];
  return (
    <dl className="facts numeric card-body">
      {rows.map(({ name, value }) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

/** Processes, stores, queues and repeated jobs as they are now. */
export default function SystemPage() {
  const t = useMessages('system');
  const refetchInterval = usePollInterval(EVERY_MS);
  const system = useEndpoint(getSystem, {}, { refetchInterval });
  const details = useEndpoint(getSystemDetails, {}, { refetchInterval });
  // Both or none: a page of halves would contradict itself.
  const query = {
    data: system.data && details.data ? { system: system.data, details: details.data } : undefined,
    isError: system.isError || details.isError,
    error: system.error ?? details.error,
    refetch: () => Promise.all([system.refetch(), details.refetch()]),
  };
  return (
    <>
      <PageHeader title={t('title')} note={t('note')}>
        {details.data && <span className="faint numeric">{t('updated', { time: details.data.at.slice(11) })}</span>}
      </PageHeader>
      <Loaded query={query} rows={12}>
        {(both) => (
          <div className="grid">
            <Figures {...both} />
            <div className="span-7">
              <Services {...both} />
            </div>
            <div className="span-5">
              <Queues {...both} />
            </div>
            <div className="span-7">
              <Nightly {...both} />
              <Jobs {...both} />
            </div>
            <div className="span-5">
              <Card title={t('limits')} note={t('limitsNote')}>
                <Limits {...both} />
              </Card>
            </div>
          </div>
        )}
      </Loaded>
    </>
  );
}
