import { useCan } from '@refinedev/core';
import type { Response } from '@yiqiao/contracts/endpoint';
import { getLedgerStatus, startAuditRun } from '@yiqiao/contracts/operator/audits';
import { listCloses } from '@yiqiao/contracts/operator/closes';
import { getTrialBalance } from '@yiqiao/contracts/operator/trial-balance';
import { Button } from 'antd';
import type { ReactNode } from 'react';
import { Link, useNavigate } from 'react-router';
import { grouped } from '../../../shared/amounts.js';
import { useMessages } from '../../../shared/i18n/messages.js';
import { useEndpoint, useEndpointMutation, useInvalidateEndpoint } from '../../../shared/refine/use-endpoint.js';
import { StateIllustration } from '../../../shared/ui/empty.js';
import { Icon } from '../../../shared/ui/icon.js';
import { useAge } from '../../shared/age.js';
import { Loaded } from '../../shared/states.js';
import { usePollInterval } from '../../shared/presence.js';

type Status = Response<typeof getLedgerStatus>;

/** Summing the whole ledger is not something to do twice a minute. */
const BOOKS_EVERY_MS = 5 * 60_000;

/** The last proof of the whole ledger, and what has come since. Blank where nothing is known. */
export function LedgerCard() {
  const t = useMessages('today');
  const query = useEndpoint(getLedgerStatus, {});
  return (
    <section className="card ledger-card" aria-label={t('ledger')}>
      <Loaded query={query} rows={6}>
        {(status) => <Proof status={status} />}
      </Loaded>
    </section>
  );
}

function Proof({ status }: { status: Status }) {
  const t = useMessages('today');
  const { last, lastFull, readOnly } = status;
  const different = last?.state === 'different' || lastFull?.state === 'different' || readOnly.length > 0;
  return (
    <>
      <StateIllustration state={different ? 'broken' : 'empty'} />
      <h2>{t(different ? 'ledgerDifferent' : last ? 'ledgerWhole' : 'ledgerNone')}</h2>
      {last && (
        <p className="muted numeric">
          {t(last.depth === 'full' ? 'provenAt' : 'provenSince', {
            time: last.finishedAt?.slice(5, 16) ?? '',
            n: grouped(last.entries),
          })}
        </p>
      )}
      <dl className="facts">
        <Facts status={status} />
      </dl>
      <Actions status={status} />
    </>
  );
}

const Fact = ({ name, look, children }: { name: string; look?: string; children: ReactNode }) => (
  <div>
    <dt>{name}</dt>
    <dd className={look}>{children}</dd>
  </div>
);

const lookOf = (isGood: boolean): string => (isGood ? 'ok-text' : 'bad-text');

function Facts({ status: { last, lastFull, running, next, nextDepth, readOnly } }: { status: Status }) {
  const t = useMessages('today');
  const age = useAge();
  const refetchInterval = usePollInterval(BOOKS_EVERY_MS);
  const balance = useEndpoint(getTrialBalance, {}, { refetchInterval }).data;
  const close = useEndpoint(listCloses, { pageNum: '1', pageSize: '1' }, { refetchInterval }).data?.rows[0];
  const entries = balance?.lines.reduce((sum, line) => sum + (line.entries ?? 0), 0);
  const open = balance && Object.values(balance.difference).find((n) => n !== 0);
  const anchored = close?.witnesses.filter(({ state }) => state === 'anchored').length ?? 0;
  return (
    <>
      {last && (
        <>
          <Fact name={t('accounts')}>
            {grouped(last.accounts)} / {grouped(last.families)}
          </Fact>
          <Fact name={t('took')}>{age(Math.max(1, Math.round(last.seconds)))}</Fact>
          {last.differenceCount > 0 && (
            <Fact name={t('differences')} look="bad-text">
              {grouped(last.differenceCount)}
            </Fact>
          )}
          {last.depth === 'anchors' && (
            <Fact name={t('lastFull')}>{lastFull?.startedAt?.slice(5, 16) ?? t('never')}</Fact>
          )}
          {entries !== undefined && last.depth === 'full' && (
            <Fact name={t('sinceProof')}>{t('nEntries', { n: grouped(Math.max(0, entries - last.entries)) })}</Fact>
          )}
        </>
      )}
      {readOnly.length > 0 && (
        <Fact name={t('readOnlyFamilies')} look="bad-text">
          {grouped(readOnly.length)}
        </Fact>
      )}
      {close && (
        <Fact name={t('lastClose', { date: close.date.slice(5) })} look={lookOf(close.signatureValid)}>
          {close.signatureValid ? t('closeSigned', { n: anchored }) : t('closeUnsigned')}
        </Fact>
      )}
      {balance && (
        <Fact name={t('trialDifference')} look={lookOf(open === undefined)}>
          {grouped(open ?? 0)}
        </Fact>
      )}
      {running ? (
        <Fact name={t('ledgerRunning')}>
          {grouped(running.entries)} / {grouped(running.total)}
        </Fact>
      ) : (
        next !== null && <Fact name={t(nextDepth === 'full' ? 'nextFullAudit' : 'nextAudit')}>{next.slice(5, 16)}</Fact>
      )}
    </>
  );
}

function Actions({ status: { running, readOnly } }: { status: Status }) {
  const t = useMessages('today');
  const navigate = useNavigate();
  const invalidate = useInvalidateEndpoint();
  const { data: may } = useCan({ resource: 'audit-runs', action: 'audit.run' });
  const start = useEndpointMutation(startAuditRun, {
    onSuccess: async ({ id }) => {
      await invalidate(getLedgerStatus);
      await navigate(`/ledger/audits/${id}`);
    },
  });
  const broken = readOnly.find(({ account }) => account !== 0);
  return (
    <p className="ledger-actions">
      {running ? (
        <Link className="button button-primary" to={`/ledger/audits/${running.id}`}>
          <Icon name="shield" />
          {t('lookAtAudit')}
        </Link>
      ) : (
        <Button
          type="primary"
          icon={<Icon name="shield" />}
          disabled={!may?.can}
          title={may?.reason}
          loading={start.isPending}
          onClick={() => start.mutate({ scope: 'all', depth: 'full' })}
        >
          {t('auditNow')}
        </Button>
      )}
      <Link className="button button-default" to={broken ? `/ledger/replay/${broken.account}` : '/ledger/replay'}>
        <Icon name="history" />
        {t('timeMachine')}
      </Link>
    </p>
  );
}
