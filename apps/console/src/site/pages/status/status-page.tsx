import type { Response } from '@yiqiao/contracts/endpoint';
import type { listChannelHistory } from '@yiqiao/contracts/channel-traffic';
import { useEffect, useState } from 'react';
import { callRoute } from '../../../shared/api/call.js';
import { grouped } from '../../../shared/amounts.js';
import { language } from '../../../shared/i18n/language.js';
import { useMessages } from '../../../shared/i18n/messages.js';
import { ErrorState } from '../../../shared/ui/error-state.js';
import { useLoaded } from '../../shared/use-loaded.js';
import './status.css';

type History = Response<typeof listChannelHistory>;
type Channel = History['channels'][number];

// Only method and path: importing the endpoint would add every contract's schema to the bundle.
const READ = { method: 'GET', path: '/tranChannel/history' } as const satisfies Pick<
  typeof listChannelHistory,
  'method' | 'path'
>;
const REFRESH_MS = 60_000;
/** A day below this share of successes is shown as one with incidents. */
const GOOD_SHARE = 0.9;
const INCIDENTS_SHOWN = 20;

const history = (signal: AbortSignal): Promise<History> => callRoute<typeof listChannelHistory>(READ, {}, { signal });

type Refreshed = { value: History | null; failed: boolean };

/** Loads the figures, then refreshes them every minute while the tab is visible. When that fails the old ones stay. */
function useHistory() {
  const { loaded, reload } = useLoaded(history);
  const [fresh, setFresh] = useState<Refreshed>({ value: null, failed: false });
  useEffect(() => {
    const gone = new AbortController();
    const refresh = (): void => {
      if (document.visibilityState === 'hidden') return;
      history(gone.signal).then(
        (value) => gone.signal.aborted || setFresh({ value, failed: false }),
        () => gone.signal.aborted || setFresh((before) => ({ ...before, failed: true })),
      );
    };
    const timer = setInterval(refresh, REFRESH_MS);
    return () => {
      clearInterval(timer);
      gone.abort();
    };
  }, []);
  const now = fresh.value ? ({ state: 'ready', value: fresh.value } as const) : loaded;
  return { loaded: now, notRefreshed: fresh.failed, reload };
}

const nameOf = ({ name, enName }: Channel): string => (language === 'zh' ? name : enName);
/** Rounded down, because 99.999 % is not 100 %; what is added evens out the error of the multiplication. */
const percent = (share: number): string => (Math.floor(share * 10_000 + 1e-6) / 100).toFixed(2);
const minuteOf = (dateTime: string): string => dateTime.slice(0, 16);

type Day = Channel['days'][number];
type Look = 'good' | 'bad' | 'none';
const BAR_TOPS = { bad: 0, good: 8, none: 18 } as const satisfies Record<Look, number>;
const BAR_HEIGHT = 24;

function lookOf({ date, successShare }: Day, incidents: Channel['incidents']): Look {
  const isBad =
    (successShare ?? 1) < GOOD_SHARE || incidents.some(({ beginDateTime }) => beginDateTime.startsWith(date));
  return isBad ? 'bad' : successShare === null ? 'none' : 'good';
}

/** One bar a day. Bad days are the highest, so that they differ in shape too; screen readers get one sentence. */
function Days({ channel }: { channel: Channel }) {
  const t = useMessages('status');
  const looks = channel.days.map((day) => lookOf(day, channel.incidents));
  const count = (look: Look): number => looks.filter((each) => each === look).length;
  const label = t('daysOf', { name: nameOf(channel), good: count('good'), bad: count('bad'), none: count('none') });
  return (
    <svg
      className="status-days"
      viewBox={`0 0 ${looks.length * 4} ${BAR_HEIGHT}`}
      preserveAspectRatio="none"
      role="img"
      aria-label={label}
    >
      {channel.days.map(({ date, requests, successShare }, at) => {
        const look = looks[at] ?? 'none';
        const top = BAR_TOPS[look];
        return (
          <rect key={date} className={look} x={at * 4} y={top} width="3" height={BAR_HEIGHT - top}>
            <title>
              {successShare === null
                ? t('quietDay', { date, requests: grouped(requests) })
                : t('day', { date, requests: grouped(requests), share: percent(successShare) })}
            </title>
          </rect>
        );
      })}
    </svg>
  );
}

