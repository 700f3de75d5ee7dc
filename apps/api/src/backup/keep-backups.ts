import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import { serializeError } from '../platform/logger.js';
import { Replication } from './replication.js';
import type { Copy, Repository } from './repository.js';
import { removeOld } from './retention.js';
import { type CopySource, storedBytes, takeCopy } from './take-copy.js';
import { archiveWal, isLogLost } from './wal-archive.js';

const HOUR_MS = 3_600_000;
const CHECK_MS = 30_000;
/** The pauses between tries after a failure. */
const [FIRST_PAUSE_MS, LONGEST_PAUSE_MS] = [1_000, 30_000];

export type Keeping = {
  source: CopySource;
  signal: AbortSignal;
  log: Logger;
  /** Notes a copy that counts, for the console. */
  record: (copy: Copy) => Promise<void>;
  /** Notes that one could not be taken. */
  recordFailure: (error: unknown) => Promise<void>;
};

/**
 * Streams the log into the repository without an end, and takes a full copy whenever the newest is too old or the log has a gap. Both are tried
 * again for as long as they fail.
 */
export async function keepBackups(repository: Repository, keeping: Keeping): Promise<void> {
  const state = { needsCopy: false, timeline: 0 };
  await Promise.all([streamForEver(repository, keeping, state), copyForEver(repository, keeping, state)]);
}

/** `needsCopy`: the log does not continue what is there. `timeline`: of the server; 0 before it is known. */
type State = { needsCopy: boolean; timeline: number };

async function streamForEver(repository: Repository, keeping: Keeping, state: State): Promise<void> {
  const { source, signal, log } = keeping;
  let begin: 'where it ended' | 'now' = 'where it ended';
  await untilStopped(keeping, 'the log is not being archived', async () => {
    const replication = await Replication.open(source.replicationUrl);
    try {
      await archiveWal(replication, repository, {
        everySeconds: source.values.BACKUP_WAL_SECONDS,
        signal,
        begin,
        onStart: ({ timeline, from, isWhole }) => {
          log.info({ msg: 'archiving the log', timeline, from });
          state.timeline = timeline;
          if (!isWhole) state.needsCopy = true;
        },
      });
    } catch (error) {
      begin = isLogLost(error) ? 'now' : 'where it ended';
      throw error;
    } finally {
      await replication.close();
    }
  });
}

async function copyForEver(repository: Repository, keeping: Keeping, state: State): Promise<void> {
  const { source, signal, log, record, recordFailure } = keeping;
  await untilStopped(keeping, 'no full copy could be taken', async () => {
    while (!signal.aborted) {
      // A copy made before the log is archived would have nothing to go on with.
      if (state.timeline > 0 && (await isDue(repository, source, state))) {
        state.needsCopy = false;
        try {
          const copy = await takeCopy(repository, source);
          log.info({ msg: 'took a full copy', copy: copy.id, bytes: storedBytes(copy) });
          await record(copy);
          const removed = await removeOld(repository, source.values.BACKUP_KEEP_DAYS);
          if (removed.copies.length > 0) log.info({ msg: 'removed old copies', ...removed });
        } catch (error) {
          state.needsCopy = true;
          if (!signal.aborted)
            await recordFailure(error).catch((reason: unknown) =>
              log.error({ msg: 'a failed copy could not be noted', error: serializeError(reason) }),
            );
          throw error;
        }
      }
      await sleep(state.timeline === 0 ? FIRST_PAUSE_MS : CHECK_MS, undefined, { signal });
    }
  });
}

async function isDue(repository: Repository, { values }: CopySource, state: State): Promise<boolean> {
  if (state.needsCopy) return true;
  const newest = (await repository.copies()).at(-1);
  if (newest?.stopTimeline !== state.timeline) return true;
  return Date.now() - new Date(newest.startedAt).getTime() >= values.BACKUP_EVERY_HOURS * HOUR_MS;
}

async function untilStopped(
  { signal, log }: Pick<Keeping, 'signal' | 'log'>,
  failure: string,
  work: () => Promise<void>,
): Promise<void> {
  let pause = FIRST_PAUSE_MS;
  while (!signal.aborted) {
    const began = Date.now();
    try {
      await work();
    } catch (error) {
      if (signal.aborted) return;
      if (Date.now() - began > LONGEST_PAUSE_MS) pause = FIRST_PAUSE_MS;
      log.error({ msg: failure, error: serializeError(error) });
    }
    await sleep(pause, undefined, { signal }).catch(() => undefined);
    pause = Math.min(pause * 2, LONGEST_PAUSE_MS);
  }
}
