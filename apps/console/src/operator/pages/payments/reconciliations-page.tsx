import type { Request, Response } from '@yiqiao/contracts/endpoint';
import { getMoneyLine } from '@yiqiao/contracts/operator/payments';
import { listDifferences, listReconciliations, startReconciliation } from '@yiqiao/contracts/operator/reconciliations';
import { PAGE_SIZE } from '@yiqiao/domain/limits';
import { Button, Segmented, Table } from 'antd';
import { useState } from 'react';
import { Link } from 'react-router';
import { grouped, yuan } from '../../../shared/amounts.js';
import { SearchBox } from '../../../shared/antd/search-box.js';
import { useMessages } from '../../../shared/i18n/messages.js';
import { useEndpoint, useEndpointMutation } from '../../../shared/refine/use-endpoint.js';
import { Card } from '../../../shared/ui/card.js';
import { Empty } from '../../../shared/ui/empty.js';
import { Icon } from '../../../shared/ui/icon.js';
import { toast } from '../../../shared/ui/toast.js';
import { Loaded } from '../../shared/states.js';
import { usePollInterval } from '../../shared/use-poll-interval.js';
import { DifferencesTable } from './differences-table.js';
import { ImportDialog } from './import-dialog.js';
import { DayFields } from './orders-page.js';
import { downloadOf, momentsOf, PaymentsHeader, useAddress } from './payments-frame.js';
import { usePaymentCommands } from './use-payment-commands.js';

type Run = Response<typeof listReconciliations>['rows'][number];

const RUNS = 10;
const RUNNING_MS = 2_000;
const IDLE_MS = 30_000;
const DAYS = 31;

/** The day `back` days ago, on this machine's calendar. */
const dayAgo = (back: number): string => {
  const day = new Date(Date.now() - back * 86_400_000);
  return [day.getFullYear(), day.getMonth() + 1, day.getDate()].map((n) => String(n).padStart(2, '0')).join('-');
};

/** Runs against statements and gateways, and what they found. */
export default function ReconciliationsPage() {
  const t = useMessages('payments');
  const { filters, page, change } = useAddress(['from', 'to', 'runId', 'state', 'number']);
  const { maySettle, mayImport, readAgain } = usePaymentCommands();
  const [importing, setImporting] = useState(false);
  const [fast, setFast] = useState(false);
  const runs = useEndpoint(
    listReconciliations,
    { pageNum: '1', pageSize: String(RUNS) },
    { refetchInterval: usePollInterval(fast ? RUNNING_MS : IDLE_MS) },
  );
  const running = runs.data?.rows.find(({ state }) => state === 'running');
  // The run that has ended changes what the other panels show.
  if (fast !== Boolean(running)) {
    setFast(Boolean(running));
    if (fast) void readAgain();
  }
  const start = useEndpointMutation(startReconciliation, {
    onSuccess: () => {
      toast.success(t('started'));
      return readAgain();
    },
  });
  const days = { from: filters.from ?? dayAgo(DAYS - 1), to: filters.to ?? dayAgo(0) };
  return (
    <>
      <PaymentsHeader note={t('recNote')}>
        <a
          className="button button-default"
          href={downloadOf('/differences/csv', { runId: filters.runId, state: filters.state, number: filters.number })}
          download
        >
          <Icon name="download" />
          {t('download')}
        </a>
      </PaymentsHeader>
      <div className="payment-column">
        <section className="card">
          <div className="payment-filters">
            <DayFields filters={days} onChange={({ from, to }) => change({ ...filters, from, to })} />
            <span className="muted numeric" role="status">
              {running
                ? t('running', { done: grouped(running.done), total: grouped(running.total) })
                : runs.data?.statementsUntil && t('statementsUntil', { time: runs.data.statementsUntil.slice(0, 10) })}
            </span>
            <span className="end">
              <Button disabled={!mayImport?.can} title={mayImport?.reason} onClick={() => setImporting(true)}>
                {t('import')}
              </Button>
              <Button
                icon={<Icon name="refresh" />}
                disabled={!maySettle?.can || Boolean(running)}
                title={maySettle?.reason}
                loading={start.isPending}
                onClick={() => start.mutate(momentsOf(days) as Request<typeof startReconciliation>)}
              >
                {t('run')}
              </Button>
            </span>
          </div>
          <Loaded query={runs} rows={5}>
            {({ rows }) => <Runs rows={rows} shown={filters.runId} />}
          </Loaded>
        </section>
        <Money />
        <Differences filters={filters} page={page} change={change} />
      </div>
      {importing && (
        <ImportDialog
          onClose={() => setImporting(false)}
          onImported={({ id }) => {
            setImporting(false);
            change({ ...filters, runId: String(id), state: undefined });
            void readAgain();
          }}
        />
      )}
    </>
  );
}

