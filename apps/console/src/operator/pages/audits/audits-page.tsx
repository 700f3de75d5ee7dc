import './audits.css';
import { Button, Tooltip } from 'antd';
import { useState } from 'react';
import { useMessages } from '../../../shared/i18n/messages.js';
import { Empty } from '../../../shared/ui/empty.js';
import { Icon } from '../../../shared/ui/icon.js';
import { PageHeader } from '../../../shared/ui/page-header.js';
import { Loaded } from '../../shared/states.js';
import { ClosesPanel } from './closes-panel.js';
import { DifferenceTable, FirstDifference } from './differences.js';
import { RunPanel } from './run-panel.js';
import { NextSteps, RunSteps } from './run-steps.js';
import { RunsTable } from './runs-table.js';
import { StartDialog } from './start-dialog.js';
import { TrialBalancePanel } from './trial-balance.js';
import { useLedgerStatus, useRun, useRunCommands } from './use-run.js';

/** Audit and close (OPERATOR.md §2). */
export default function AuditsPage() {
  const t = useMessages('operator');
  const a = useMessages('audits');
  const status = useLedgerStatus();
  const { may, start, cancel } = useRunCommands();
  const [asking, setAsking] = useState(false);
  const { running, last, readOnly = [] } = status.data ?? {};
  const mayRun = may?.can ?? false;
  const why = running ? a('alreadyRunning') : may?.reason;
  return (
    <>
      <PageHeader title={t('pageAudits')} note={a('note')}>
        {running && (
          <Button
            icon={<Icon name="close" />}
            disabled={!mayRun}
            loading={cancel.isPending}
            onClick={() => cancel.mutate({ id: String(running.id) })}
          >
            {a('stop')}
          </Button>
        )}
        <Button icon={<Icon name="user" />} disabled={!mayRun} onClick={() => setAsking(true)}>
          {a('auditOne')}
        </Button>
        <Tooltip title={running || !mayRun ? why : a('auditNewWhy')}>
          <Button
            icon={<Icon name="clock" />}
            disabled={!mayRun || Boolean(running) || !status.data}
            onClick={() => start.mutate({ scope: 'all', depth: 'anchors' })}
          >
            {a('auditNew')}
          </Button>
        </Tooltip>
        <Tooltip title={running || !mayRun ? why : a('auditAllWhy')}>
          <Button
            type="primary"
            icon={<Icon name="shield" />}
            disabled={!mayRun || Boolean(running) || !status.data}
            loading={start.isPending && !asking}
            onClick={() => start.mutate({ scope: 'all', depth: 'full' })}
          >
            {a(last?.state === 'different' ? 'auditAgain' : 'auditAll')}
          </Button>
        </Tooltip>
      </PageHeader>
      <div className="grid">
        <Loaded query={status} title={a('progress')}>
          {(found) => {
            const shown = found.running ?? found.last;
            return (
              <>
                {shown ? <Shown key={shown.id} id={shown.id} /> : <Nothing />}
                <Beside status={found} />
              </>
            );
          }}
        </Loaded>
        <div className="span-12">
          <TrialBalancePanel />
        </div>
        <div className="span-12">
          <ClosesPanel />
        </div>
        <div className="span-12">
          <RunsTable />
        </div>
      </div>
      {asking && <StartDialog start={start} onClose={() => setAsking(false)} />}
      <span className="visually-hidden" role="status">
        {readOnly.length > 0 ? a('nextClosed', { n: readOnly.length }) : ''}
      </span>
    </>
  );
}

/** The run under way, or the last one over everything. */
function Shown({ id }: { id: number }) {
  return (
    <div className="span-8 audit-column">
      <Loaded query={useRun(id)} rows={6}>
        {(run) => (
          <>
            <RunPanel run={run} />
            <FirstDifference run={run} />
            <DifferenceTable run={run} />
          </>
        )}
      </Loaded>
    </div>
  );
}

/** What to do about families that are read-only, whichever run found them, and what an audit reads. */
function Beside({ status }: { status: NonNullable<ReturnType<typeof useLedgerStatus>['data']> }) {
  const { running, last, readOnly } = status;
  const { data: run } = useRun((running ?? last)?.id);
  return (
    <div className="span-4 audit-column">
      {readOnly.length > 0 && <NextSteps status={status} />}
      {(readOnly.length === 0 || running) && <RunSteps run={run} />}
    </div>
  );
}

function Nothing() {
  const a = useMessages('audits');
  return (
    <div className="span-8 card">
      <Empty title={a('historyEmpty')}>{a('historyEmptyWhy')}</Empty>
    </div>
  );
}
