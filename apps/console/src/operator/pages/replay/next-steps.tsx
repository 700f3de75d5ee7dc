import { useCan } from '@refinedev/core';
import { getLedgerStatus, listAuditRuns, startAuditRun } from '@yiqiao/contracts/operator/audits';
import { Button } from 'antd';
import type { ReactNode } from 'react';
import { Link, useNavigate } from 'react-router';
import { grouped } from '../../../shared/amounts.js';
import { useMessages } from '../../../shared/i18n/messages.js';
import { useEndpoint, useEndpointMutation, useInvalidateEndpoint } from '../../../shared/refine/use-endpoint.js';
import { Icon, type IconName } from '../../../shared/ui/icon.js';
import { useReplay } from './use-replay.js';
import { closeAddress, useSeal } from './why-trust.js';

/** After a broken link: what has been done, and what people do, in this order (OPERATOR.md §4). */
export function NextSteps() {
  const t = useMessages('replay');
  const { account, proof } = useReplay();
  const navigate = useNavigate();
  const invalidate = useInvalidateEndpoint();
  const { data: may } = useCan({ resource: 'audit-runs', action: 'audit.run' });
  const status = useEndpoint(getLedgerStatus, {}).data;
  const start = useEndpointMutation(startAuditRun, {
    onSuccess: async ({ id }) => {
      await invalidate(listAuditRuns);
      await navigate(`/ledger/audits/${id}`);
    },
  });
  const broken = proof?.firstBreak ?? null;
  const seal = useSeal(account.userId, broken?.seq ?? null);
  if (!broken) return null;
  const familyId = account.family[0]?.userId ?? account.userId;
  const closed = status?.readOnly.find((family) => family.familyId === familyId);
  const audit = (scope: 'family' | 'all', label: string) => (
    <Button
      size="small"
      disabled={!may?.can}
      title={may?.reason}
      loading={start.isPending}
      onClick={() =>
        start.mutate({ depth: 'full', ...(scope === 'all' ? { scope } : { scope, userId: account.userId }) })
      }
    >
      {label}
    </Button>
  );
  return (
    <section className="card why-card">
      <div className="ct">
        <h2>{t('nextTitle')}</h2>
        <small>{t('nextNote')}</small>
      </div>
      <ol>
        {closed ? (
          <Step icon="lock" look="alarm" text={t('nextClosed')} why={t('nextClosedWhy')} />
        ) : (
          <Step icon="lock" look="alarm" text={t('nextFamily')} why={t('nextFamilyWhy')}>
            {status && audit('family', t('nextFamilyGo'))}
          </Step>
        )}
        <Step icon="shield" text={t('nextAll')} why={t('nextAllWhy')}>
          {status?.running ? (
            <Link className="link" to="/ledger/audits">
              {t('nextAllRunning')}
            </Link>
          ) : (
            status && audit('all', t('nextAllGo'))
          )}
        </Step>
        <Step icon="clock" text={t('nextClose')} why={closeWords(seal, broken.seq, t)}>
          {seal?.seal && (
            <Link className="link" to={closeAddress(seal.seal.date)}>
              {t('nextCloseGo', { date: seal.seal.date })}
            </Link>
          )}
        </Step>
        <Step icon="refresh" text={t('nextRestore')} why={t('nextRestoreWhy')} />
        <Step icon="stamp" text={t('nextLift')} why={t('nextLiftWhy')}>
          {closed && (
            <Link className="link" to={`/ledger/audits?lift=${familyId}`}>
              {t('nextLiftGo')}
            </Link>
          )}
        </Step>
      </ol>
    </section>
  );
}

/** A close that holds the head of the account tells a changed entry from a chain that was computed anew. */
function closeWords(
  answer: ReturnType<typeof useSeal>,
  brokenAt: number,
  t: ReturnType<typeof useMessages<'replay'>>,
): string {
  if (!answer) return '';
  const { seal } = answer;
  if (!seal) return t('nextCloseNone');
  return t(seal.same ? 'nextCloseSame' : 'nextCloseOther', {
    date: seal.date,
    n: grouped(seal.seq),
    broken: grouped(brokenAt),
  });
}

type StepProps = { icon: IconName; look?: string; text: string; why: string; children?: ReactNode };

const Step = ({ icon, look = 'waits', text, why, children }: StepProps) => (
  <li className={look}>
    <Icon name={icon} />
    <div>
      {text}
      <small>{why}</small>
      {children}
    </div>
  </li>
);