function Runs({ rows, shown }: { rows: readonly Run[]; shown: string | undefined }) {
  const t = useMessages('payments');
  const sum = (run: Run, of: 'there' | 'here') => run.totals.reduce((total, each) => total + each[of], 0);
  return (
    <Table<Run>
      className="payment-table"
      size="small"
      rowKey="id"
      pagination={false}
      scroll={{ x: 'max-content' }}
      dataSource={[...rows]}
      rowClassName={({ id }) => (String(id) === shown ? 'ant-table-row-selected' : '')}
      locale={{ emptyText: <Empty title={t('noRuns')}>{t('noRunsWhy')}</Empty> }}
      columns={[
        {
          key: 'at',
          title: t('runs'),
          className: 'numeric',
          rowScope: 'row',
          render: (_, { startedAt }) => startedAt.slice(5, 16),
        },
        {
          key: 'source',
          title: t('source'),
          render: (_, run) => (
            <>
              {t(`run_${run.source}`)}{' '}
              <span className="faint dynamic-text">
                {run.files.length > 0
                  ? run.files.map(({ name }) => name).join(', ')
                  : run.totals.map(({ gateway }) => t(`gateway_${gateway}`)).join(', ')}
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
          key: 'there',
          title: t('there'),
          align: 'right',
          className: 'numeric',
          render: (_, run) => `¥${yuan(sum(run, 'there'))}`,
        },
        {
          key: 'here',
          title: t('here'),
          align: 'right',
          className: 'numeric',
          render: (_, run) => `¥${yuan(sum(run, 'here'))}`,
        },
        {
          key: 'difference',
          title: t('difference'),
          align: 'right',
          className: 'numeric',
          render: (_, run) => {
            const difference = sum(run, 'there') - sum(run, 'here');
            return difference === 0 ? '0' : <span className="negative">{yuan(difference)}</span>;
          },
        },
        {
          key: 'found',
          title: t('found'),
          render: (_, { state, open, differences }) => {
            if (state === 'running') return <span className="state">{t('running2')}</span>;
            if (state === 'failed') return <span className="state warning">{t('failed')}</span>;
            const look = open > 0 ? 'bad' : 'ok';
            return (
              <span className={`state ${look}`}>{t('openOf', { open: grouped(open), n: grouped(differences) })}</span>
            );
          },
        },
        { key: 'by', title: t('by'), render: (_, { startedBy }) => <span className="dynamic-text">{startedBy}</span> },
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
  );
}

/** The money line of the trial balance. */
function Money() {
  const t = useMessages('payments');
  const query = useEndpoint(getMoneyLine, {});
  return (
    <Card title={t('money')} note={t('moneyNote')}>
      <Loaded query={query} rows={2}>
        {({ paid, refunded, recharged, difference, statement }) => (
          <dl className="facts card-body">
            {(
              [
                ['mPaid', paid],
                ['mRefunded', -refunded],
                ['mRecharged', recharged],
                ['mDifference', difference],
                ['mStatement', statement.paid - statement.refunded],
              ] as const
            ).map(([name, fen]) => (
              <div key={name}>
                <dt>{t(name)}</dt>
                <dd className="numeric">
                  {fen < 0 ? '−' : ''}¥{yuan(Math.abs(fen))}
                </dd>
              </div>
            ))}
          </dl>
        )}
      </Loaded>
    </Card>
  );
}

type Address = ReturnType<typeof useAddress<'from' | 'to' | 'runId' | 'state' | 'number'>>;

function Differences({ filters, page, change }: Pick<Address, 'filters' | 'page' | 'change'>) {
  const t = useMessages('payments');
  const { runId, number } = filters;
  // Everything of a run; otherwise what is still open.
  const state = filters.state ?? (runId === undefined ? 'open' : 'all');
  const query = useEndpoint(listDifferences, {
    ...(runId === undefined ? {} : { runId }),
    ...(number === undefined ? {} : { number }),
    ...(state === 'open' || state === 'closed' ? { state } : {}),
    pageNum: String(page),
    pageSize: String(PAGE_SIZE),
  });
  return (
    <section className="card">
      <div className="exceptions-head">
        <h2>{runId === undefined ? t('differences') : t('differencesOf', { id: runId })}</h2>
        <div className="differences-find">
          <SearchBox
            value={number ?? ''}
            label={t('numberHint')}
            onSearch={(asked) => change({ ...filters, number: asked })}
          />
        </div>
        <Segmented
          size="small"
          aria-label={t('show')}
          value={state}
          options={[
            { value: 'all', label: t('all') },
            { value: 'open', label: t('stateOpen') },
            { value: 'closed', label: t('stateClosed') },
          ]}
          onChange={(value) => change({ ...filters, state: value })}
        />
      </div>
      <Loaded query={query} rows={5}>
        {({ rows, total }) => (
          <DifferencesTable
            rows={rows}
            total={total}
            page={page}
            onPage={(next) => change({ ...filters, page: String(next) })}
          />
        )}
      </Loaded>
      <p className="payments-foot">{t('recFoot')}</p>
    </section>
  );
}
