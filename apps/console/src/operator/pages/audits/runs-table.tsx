import { useTable } from '@refinedev/antd';
import { Table } from 'antd';
import { Link } from 'react-router';
import { grouped } from '../../../shared/amounts.js';
import { panelPages } from '../../../shared/antd/named-pages.js';
import { useMessages } from '../../../shared/i18n/messages.js';
import { Card } from '../../../shared/ui/card.js';
import { Empty } from '../../../shared/ui/empty.js';
import { Icon } from '../../../shared/ui/icon.js';
import { isOperator } from '../../shared/actor.js';
import { clockOf } from '../../shared/clock.js';
import { LoadError } from '../../shared/states.js';
import { percentOf, type RunRow, shareOf, shortTime, useRunWords } from './run-words.js';

const PAGE = 10;

/** The runs of the console, of the night and of the command line, newest first. */
export function RunsTable() {
  const t = useMessages('audits');
  const words = useRunWords();
  const { tableProps, tableQuery } = useTable<RunRow>({
    resource: 'audit-runs',
    pagination: { pageSize: PAGE },
    errorNotification: false,
  });
  if (tableQuery.isError && !tableQuery.data)
    return <LoadError title={t('historyTitle')} error={tableQuery.error} onReload={() => void tableQuery.refetch()} />;
  return (
    <Card title={t('historyTitle')}>
      <Table<RunRow>
        {...tableProps}
        className="panel-table"
        size="small"
        rowKey="id"
        scroll={{ x: 'max-content' }}
        expandable={{
          showExpandColumn: false,
          expandedRowKeys: (tableProps.dataSource ?? []).flatMap(({ id, firstDifference }) =>
            firstDifference ? [id] : [],
          ),
          expandedRowRender: ({ firstDifference }) => firstDifference && <FirstOf difference={firstDifference} />,
        }}
        pagination={panelPages(tableProps.pagination)}
        locale={{ emptyText: <Empty title={t('historyEmpty')}>{t('historyEmptyWhy')}</Empty> }}
        columns={[
          {
            key: 'begun',
            title: t('begun'),
            rowScope: 'row',
            render: (_, run) => <span className="numeric">{shortTime(run.startedAt ?? run.createdAt)}</span>,
          },
          { key: 'scope', title: t('scope'), render: (_, run) => words.scope(run) },
          { key: 'depth', title: t('depth'), render: (_, run) => t(`depth_${run.depth}`) },
          { key: 'entries', title: t('entries'), align: 'right', render: (_, run) => grouped(run.entries) },
          { key: 'duration', title: t('duration'), align: 'right', render: (_, run) => clockOf(run.seconds) },
          { key: 'rate', title: t('perSecond'), align: 'right', render: (_, run) => grouped(run.averagePerSecond) },
          { key: 'result', title: t('result'), render: (_, run) => <Result run={run} /> },
          { key: 'by', title: t('by'), render: (_, run) => <By run={run} /> },
          {
            key: 'report',
            align: 'right',
            render: (_, run) => (
              <Link className="link" to={`/ledger/audits/${run.id}`} aria-label={`${t('report')} #${run.id}`}>
                {t('report')}
              </Link>
            ),
          },
        ]}
      />
    </Card>
  );
}

/** What a run found first, below its row. */
function FirstOf({ difference }: { difference: NonNullable<RunRow['firstDifference']> }) {
  const t = useMessages('audits');
  const { where } = useRunWords();
  const { what, expected, found } = difference;
  const isHash = what === 'hash';
  return (
    <p className="audit-first">
      {where(difference)} <span className="mono">{what}</span> {t('expected')}{' '}
      <b className="mono">{isHash ? shortHash(expected) : expected}</b> {t('found')}{' '}
      <b className="mono audit-bad">{isHash ? shortHash(found) : found}</b>
    </p>
  );
}

const shortHash = (hash: string): string => `${hash.slice(0, 8)}…${hash.slice(-4)}`;

/** A run that an operator started carries the operator's colour. */
function By({ run }: { run: RunRow }) {
  const { who } = useRunWords();
  if (!isOperator(run.startedBy)) return who(run);
  return (
    <span className="badge hand dynamic-text">
      <Icon name="stamp" />
      {who(run)}
    </span>
  );
}

function Result({ run }: { run: RunRow }) {
  const t = useMessages('audits');
  const { differences } = useRunWords();
  switch (run.state) {
    case 'waiting':
      return <span className="state">{t('runWaiting')}</span>;
    case 'running':
      return (
        <span className="state">
          {t('runRunning')} {percentOf(shareOf(run))}
        </span>
      );
    case 'whole':
      return <span className="state ok">{t('runWhole')}</span>;
    case 'different':
      return <span className="state bad">{differences(run)}</span>;
    case 'cancelled':
      return <span className="state">{t('runCancelled')}</span>;
    case 'failed':
      return <span className="state warning">{t('runFailed')}</span>;
  }
}
