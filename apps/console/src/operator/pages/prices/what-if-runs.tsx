import { useTable } from '@refinedev/antd';
import { compareWhatIfs } from '@yiqiao/contracts/operator/what-if';
import { Table } from 'antd';
import { useState } from 'react';
import { Link, useSearchParams } from 'react-router';
import { grouped, signed } from '../../../shared/amounts.js';
import { panelPages } from '../../../shared/antd/named-pages.js';
import { useEndpoint } from '../../../shared/refine/use-endpoint.js';
import { Card } from '../../../shared/ui/card.js';
import { Empty } from '../../../shared/ui/empty.js';
import { LoadError, Loaded } from '../../shared/states.js';
import type { Prices } from './draft.js';
import { fenOf, plainYuan, shortTime, signedYuan, toneOf, usePriceWords } from './price-words.js';
import { isUnderWay, type WhatIfRow } from './use-what-if.js';
import { useRunChanges } from './what-if-view.js';

const PAGE = 10;
const PAIR = 2;

/** Every run is kept. Two of them can be compared. */
export function WhatIfRuns({ prices }: { prices: Prices }) {
  const { t } = usePriceWords(prices);
  const [picked, setPicked] = useState<number[]>([]);
  const [search] = useSearchParams();
  const changesOf = useRunChanges(prices);
  const { tableProps, tableQuery } = useTable<WhatIfRow>({
    resource: 'what-if',
    pagination: { pageSize: PAGE },
    errorNotification: false,
    queryOptions: { refetchInterval: ({ state }) => (state.data?.data.some(isUnderWay) ? 3_000 : false) },
  });
  if (tableQuery.isError && !tableQuery.data)
    return <LoadError title={t('runs')} error={tableQuery.error} onReload={() => void tableQuery.refetch()} />;
  const open = (id: number): string => {
    const params = new URLSearchParams(search);
    params.set('whatIf', String(id));
    return `/plans?${params.toString()}`;
  };
  const [first, second] = [...picked].sort((a, b) => a - b);
  return (
    <div className="grid">
      {first !== undefined && second !== undefined && (
        <div className="span-12">
          <Compared prices={prices} first={first} second={second} />
        </div>
      )}
      <div className="span-12">
        <Card title={t('runs')} note={t('runsNote')}>
          <Table<WhatIfRow>
            {...tableProps}
            className="panel-table"
            size="small"
            rowKey="id"
            scroll={{ x: 'max-content' }}
            rowSelection={{
              selectedRowKeys: picked,
              hideSelectAll: true,
              columnTitle: <span className="visually-hidden">{t('compare')}</span>,
              onChange: (keys) => setPicked(keys.map(Number).slice(-PAIR)),
              getCheckboxProps: ({ id, state }) =>
                ({ disabled: state !== 'done', 'aria-label': t('compareRun', { id }) }) as { disabled: boolean },
            }}
            pagination={panelPages(tableProps.pagination)}
            locale={{ emptyText: <Empty title={t('noRuns')}>{t('noRunsWhy')}</Empty> }}
            columns={[
              {
                key: 'id',
                title: t('run'),
                rowScope: 'row',
                render: (_, { id }) => (
                  <Link to={open(id)} className="numeric">
                    #{id}
                  </Link>
                ),
              },
              { key: 'at', title: t('time'), render: (_, { createdAt }) => shortTime(createdAt) },
              {
                key: 'span',
                title: t('range'),
                render: (_, { from, to }) => t('span', { from: from.slice(5, 10), to: to.slice(5, 10) }),
              },
              {
                key: 'changes',
                title: t('changed'),
                render: (_, { changes }) => <span className="what-if-changes">{changesOf(changes)}</span>,
              },
              { key: 'state', title: t('result'), render: (_, run) => <State run={run} t={t} /> },
              {
                key: 'paid',
                title: t('paid'),
                align: 'right',
                render: (_, { summary }) => summary && <Money fen={summary.amount.wouldBe - summary.amount.was} />,
              },
              {
                key: 'margin',
                title: t('margin'),
                align: 'right',
                render: (_, { summary }) =>
                  summary && <Money fen={fenOf(summary.margin.wouldBe - summary.margin.was)} />,
              },
              {
                key: 'who',
                title: t('gainLose'),
                align: 'right',
                render: (_, { summary }) =>
                  summary && `${grouped(summary.affected.gains)} / ${grouped(summary.affected.loses)}`,
              },
              { key: 'by', title: t('startedBy'), render: (_, { startedBy }) => startedBy },
            ]}
          />
        </Card>
      </div>
    </div>
  );
}

