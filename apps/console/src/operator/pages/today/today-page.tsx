import './today.css';
import { getSystem, getToday, listTasks, TODAY_RANGES } from '@yiqiao/contracts/operator/today';
import { Segmented } from 'antd';
import { useSearchParams } from 'react-router';
import { grouped, yuan } from '../../../shared/amounts.js';
import { language, locale } from '../../../shared/i18n/language.js';
import { useMessages } from '../../../shared/i18n/messages.js';
import { type EndpointQuery, useEndpoint } from '../../../shared/refine/use-endpoint.js';
import { PageHeader } from '../../../shared/ui/page-header.js';
import { TableSkeleton } from '../../../shared/ui/table-skeleton.js';
import { Loaded } from '../../shared/states.js';
import { usePollInterval } from '../../shared/presence.js';
import { ChannelsPanel } from './channels-panel.js';
import { Figures, type Range } from './figures.js';
import { LedgerCard } from './ledger-card.js';
import { MirroredBarChart } from './mirrored-chart.js';
import { SystemStrip } from './system-strip.js';
import { TasksPanel } from './tasks-panel.js';

const EVERY_MS = 30_000;
const partOf = (at: string, part: Intl.DateTimeFormatOptions): string =>
  new Date(`${at.slice(0, 10)}T00:00:00Z`).toLocaleDateString(locale, { ...part, timeZone: 'UTC' });
const RANGE = 'range';

/** The parts of a day, of which each language uses its own. */
const dayOf = (at: string) => ({
  month: language === 'en' ? partOf(at, { month: 'long' }) : Number(at.slice(5, 7)),
  d: Number(at.slice(8, 10)),
  weekday: partOf(at, { weekday: 'short' }),
});
const rangeOf = (text: string | null): Range => TODAY_RANGES.find((range) => range === text) ?? 'today';

/** The places of the figures and of the chart, or why they are not there. */
function Waiting({ query }: { query: EndpointQuery<typeof getToday> }) {
  return (
    <>
      {!query.isError &&
        [1, 2, 3, 4].map((place) => (
          <div key={place} className="card span-3 figure-card">
            <TableSkeleton rows={2} columns={1} />
          </div>
        ))}
      <div className="span-8">
        <section className="card">
          <Loaded query={query} rows={8}>
            {() => null}
          </Loaded>
        </section>
      </div>
    </>
  );
}

/** What waits, and how the day goes. The range is in the address. */
export default function TodayPage() {
  const t = useMessages('today');
  const [search, setSearch] = useSearchParams();
  const range = rangeOf(search.get(RANGE));
  const refetchInterval = usePollInterval(EVERY_MS);
  const today = useEndpoint(getToday, { range }, { refetchInterval });
  const tasks = useEndpoint(listTasks, {}, { refetchInterval });
  const system = useEndpoint(getSystem, {}, { refetchInterval });
  const waits = (total: number, amount: number): string => {
    if (total === 0) return t('nothingWaits');
    return amount > 0
      ? t('waiting', { n: grouped(total), amount: yuan(amount) })
      : t('waitingNoMoney', { n: grouped(total) });
  };
  return (
    <>
      <PageHeader
        title={t('title')}
        note={
          today.data ? (
            <>
              {t('dayAndTime', { ...dayOf(today.data.at), time: today.data.at.slice(11, 16) })}
              {tasks.data && waits(tasks.data.total, tasks.data.amount)}
            </>
          ) : (
            '\u00a0'
          )
        }
      >
        {today.data && <span className="faint numeric updated">{t('updated', { time: today.data.at.slice(11) })}</span>}
        <Segmented<Range>
          size="small"
          aria-label={t('range')}
          options={TODAY_RANGES.map((value) => ({ value, label: t(`range_${value}`) }))}
          value={range}
          onChange={(value) => setSearch(value === 'today' ? {} : { [RANGE]: value }, { replace: true })}
        />
      </PageHeader>
      <div className="grid">
        <div className="span-8">
          <TasksPanel query={tasks} />
        </div>
        <div className="span-4">
          <LedgerCard />
        </div>
        {today.data ? (
          <>
            <Figures today={today.data} system={system.data} range={range} />
            <div className="span-8">
              <MirroredBarChart today={today.data} />
            </div>
          </>
        ) : (
          <Waiting query={today} />
        )}
        <div className="span-4">
          <ChannelsPanel />
        </div>
        <div className="span-12">
          <SystemStrip query={system} />
        </div>
      </div>
    </>
  );
}
