import './audits.css';
import { Button } from 'antd';
import { Link, useParams } from 'react-router';
import { useMessages } from '../../../shared/i18n/messages.js';
import { Icon } from '../../../shared/ui/icon.js';
import { PageHeader } from '../../../shared/ui/page-header.js';
import { Loaded } from '../../shared/states.js';
import { DifferenceTable, FirstDifference } from './differences.js';
import { RunPanel } from './run-panel.js';
import { RunSteps } from './run-steps.js';
import { isUnderWay, useRunWords } from './run-words.js';
import { useRun, useRunCommands } from './use-run.js';

/** The report of one run. */
export default function AuditPage() {
  const t = useMessages('audits');
  const id = Number(useParams()['id']);
  const query = useRun(id);
  const { scope } = useRunWords();
  const { may, cancel, resume } = useRunCommands();
  const run = query.data;
  const canResume = run?.state === 'cancelled' || run?.state === 'failed';
  return (
    <>
      <PageHeader title={t('reportTitle', { id })} note={run && `${scope(run)} · ${t(`depth_${run.depth}`)}`}>
        <Link className="button button-default" to="/ledger/audits">
          <Icon name="back" />
          {t('back')}
        </Link>
        {run && isUnderWay(run) && (
          <Button disabled={!may?.can} loading={cancel.isPending} onClick={() => cancel.mutate({ id: String(id) })}>
            {t('stop')}
          </Button>
        )}
        {canResume && (
          <Button
            type="primary"
            disabled={!may?.can}
            loading={resume.isPending}
            onClick={() => resume.mutate({ id: String(id) })}
          >
            {t('resume')}
          </Button>
        )}
      </PageHeader>
      <div className="grid">
        <div className="span-8 audit-column">
          <Loaded query={query} title={t('reportTitle', { id })} rows={6}>
            {(shown) => (
              <>
                <RunPanel run={shown} />
                <FirstDifference run={shown} />
                <DifferenceTable run={shown} />
              </>
            )}
          </Loaded>
        </div>
        <div className="span-4">
          <RunSteps run={run} />
        </div>
      </div>
    </>
  );
}
