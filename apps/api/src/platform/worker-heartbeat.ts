import { type ProcessKind, SILENT_SECONDS } from './process-reports.js';

type Seen = { kind: ProcessKind; startedAt: number; reportedAt: number; seenSeconds: number };

/**
 * The workers among all processes. A silent one is frozen, unless a worker has started after its last report: then it crashed and was
 * replaced. `seenSeconds`: since the latest report of any; null: none has reported in the last hour.
 */
export function workersOf(all: readonly Seen[]): { running: number; silent: number; seenSeconds: number | null } {
  const workers = all.filter(({ kind }) => kind === 'worker');
  const running = workers.filter(({ seenSeconds }) => seenSeconds <= SILENT_SECONDS);
  const isReplaced = ({ reportedAt }: Seen): boolean => running.some(({ startedAt }) => startedAt >= reportedAt);
  const silent = workers.filter((worker) => worker.seenSeconds > SILENT_SECONDS && !isReplaced(worker));
  const latest = Math.min(...workers.map(({ seenSeconds }) => seenSeconds));
  return { running: running.length, silent: silent.length, seenSeconds: Number.isFinite(latest) ? latest : null };
}
