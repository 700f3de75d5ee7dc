import type { Request } from '@yiqiao/contracts/endpoint';
import { getMoneyLine } from '@yiqiao/contracts/operator/payments';
import {
  getReconciliation,
  listDifferences,
  listReconciliations,
  startReconciliation,
} from '@yiqiao/contracts/operator/reconciliations';
import { PAGE_SIZE } from '@yiqiao/domain/limits';
import { Button, Segmented } from 'antd';
import { useState } from 'react';
import { grouped, yuan } from '../../../shared/amounts.js';
import { SearchBox } from '../../../shared/antd/search-box.js';
import { useMessages } from '../../../shared/i18n/messages.js';
import { useEndpoint, useEndpointMutation } from '../../../shared/refine/use-endpoint.js';
import { Card } from '../../../shared/ui/card.js';
import { Icon } from '../../../shared/ui/icon.js';
import { toast } from '../../../shared/ui/toast.js';
import { clockOf } from '../../shared/clock.js';
import { listed } from '../../shared/listed.js';
import { Loaded } from '../../shared/states.js';
import { usePollInterval } from '../../shared/presence.js';
import { DifferencesTable } from './differences-table.js';
import { ImportDialog } from './import-dialog.js';
import { DayFields } from './day-fields.js';
import { downloadOf, momentsOf, PaymentsHeader, useAddress } from './payments-frame.js';
import type { Run } from './run.js';
import { RunTotals } from './run-totals.js';
import { RunsTable } from './runs-table.js';
import { usePaymentCommands } from './use-payment-commands.js';

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
  const opened = useEndpoint(
    getReconciliation,
    { id: filters.runId ?? '1' },
    { enabled: filters.runId !== undefined },
  ).data;
  // One that is under way has no sums yet. A statement knows one gateway only.
  const compared = (runs.data?.rows ?? []).filter(({ totals }) => totals.length > 0);
  const newest = compared.find(({ source }) => source === 'gateway') ?? compared[0];
  const shown = filters.runId === undefined ? newest : opened;
  const days = {
    from: filters.from ?? opened?.from.slice(0, 10) ?? dayAgo(DAYS - 1),
    to: filters.to ?? opened?.to.slice(0, 10) ?? dayAgo(0),
  };
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
                : listed(
                    shown && t('comparedAt', { at: shown.startedAt.slice(5, 16), took: clockOf(shown.seconds) }),
                    runs.data?.statementsUntil &&
                      t('statementsUntil', { time: runs.data.statementsUntil.slice(5, 10) }),
                  )}
            </span>
            <span className="end">
              <Button
                icon={<Icon name="file" />}
                disabled={!mayImport?.can}
                title={mayImport?.reason}
                onClick={() => setImporting(true)}
              >
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
            {() => <RunTotals run={shown ?? runs.data?.rows[0]} />}
          </Loaded>
        </section>
        {runs.data?.total !== 0 && <Differences run={shown} filters={filters} page={page} change={change} />}
        <Loaded query={runs} rows={5}>
          {({ rows }) => <RunsTable rows={rows} shown={shown?.id} />}
        </Loaded>
        <Money />
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

/** The money line of the trial balance. */
function Money() {
  const t = useMessages('payments');
  const query = useEndpoint(getMoneyLine, {});
  return (
    <Card title={t('money')} note={t('moneyNote')}>
      <Loaded query={query} rows={2}>
        {({ paid, refunded, recharged, difference, statement }) => (
          <dl className="money-line">
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
                <dd className={name === 'mDifference' && fen !== 0 ? 'negative' : undefined}>
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

type DifferencesProps = Pick<Address, 'filters' | 'page' | 'change'> & { run: Run | undefined };

function Differences({ run, filters, page, change }: DifferencesProps) {
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
        <h2 className="numeric">
          {runId === undefined
            ? t('differences', { n: query.data ? grouped(query.data.total) : '' })
            : t('differencesOf', { id: runId })}
        </h2>
        {run?.source === 'gateway' && (
          <small className="faint numeric">
            {t('othersSame', { n: grouped(Math.max(0, run.done - run.differentOrders)) })}
          </small>
        )}
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
