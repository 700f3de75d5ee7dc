import { CanAccess } from '@refinedev/core';
import type { Response } from '@yiqiao/contracts/endpoint';
import { getMargin } from '@yiqiao/contracts/operator/margin';
import { Segmented } from 'antd';
import dayjs from 'dayjs';
import type { ReactNode } from 'react';
import { Link, useSearchParams } from 'react-router';
import { grouped } from '../../../shared/amounts.js';
import { useMessages } from '../../../shared/i18n/messages.js';
import { type EndpointQuery, useEndpoint } from '../../../shared/refine/use-endpoint.js';
import { Card } from '../../../shared/ui/card.js';
import { FigureStrip } from '../../shared/figure-strip.js';
import { Loaded } from '../../shared/states.js';
import { usePollInterval } from '../../shared/presence.js';
import { marginOf, moneyOf, perMillion, type Sums } from './margin-words.js';

type Margin = Response<typeof getMargin>;

const EVERY_MS = 60_000;
const DAYS = [7, 30, 90] as const;
const VIEWS = ['channel', 'plan', 'day'] as const;
type View = (typeof VIEWS)[number];

/** The time and the view are in the address. */
export function useMargin() {
  const [search, setSearch] = useSearchParams();
  const days = DAYS.find((n) => String(n) === search.get('days')) ?? 30;
  const view: View = VIEWS.find((name) => name === search.get('by')) ?? 'channel';
  const today = dayjs();
  const query = useEndpoint(
    getMargin,
    { from: today.subtract(days - 1, 'day').format('YYYY-MM-DD'), to: today.format('YYYY-MM-DD') },
    { refetchInterval: usePollInterval(EVERY_MS) },
  );
  const change = (name: 'days' | 'by', value: string): void =>
    setSearch(
      (old) => {
        const next = new URLSearchParams(old);
        next.set(name, value);
        return next;
      },
      { replace: true },
    );
  return { query, days, view, change };
}

type MarginView = ReturnType<typeof useMargin>;

/** What members paid for what they used, what vendors asked for it, and what is left. */
export function MarginFigures({ query, days }: { query: EndpointQuery<typeof getMargin>; days: number }) {
  const t = useMessages('vendors');
  return (
    <section className="card" aria-label={t('figures')}>
      <Loaded query={query} rows={2}>
        {({ total, channels, saved }) => {
          const { margin, share } = marginOf(total);
          const worst = channels.toSorted((a, b) => marginOf(a).margin - marginOf(b).margin)[0];
          const isLosing = worst !== undefined && marginOf(worst).margin < 0;
          const correction = total.cost - total.contractCost;
          return (
            <FigureStrip
              figures={[
                {
                  name: t('value'),
                  unit: '¥',
                  value: moneyOf(total.value, 'whole').slice(1),
                  note: t('ofDays', { days, chars: grouped(total.chars) }),
                },
                {
                  name: t('cost'),
                  unit: '¥',
                  value: moneyOf(total.cost, 'whole').slice(1),
                  note: correction === 0 ? t('byContract') : t('byBills', { n: moneyOf(correction, 'signed') }),
                },
                {
                  name: t('margin'),
                  unit: margin < 0 ? '−¥' : '¥',
                  value: moneyOf(Math.abs(margin), 'whole').slice(1),
                  after: share ?? undefined,
                  tone: margin < 0 ? 'danger-text' : undefined,
                  note: t('memorySaved', { n: moneyOf(saved.cost, 'whole') }),
                },
                isLosing
                  ? {
                      name: t('attention'),
                      value: (
                        <>
                          <span className="dynamic-text">{worst.name}</span> {moneyOf(marginOf(worst).margin, 'whole')}
                        </>
                      ),
                      tone: 'danger-text',
                      note: t('losing', {
                        cost: perMillion(worst.cost, worst.chars),
                        value: perMillion(worst.value, worst.chars),
                      }),
                    }
                  : {
                      name: t('attention'),
                      value: <span className="dynamic-text">{t('nothing')}</span>,
                      note: total.costless > 0 ? t('costless', { n: grouped(total.costless) }) : t('noChannelLoses'),
                    },
              ]}
            />
          );
        }}
      </Loaded>
    </section>
  );
}

