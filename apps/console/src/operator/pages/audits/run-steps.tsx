import type { Response } from '@yiqiao/contracts/endpoint';
import type { getLedgerStatus } from '@yiqiao/contracts/operator/audits';
import { useMessages } from '../../../shared/i18n/messages.js';
import { Card } from '../../../shared/ui/card.js';
import { Icon } from '../../../shared/ui/icon.js';
import { LiftReadOnly } from './lift-read-only.js';
import { percentOf, type Run, shareOf } from './run-words.js';

type Status = Response<typeof getLedgerStatus>;

/** What the audit reads, in its order. */
export function RunSteps({ run }: { run: Run | undefined }) {
  const t = useMessages('audits');
  const phase = run?.state === 'running' ? run.phase : null;
  const over = run?.state === 'whole' || run?.state === 'different';
  const last = run?.state === 'different' ? t('notProven') : t('whatDone');
  const replayed = over || phase === 'orders' || phase === 'members';
  const share = run && !over && run.entries > 0 ? percentOf(shareOf(run)) : '';
  const after = (mine: 'orders' | 'members'): string => {
    if (mine === 'members' && run && run.scope !== 'all') return t('whatOut');
    if (over) return last;
    if (phase === mine) return t('doing');
    return phase === 'members' && mine === 'orders' ? t('whatDone') : t('later');
  };
  const rows = [
    { icon: 'lock', text: t('whatSchema'), state: over ? last : run?.startedAt ? t('whatDone') : t('later') },
    {
      icon: 'history',
      text: t(run?.depth === 'anchors' ? 'whatNewEntries' : 'whatEntries'),
      state: over ? last : replayed ? t('whatDone') : share,
      now: !replayed,
    },
    { icon: 'swap', text: t('whatLines'), state: over ? last : t('alongside') },
    { icon: 'swap', text: t('whatSides'), state: over ? last : t('alongside') },
    { icon: 'clock', text: t('whatOrders'), state: after('orders'), now: phase === 'orders' },
    { icon: 'clock', text: t('whatMembers'), state: after('members'), now: phase === 'members' },
  ] as const;
  return (
    <Card title={t('whatTitle')}>
      <ol className="audit-steps">
        {rows.map(({ icon, text, state, ...row }) => (
          <li key={text} className={'now' in row && row.now && run?.state === 'running' ? 'now' : undefined}>
            <Icon name={icon} />
            <span>{text}</span>
            <span className="numeric">{state}</span>
          </li>
        ))}
      </ol>
      <p className="audit-note">
        {run?.depth === 'anchors' && <>{t('whatAnchorsNote')} </>}
        {t('whatNote')}
      </p>
    </Card>
  );
}

/** After a difference: what has been done, and what people do. */
export function NextSteps({ status }: { status: Status }) {
  const t = useMessages('audits');
  const steps = [
    {
      icon: 'lock',
      bad: true,
      text: t('nextDone', { what: t('nextClosed', { n: status.readOnly.length }) }),
      why: t('nextClosedWhy'),
    },
    { icon: 'history', text: t('nextLook'), why: t('nextLookWhy') },
    { icon: 'refresh', text: t('nextRestore'), why: t('nextRestoreWhy') },
    { icon: 'shield', text: t('nextAudit'), why: t('nextAuditWhy') },
    { icon: 'stamp', text: t('nextLift'), why: null },
  ] as const;
  return (
    <Card title={t('nextTitle')} note={t('nextNote')}>
      <ol className="audit-next">
        {steps.map(({ icon, text, why, ...step }) => (
          <li key={text} className={'bad' in step ? 'bad' : undefined}>
            <Icon name={icon} />
            <div>
              {text}
              {why !== null && <small>{why}</small>}
              {icon === 'stamp' && <LiftReadOnly families={status.readOnly} />}
            </div>
          </li>
        ))}
      </ol>
    </Card>
  );
}