const Money = ({ fen }: { fen: number }) => <span className={`numeric ${toneOf(fen)}`}>{signedYuan(fen)}</span>;

function State({ run, t }: { run: WhatIfRow; t: ReturnType<typeof usePriceWords>['t'] }) {
  switch (run.state) {
    case 'waiting':
      return <span className="state">{t('stateWaiting')}</span>;
    case 'running':
      return <span className="state">{t('stateRunning')}</span>;
    case 'done':
      return <span className="state ok">{t('state_done')}</span>;
    case 'unsound':
      return <span className="state bad">{t('state_unsound')}</span>;
    case 'failed':
      return <span className="state warning">{t('state_failed')}</span>;
    case 'cancelled':
      return <span className="state">{t('state_cancelled')}</span>;
  }
}

/** Two runs side by side, with what the second one would be without the first. */
function Compared({ prices, first, second }: { prices: Prices; first: number; second: number }) {
  const { t } = usePriceWords(prices);
  const changesOf = useRunChanges(prices);
  const query = useEndpoint(compareWhatIfs, { id: String(first), with: String(second) });
  return (
    <Card title={t('compared', { first, second })} note={t('comparedNote')}>
      <Loaded query={query}>
        {({ first: one, second: other, difference }) => {
          const [a, b] = [one.summary, other.summary];
          if (!a || !b || !difference) return <p className="muted price-none">{t('notComparable')}</p>;
          const isSameTime = one.from === other.from && one.to === other.to;
          const money = (fen: number): string => plainYuan(fen);
          const rows = [
            [t('paid'), money(a.amount.wouldBe), money(b.amount.wouldBe), signedYuan(difference.amount)],
            [t('charged'), grouped(a.charged.wouldBe), grouped(b.charged.wouldBe), signed(difference.charged)],
            [
              t('vendorCost'),
              money(fenOf(a.vendorCost)),
              money(fenOf(b.vendorCost)),
              signedYuan(fenOf(difference.vendorCost)),
            ],
            [
              t('margin'),
              money(fenOf(a.margin.wouldBe)),
              money(fenOf(b.margin.wouldBe)),
              signedYuan(fenOf(difference.margin)),
            ],
            [t('runDry'), grouped(a.dryCount), grouped(b.dryCount), signed(difference.dryCount)],
            [t('who_gains'), grouped(a.affected.gains), grouped(b.affected.gains), signed(difference.gains)],
            [t('who_loses'), grouped(a.affected.loses), grouped(b.affected.loses), signed(difference.loses)],
          ] as const;
          return (
            <>
              {!isSameTime && <p className="remark warning what-if-remark">{t('otherTime')}</p>}
              <div className="table-scroll rows-scroll" role="region" aria-label={t('compare')} tabIndex={0}>
                <table className="rows-table numeric">
                  <thead>
                    <tr>
                      <th scope="col">{t('wouldBe')}</th>
                      {[one, other].map((run) => (
                        <th key={run.id} scope="col" className="end what-if-changes">
                          #{run.id} {changesOf(run.changes)}
                        </th>
                      ))}
                      <th scope="col" className="end">
                        {t('difference')}
                      </th>
                    </tr>
                  </thead>
                  <tbody>
                    {rows.map(([name, was, is, more]) => (
                      <tr key={name}>
                        <th scope="row">{name}</th>
                        <td className="end muted">{was}</td>
                        <td className="end">{is}</td>
                        <td className="end">
                          <b>{more}</b>
                        </td>
                      </tr>
                    ))}
                  </tbody>
                </table>
              </div>
            </>
          );
        }}
      </Loaded>
    </Card>
  );
}