export function MarginPanel({ query, days, view, change }: MarginView) {
  const t = useMessages('vendors');
  return (
    <Card title={t('marginTitle')} note={t('marginNote')} className="margin-card">
      <div className="margin-choice">
        <Segmented
          size="small"
          aria-label={t('marginBy')}
          value={view}
          options={VIEWS.map((value) => ({ value, label: t(`by_${value}`) }))}
          onChange={(value) => change('by', value)}
        />
        <Segmented
          size="small"
          aria-label={t('marginTime')}
          value={String(days)}
          options={DAYS.map((n) => ({ value: String(n), label: t('lastDays', { n }) }))}
          onChange={(value) => change('days', value)}
        />
      </div>
      <Loaded query={query} rows={8}>
        {(margin) => <MarginTable margin={margin} view={view} />}
      </Loaded>
    </Card>
  );
}

type Row = Sums & { key: string; name: ReactNode; price?: ReactNode };

function useRows({ channels, plans, days }: Margin, view: View): Row[] {
  const t = useMessages('vendors');
  if (view === 'plan')
    return plans.map(({ id, name, ...sums }) => ({
      key: String(id),
      name: <b className="dynamic-text">{name}</b>,
      ...sums,
    }));
  if (view === 'day')
    return days
      .toReversed()
      .map(({ day, ...sums }) => ({ key: day, name: <span className="numeric">{day}</span>, ...sums }));
  return channels
    .filter(({ chars, minutes, cost }) => chars + minutes + cost > 0)
    .map(({ id, code, name, price, ...sums }) => ({
      key: String(id),
      name: <b className="dynamic-text">{name}</b>,
      price: (
        <>
          {t('micro', { n: grouped(price) })}
          <CanAccess resource="prices" action="price.change">
            <Link className="link margin-change" to="/plans/channels" aria-label={t('changePrice', { channel: code })}>
              {t('change')}
            </Link>
          </CanAccess>
        </>
      ),
      ...sums,
    }));
}

function MarginTable({ margin, view }: { margin: Margin; view: View }) {
  const t = useMessages('vendors');
  const rows = useRows(margin, view);
  if (rows.length === 0) return <p className="muted margin-none">{t('marginNone')}</p>;
  const most = Math.max(1, ...rows.flatMap(({ value, cost }) => [value, cost]));
  const hasMinutes = margin.total.minutes > 0;
  const cells = (sums: Sums): ReactNode => {
    const { margin: left, share } = marginOf(sums);
    const tone = left < 0 ? ' danger-text' : '';
    return (
      <>
        <td className="end">{grouped(sums.chars)}</td>
        {hasMinutes && <td className="end muted">{sums.minutes === 0 ? '—' : grouped(sums.minutes)}</td>}
        <td className="end">{moneyOf(sums.value)}</td>
        <td className="end">{moneyOf(sums.cost)}</td>
        <td className={`end${tone}`}>
          <b>{moneyOf(left)}</b>
        </td>
        <td className={left < 0 ? 'end danger-text' : 'end success-text'}>{share ?? '—'}</td>
      </>
    );
  };
  return (
    <div className="table-scroll rows-scroll" role="region" aria-label={t('marginTitle')} tabIndex={0}>
      <table className="rows-table numeric margin-table">
        <thead>
          <tr>
            <th scope="col">{t(`head_${view}`)}</th>
            {view === 'channel' && (
              <th scope="col" className="end">
                {t('columnPrice')}
              </th>
            )}
            <th scope="col" className="end">
              {t('columnUsed')}
            </th>
            {hasMinutes && (
              <th scope="col" className="end">
                {t('columnMinutes')}
              </th>
            )}
            <th scope="col" className="end">
              {t('columnValue')}
            </th>
            <th scope="col" className="end">
              {t('columnCost')}
            </th>
            <th scope="col" className="end">
              {t('margin')}
            </th>
            <th scope="col" className="end">
              {t('columnRatio')}
            </th>
            <th scope="col" className="margin-bars">
              {t('marginTitle')}
            </th>
          </tr>
        </thead>
        <tbody>
          {rows.map(({ key, name, price, ...sums }) => (
            <tr key={key}>
              <th scope="row">{name}</th>
              {view === 'channel' && <td className="end muted">{price}</td>}
              {cells(sums)}
              <td className="margin-bars" aria-hidden="true">
                <i style={{ width: `${(sums.value / most) * 100}%` }} />
                <i
                  className={sums.cost > sums.value ? 'cost losing' : 'cost'}
                  style={{ width: `${(sums.cost / most) * 100}%` }}
                />
              </td>
            </tr>
          ))}
        </tbody>
        <tfoot>
          <tr>
            <th scope="row">{t('sum')}</th>
            {view === 'channel' && <td />}
            {cells(margin.total)}
            <td className="margin-legend">
              <i className="value" /> {t('columnValue')} <i className="cost" /> {t('columnCost')}{' '}
              <i className="losing" /> {t('losingLegend')}
            </td>
          </tr>
        </tfoot>
      </table>
    </div>
  );
}
