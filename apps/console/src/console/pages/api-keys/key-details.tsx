import { API_KEY_KINDS, exportApiKeyUsage, getApiKeyUsage } from '@yiqiao/contracts/api-keys';
import type { Response } from '@yiqiao/contracts/endpoint';
import { Drawer } from 'antd';
import { type ReactNode, useState } from 'react';
import { grouped } from '../../../shared/amounts.js';
import { messageOf } from '../../../shared/api/api-error.js';
import { language } from '../../../shared/i18n/language.js';
import { type Translate, useMessages } from '../../../shared/i18n/messages.js';
import { useEndpoint } from '../../../shared/refine/use-endpoint.js';
import { Empty } from '../../../shared/ui/empty.js';
import { ErrorState } from '../../../shared/ui/error-state.js';
import type { DialogFrame } from '../../shared/dialogs/dialog-frame.js';
import { DownloadButton } from '../../shared/logs/download-button.js';
import { UsageChart, UsageSkeleton } from '../../shared/usage/usage-chart.js';
import { scaleOf, totalOf } from '../../shared/usage/usage-scale.js';
import { meanText } from '../../shared/usage/usage-text.js';
import { channelText, scopesText, StateTag, UrlTag } from './key-cells.js';
import type { ApiKey } from './key.js';

type UsageDay = Response<typeof getApiKeyUsage>['days'][number];

const sumOfRequests = (days: readonly UsageDay[]): number => days.reduce((sum, { requests }) => sum + requests, 0);

/** `1,200 字符 · 8 次请求`. */
const usedText = ({ charNum, requests }: UsageDay, t: Translate<'api-keys'>): string =>
  `${t('chars', { n: grouped(charNum) })} · ${t('requests', { n: grouped(requests) })}`;

/** The same figures for screen readers. */
function UsageTable({ days, caption }: { days: readonly UsageDay[]; caption: string }) {
  const t = useMessages('api-keys');
  return (
    <div className="visually-hidden">
      <table>
        <caption>{caption}</caption>
        <thead>
          <tr>
            <th scope="col">{t('tableDay')}</th>
            <th scope="col">{t('tableChars')}</th>
            <th scope="col">{t('tableRequests')}</th>
          </tr>
        </thead>
        <tbody>
          {days.map((day) => (
            <tr key={day.date}>
              <th scope="row">{day.date}</th>
              <td>{grouped(day.charNum)}</td>
              <td>{grouped(day.requests)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function UsageBars({ days }: { days: readonly UsageDay[] }) {
  const t = useMessages('api-keys');
  const total = totalOf(days);
  const scale = scaleOf(Math.max(...days.map(({ charNum }) => charNum)));
  const mean = meanText(total / days.length, scale);
  return (
    <>
      <p className="ak-sum numeric">
        {t('sum', { n: grouped(total), requests: grouped(sumOfRequests(days)) })}
        <small className="faint">{t(scale.inThousands ? 'meanThousands' : 'mean', { mean })}</small>
      </p>
      <UsageChart days={days} scale={scale} label={t('chartLabel')} usedText={(day) => usedText(day, t)} />
      <UsageTable days={days} caption={t('byDay')} />
    </>
  );
}

const SPANS = [7, 30, 90] as const;

/** What the key used on each of the last days, and the same as a file. */
function Usage({ id }: { id: number }) {
  const t = useMessages('api-keys');
  const [span, setSpan] = useState<number>(30);
  const input = { id: String(id), days: String(span) };
  const { data, isPending, isError, error, refetch } = useEndpoint(getApiKeyUsage, input, { refetchOnMount: 'always' });
  const isUnused = data?.days.every(({ charNum, requests }) => charNum === 0 && requests === 0) ?? true;
  return (
    <section className="ak-usage" aria-label={t('byDay')}>
      <div className="ak-usage-head">
        <h3>{t('byDay')}</h3>
        <span className="ak-span" role="group" aria-label={t('span')}>
          {SPANS.map((days) => (
            <button key={days} type="button" aria-pressed={days === span} onClick={() => setSpan(days)}>
              {t('spanDays', { n: days })}
            </button>
          ))}
        </span>
        <DownloadButton endpoint={exportApiKeyUsage} query={input} disabled={isUnused} note={null} />
      </div>
      {isError && (
        <ErrorState title={t('usageFailed')} onReload={() => void refetch()}>
          {messageOf(error)}
        </ErrorState>
      )}
      {isPending && <UsageSkeleton days={Math.min(span, 30)} />}
      {data && isUnused && <Empty title={t('usageNone', { n: span })}>{t('usageNoneWhy')}</Empty>}
      {data && !isUnused && <UsageBars days={data.days} />}
    </section>
  );
}

/** Every setting of the key. */
function Facts({ apiKey }: { apiKey: ApiKey }) {
  const t = useMessages('api-keys');
  const { dayCap, monthCap, requestsPerSecond, allowedIps, oldSecretUntil } = apiKey;
  const cap = (n: number): string => (n === 0 ? t('unlimited') : t('chars', { n: grouped(n) }));
  const facts: [string, ReactNode][] = [
    [t('prefix'), <code key="prefix">{apiKey.prefix}…</code>],
    [t('kind'), API_KEY_KINDS[apiKey.kind][language]],
    [t('owner'), apiKey.owner],
    [t('scopes'), scopesText(apiKey, t)],
    [t('channel'), channelText(apiKey, t)],
    [t('capDayFact'), cap(dayCap)],
    [t('capMonthFact'), cap(monthCap)],
    [t('rateFact'), requestsPerSecond === 0 ? t('rateOwn') : grouped(requestsPerSecond)],
    [t('ips'), allowedIps.length === 0 ? t('anyIp') : allowedIps.join(t('separator'))],
    [t('created'), apiKey.createDateTime],
    [t('lastUse'), apiKey.lastUseDateTime ?? t('neverUsed')],
    [t('expiry'), apiKey.expireDateTime ?? t('noExpiry')],
  ];
  if (oldSecretUntil !== null) facts.push([t('oldSecret'), t('oldUntil', { time: oldSecretUntil })]);
  return (
    <dl className="ak-facts">
      {facts.map(([label, value]) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd className="numeric">{value}</dd>
        </div>
      ))}
    </dl>
  );
}

/** One key: its usage by day and its settings. */
export function KeyDetails({ frame, apiKey }: { frame: DialogFrame; apiKey: ApiKey }) {
  const t = useMessages('api-keys');
  return (
    <Drawer
      open={frame.open}
      width={600}
      rootClassName="ak-drawer"
      title={<span className="display">{t('showTitle')}</span>}
      onClose={frame.onClose}
      afterOpenChange={(shown) => !shown && frame.afterClose()}
    >
      <div className="ak-head">
        <b className="dynamic-text">{apiKey.name}</b>
        <StateTag state={apiKey.state} />
        <UrlTag apiKey={apiKey} />
      </div>
      <Usage id={apiKey.id} />
      <Facts apiKey={apiKey} />
    </Drawer>
  );
}
