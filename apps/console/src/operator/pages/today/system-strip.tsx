import type { getSystem } from '@yiqiao/contracts/operator/today';
import type { Response } from '@yiqiao/contracts/endpoint';
import type { ReactNode } from 'react';
import { grouped } from '../../../shared/amounts.js';
import { useMessages } from '../../../shared/i18n/messages.js';
import type { EndpointQuery } from '../../../shared/refine/use-endpoint.js';
import { Loaded } from '../../shared/states.js';
import { useAge } from '../../shared/age.js';

type State = 'ok' | 'warning' | 'bad';
type System = Response<typeof getSystem>;

/** Slower or older than this is worth a look. */
const SLOW_WRITE_MS = 50;
const OLD_SECONDS = 60;

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

function Strip({ database, redis, mail, outbox }: System) {
  const t = useMessages('today');
  const age = useAge();
  const oldest = (seconds: number | null): string =>
    seconds === null ? t('none') : t('oldest', { age: age(seconds) });
  const queued = redis?.queues.reduce((sum, { waiting, active }) => sum + waiting + active, 0) ?? 0;
  return (
    <dl className="system-strip numeric">
      <Cell
        name="PostgreSQL"
        state={database.writeMs > SLOW_WRITE_MS ? 'warning' : 'ok'}
        value={t('writes', { ms: database.writeMs })}
        note=""
      />
      <Cell
        name="Redis"
        state={redis ? 'ok' : 'bad'}
        value={redis ? t('redisUp', { ms: redis.pingMs }) : t('redisDown')}
        note={redis && t('queued', { n: grouped(queued) })}
      />
      {redis && (
        <Cell
          name={t('workers')}
          state={redis.workers > 0 ? 'ok' : 'bad'}
          value={redis.workers > 0 ? t('workersCount', { n: redis.workers }) : t('noWorker')}
          note=""
        />
      )}
      <Cell
        name={t('mail')}
        state={backlog(mail.oldestSeconds)}
        value={t('mailWaiting', { n: grouped(mail.waiting) })}
        note={oldest(mail.oldestSeconds)}
      />
      <Cell
        name={t('outbox')}
        state={backlog(outbox.oldestSeconds)}
        value={t('outboxOpen', { n: grouped(outbox.open) })}
        note={oldest(outbox.oldestSeconds)}
      />
    </dl>
  );
}

/** The machinery in a line. */
export function SystemStrip({ query }: { query: EndpointQuery<typeof getSystem> }) {
  const t = useMessages('today');
  return (
    <section className="card" aria-label={t('system')}>
      <Loaded query={query} rows={1}>
        {(system) => <Strip {...system} />}
      </Loaded>
    </section>
  );
}
