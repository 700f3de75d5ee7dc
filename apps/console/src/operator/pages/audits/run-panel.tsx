import type { ReactNode } from 'react';
import { grouped } from '../../../shared/amounts.js';
import { useMessages } from '../../../shared/i18n/messages.js';
import { Icon } from '../../../shared/ui/icon.js';
import { clockOf } from '../../shared/clock.js';
import { AuditProgress } from './audit-progress.js';
import { percentOf, type Run, shareOf, shortTime, useRunWords } from './run-words.js';

/** Where it stands, drawn as a bridge, and its figures. */
export function RunPanel({ run }: { run: Run }) {
  const t = useMessages('audits');
  const share = shareOf(run);
  const isOver = run.finishedAt !== null;
  const broken = run.differences.flatMap(({ arch }) => (arch === null ? [] : [arch]));
  return (
    <section className="card audit-run" aria-live="off">
      <div className="audit-run-head">
        <Headline run={run} />
        <Remaining run={run} />
      </div>
      <AuditProgress
        label={t('progress')}
        share={share}
        families={run.familiesTotal > 0 ? run.families / run.familiesTotal : share}
        broken={broken}
      />
      <div className="audit-run-ends numeric">
        <span>{t('firstFamily')}</span>
        <span>{t(run.differenceCount > 0 ? 'familiesRead' : 'familiesDone', { n: grouped(run.families) })}</span>
        <span>{t('lastFamily', { n: grouped(run.familiesTotal) })}</span>
      </div>
      <dl className="audit-figures">
        <Figure name={t('perSecond')} note={isOver ? '' : t('average', { n: grouped(run.averagePerSecond) })}>
          {grouped(run.perSecond)}
        </Figure>
        <Figure name={t('families')} note={t('outOf', { n: grouped(run.familiesTotal) })}>
          {grouped(run.families)}
        </Figure>
        <Figure
          name={t('accounts')}
          note={
            run.depth === 'anchors'
              ? t('outOfAnchored', { n: grouped(run.accountsTotal), anchored: grouped(run.anchored) })
              : t('outOf', { n: grouped(run.accountsTotal) })
          }
        >
          {grouped(run.accounts)}
        </Figure>
        {isOver ? (
          <Figure name={t('orders')} note={run.state === 'whole' ? t('matched') : ''}>
            {grouped(run.orders)}
          </Figure>
        ) : (
          <Now run={run} />
        )}
        <Figure name={t('firstDifference')} note="">
          <First run={run} />
        </Figure>
        {isOver ? (
          <Figure name={t('duration')} note="">
            {clockOf(run.seconds)}
          </Figure>
        ) : (
          <Figure name={t('memory')} note={run.memory === null ? '' : t('megabytes')}>
            {run.memory ?? ''}
          </Figure>
        )}
      </dl>
    </section>
  );
}

function Figure({ name, note, children }: { name: string; note: string; children: ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>
        {children}
        <small>{note}</small>
      </dd>
    </div>
  );
}

function Now({ run: { at, phase } }: { run: Run }) {
  const t = useMessages('audits');
  if (phase === 'orders' || phase === 'members')
    return (
      <Figure name={t('now')} note={t('afterReplay')}>
        {t(phase === 'orders' ? 'nowOrders' : 'nowMembers')}
      </Figure>
    );
  return (
    <Figure name={t('now')} note={at ? t('nowEntry', { account: at.account, seq: grouped(at.seq) }) : ''}>
      {at ? t('nowFamily', { family: at.family }) : ''}
    </Figure>
  );
}

function First({ run }: { run: Run }) {
  const t = useMessages('audits');
  const { where } = useRunWords();
  if (run.firstDifference) return <span className="audit-bad">{where(run.firstDifference)}</span>;
  // A run that is not over cannot say so of what it has not read.
  return run.entries > 0 || run.state === 'whole' ? <span className="audit-ok">{t('none')}</span> : null;
}

function Headline({ run }: { run: Run }) {
  const t = useMessages('audits');
  const { who, differences } = useRunWords();
  const sizes = t('sizes', { entries: grouped(run.entries), accounts: grouped(run.accounts) });
  const isUnderWay = run.finishedAt === null;
  const state = run.startedAt === null ? t('runWaiting') : t('runRunning');
  const title = {
    waiting: percentOf(shareOf(run)),
    running: percentOf(shareOf(run)),
    // One family says nothing of the others.
    whole: t(run.depth === 'anchors' ? 'anchorsWhole' : run.scope === 'all' ? 'ledgerWhole' : 'runWhole'),
    different: differences(run),
    cancelled: t('runCancelled'),
    failed: t('runFailed'),
  }[run.state];
  const note = isUnderWay ? t('ofEntries', { done: grouped(run.entries), total: grouped(run.total) }) : sizes;
  return (
    <div>
      <p className="audit-run-note">
        {isUnderWay && `${state} · `}
        {t(run.startedAt === null ? 'runWaitingBy' : 'runBy', {
          at: shortTime(run.startedAt ?? run.createdAt),
          who: who(run),
        })}
        {run.depth === 'anchors' && ` · ${t('depth_anchors')}`}
      </p>
      <p className={`audit-run-title ${run.state}`} role={isUnderWay ? undefined : 'status'}>
        {run.state === 'whole' && <Icon name="check" />}
        {title} <small className="numeric">{note}</small>
      </p>
    </div>
  );
}

/** The time left and when it ends, or when it was. */
function Remaining({ run }: { run: Run }) {
  const t = useMessages('audits');
  const { remainingSeconds: left, startedAt, finishedAt } = run;
  if (finishedAt !== null)
    return (
      <p className="audit-run-note numeric">
        {t('span', { from: shortTime(startedAt ?? run.createdAt), to: finishedAt.slice(11) })}
      </p>
    );
  if (left === null) return null;
  const at = new Date(Date.now() + left * 1_000).toTimeString().slice(0, 8);
  return (
    <div className="audit-run-left">
      <p className="figure">{clockOf(left)}</p>
      <p className="audit-run-note">{t('remaining', { at })}</p>
    </div>
  );
}