/** The newest incidents of all channels; the others on demand. */
function Incidents({ channels }: { channels: readonly Channel[] }) {
  const t = useMessages('status');
  const [all, setAll] = useState(false);
  const incidents = channels
    .flatMap((channel) => channel.incidents.map((incident) => ({ ...incident, channel })))
    .toSorted((a, b) => b.beginDateTime.localeCompare(a.beginDateTime));
  if (incidents.length === 0) return <p className="muted">{t('noIncidents')}</p>;
  return (
    <>
      <ul className="status-incidents numeric">
        {incidents
          .slice(0, all ? undefined : INCIDENTS_SHOWN)
          .map(({ channel, beginDateTime, minutes, successShare }) => (
            <li key={`${channel.id} ${beginDateTime}`}>
              <b>{nameOf(channel)}</b>{' '}
              {t('incident', {
                begin: minuteOf(beginDateTime),
                minutes: grouped(minutes),
                share: percent(successShare),
              })}
            </li>
          ))}
      </ul>
      {!all && incidents.length > INCIDENTS_SHOWN && (
        <button type="button" className="button button-default" onClick={() => setAll(true)}>
          {t('allIncidents', { n: incidents.length })}
        </button>
      )}
    </>
  );
}

const COLUMNS = ['channel', 'success', 'median', 'p95', 'requests', 'days'] as const;

function Channels({ channels }: { channels: readonly Channel[] }) {
  const t = useMessages('status');
  const ms = (value: number | null): string => (value === null ? t('absent') : t('ms', { n: grouped(value) }));
  if (channels.length === 0) return <p>{t('none')}</p>;
  return (
    <>
      {channels.every(({ requests }) => requests === 0) && <p className="status-empty">{t('noRequests')}</p>}
      <div className="status-scroll" role="region" aria-label={t('title')} tabIndex={0}>
        <table className="status-table">
          <thead>
            <tr>
              {COLUMNS.map((column) => (
                <th key={column} scope="col">
                  {t(column)}
                </th>
              ))}
            </tr>
          </thead>
          <tbody className="numeric">
            {channels.map((channel) => (
              <tr key={channel.id}>
                <th scope="row">{nameOf(channel)}</th>
                <td>
                  {channel.successShare === null ? t('absent') : t('share', { n: percent(channel.successShare) })}
                </td>
                <td>{ms(channel.medianMs)}</td>
                <td>{ms(channel.p95Ms)}</td>
                <td>{grouped(channel.requests)}</td>
                <td>
                  <Days channel={channel} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <h2>{t('incidents')}</h2>
      <Incidents channels={channels} />
    </>
  );
}

/** /status: each channel's real success, times and incidents. The explanation is prerendered; the figures come from the API. */
export default function StatusPage() {
  const t = useMessages('status');
  const shared = useMessages('shared');
  const { loaded, notRefreshed, reload } = useHistory();
  return (
    <div className="page-width status">
      <h1>{t('title')}</h1>
      <p className="muted status-lead">{t('lead')}</p>
      <p className="muted status-lead">{t('target')}</p>
      <p className="status-no-script">{t('noScript')}</p>
      {loaded.state === 'loading' && (
        <div role="status" className="status-wait">
          <span className="visually-hidden">{shared('loading')}</span>
          <i className="skeleton" aria-hidden="true" />
          <i className="skeleton" aria-hidden="true" />
        </div>
      )}
      {loaded.state === 'failed' && (
        <ErrorState title={t('failed')} onReload={reload}>
          {loaded.why}
        </ErrorState>
      )}
      {loaded.state === 'ready' && (
        <>
          <p className="faint numeric status-refreshed">
            {t(notRefreshed ? 'notRefreshed' : 'updated', { time: loaded.value.updateDateTime })}
          </p>
          <Channels channels={loaded.value.channels} />
        </>
      )}
      <h2>{t('how')}</h2>
      <p className="muted status-lead">{t('howText')}</p>
    </div>
  );
}
