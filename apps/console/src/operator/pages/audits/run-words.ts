import type { Response } from '@yiqiao/contracts/endpoint';
import type { getAuditRun, listAuditRuns } from '@yiqiao/contracts/operator/audits';
import { useMessages } from '../../../shared/i18n/messages.js';
import { useActorName } from '../../shared/actor.js';

export type RunRow = Response<typeof listAuditRuns>['rows'][number];
export type Run = Response<typeof getAuditRun>;
export type Difference = Run['differences'][number];

/** Differences kept of one run (operators §7). */
const KEPT = 100;

export const isUnderWay = ({ state }: RunRow): boolean => state === 'waiting' || state === 'running';

/** `11-20 03:25:00` of a wire time. */
export const shortTime = (at: string): string => at.slice(5);

/** A percentage with one decimal, 100 only when it is all. */
export const percentOf = (share: number): string => `${(Math.floor(share * 1_000) / 10).toFixed(1)} %`;

export const shareOf = ({ entries, total, state }: RunRow): number =>
  state === 'whole' || state === 'different' ? 1 : total > 0 ? Math.min(1, entries / total) : 0;

/** The words of a run that several panels share. */
export function useRunWords() {
  const t = useMessages('audits');
  const actorName = useActorName();
  return {
    who: ({ startedBy }: RunRow): string => actorName(startedBy),
    scope: ({ scope, userId: id, startedBy }: RunRow): string => {
      if (scope === 'all') return startedBy === 'system' ? t('scopeNight') : t('scopeAll');
      return t(scope === 'family' ? 'scopeFamily' : 'scopeAccount', { id: id ?? 0 });
    },
    differences: ({ differenceCount: n }: RunRow): string =>
      t(n < KEPT ? 'runDifferent' : 'runFirstDifferences', { n }),
    where: ({ account, seq }: Pick<Difference, 'account' | 'seq'>): string => {
      if (account === 0) return t('whereDatabase');
      return seq === null ? t('whereAccount', { account }) : t('whereEntry', { account, seq });
    },
  };
}
