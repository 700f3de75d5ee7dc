import { Table } from 'antd';
import { Link } from 'react-router';
import { grouped } from '../../../shared/amounts.js';
import { useMessages } from '../../../shared/i18n/messages.js';
import { Card } from '../../../shared/ui/card.js';
import { isOperator, useActorName } from '../../shared/actor.js';
import { clockOf } from '../../shared/clock.js';
import { listed } from '../../shared/listed.js';
import { type Run, signedMoney, unbalancedOf } from './run.js';

/** The newest runs; each opens what it has found. */
export function RunsTable({ rows, shown }: { rows: readonly Run[]; shown: number | undefined }) {
  const t = useMessages('payments');
  if (rows.length === 0) return null;
  return (
    <Card title={t('runs')}>
      <Table<Run>
        className="panel-table"
        size="small"
        rowKey="id"
        pagination={false}
        scroll={{ x: 'max-content' }}
        dataSource={[...rows]}
        rowClassName={({ id }) => (id === shown ? 'ant-table-row-selected' : '')}
        columns={[
          {
            key: 'at',
            title: t('begun'),
            className: 'numeric',
            rowScope: 'row',
            render: (_, { startedAt }) => startedAt.slice(5),
          },
          {
            key: 'source',
            title: t('source'),
            render: (_, run) => (
              <>
                {t(`run_${run.source}`)}{' '}
                <span className="faint dynamic-text">
                  {run.files.length > 0
                    ? listed(...run.files.map(({ name }) => name))
                    : listed(...run.totals.map(({ gateway }) => t(`gateway_${gateway}`)))}
                </span>
              </>
            ),
          },
          {
            key: 'span',
            title: t('span'),
            className: 'numeric',
            render: (_, { from, to }) => `${from.slice(0, 10)} – ${to.slice(0, 10)}`,
          },
          {
            key: 'count',
            title: t('count'),
            align: 'right',
            className: 'numeric',
            render: (_, run) => grouped(run.total),
          },
          {
            key: 'seconds',
            title: t('seconds'),
            align: 'right',
            className: 'numeric muted',
            render: (_, run) => (run.finishedAt === null ? '' : clockOf(run.seconds)),
          },
          {
            key: 'difference',
            title: t('difference'),
            align: 'right',
            className: 'numeric',
            render: (_, run) => {
              const difference = unbalancedOf(run);
              return difference === 0 ? '0' : <span className="negative">{signedMoney(difference)}</span>;
            },
          },
          { key: 'found', title: t('found'), render: (_, run) => <Found run={run} /> },
          { key: 'by', title: t('by'), render: (_, { startedBy }) => <By name={startedBy} /> },
          {
            key: 'see',
            align: 'right',
            render: (_, { id }) => (
              <Link className="link" to={`?runId=${id}`} aria-label={`${t('seeRun')} #${id}`}>
                {t('seeRun')}
              </Link>
            ),
          },
        ]}
      />
    </Card>
  );
}

function Found({ run: { state, open, differences } }: { run: Run }) {
  const t = useMessages('payments');
  if (state === 'running') return <span className="state">{t('running2')}</span>;
  if (state === 'failed') return <span className="state warning">{t('failed')}</span>;
  if (differences === 0) return <span className="state ok">{t('allSame')}</span>;
  return (
    <span className={`state ${open > 0 ? 'bad' : 'ok'}`}>
      {t('openOf', { open: grouped(open), n: grouped(differences) })}
    </span>
  );
}

/** A run that an operator started carries the operator's colour. */
function By({ name }: { name: string }) {
  const actorName = useActorName();
  return isOperator(name) ? <span className="badge hand dynamic-text">{name}</span> : actorName(name);
}
