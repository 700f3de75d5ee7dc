import { DAY_MS } from '@yiqiao/domain/limits';
import { parseLsn, parseSegment, segmentStart } from './lsn.js';
import type { Copy, Repository } from './repository.js';
import { PARTIAL } from './wal-archive.js';

/** A copy that takes longer than this was given up. */
const UNFINISHED_MS = 2 * DAY_MS;

export type Removed = { copies: string[]; segments: number };

/** Those needed to restore any second of the last `days`, the oldest first: the newest from before them, and all since. */
export function neededCopies(copies: readonly Copy[], days: number, now: Date): Copy[] {
  const since = now.getTime() - days * DAY_MS;
  const newestBefore = copies.findLastIndex(({ stoppedAt }) => new Date(stoppedAt).getTime() <= since);
  return copies.slice(Math.max(0, newestBefore));
}

/** Removes what is older than the retention, with the log that no copy needs any more, and copies that were never finished. */
export async function removeOld(repository: Repository, days: number, now = new Date()): Promise<Removed> {
  const copies = await repository.copies();
  const kept = neededCopies(copies, days, now);
  const old = copies.filter((copy) => !kept.includes(copy)).map(({ id }) => id);
  const givenUp = (await repository.unfinished()).filter((id) => now.getTime() - startOf(id) > UNFINISHED_MS);
  for (const id of [...old, ...givenUp]) await repository.removeCopy(id);
  return { copies: [...old, ...givenUp], segments: await removeOldWal(repository, kept) };
}

async function removeOldWal(repository: Repository, kept: readonly Copy[]): Promise<number> {
  const [oldest] = kept;
  if (!oldest) return 0;
  const { segmentBytes } = oldest;
  const starts = kept.map(({ startLsn }) => segmentStart(parseLsn(startLsn), segmentBytes));
  const first = starts.reduce((least, start) => (start < least ? start : least));
  let removed = 0;
  for (const { name } of await repository.wal()) {
    const segment = parseSegment(name.replace(PARTIAL, ''), segmentBytes);
    if (!segment || segment.start >= first) continue;
    await repository.removeWal(name);
    removed++;
  }
  return removed;
}

/** The time in a copy's id, in ms; 0 for a name that is none. */
function startOf(id: string): number {
  const text = id.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, '$1-$2-$3T$4:$5:$6Z');
  return Date.parse(text) || 0;
}
