import { setTimeout as sleep } from 'node:timers/promises';
import { formatLsn, historyName, parseLsn, parseSegment, segmentName, segmentStart } from './lsn.js';
import type { Replication, WalMessage } from './replication.js';
import type { Reach, Repository } from './repository.js';

export const SLOT = 'yiqiao_backup';
/** A segment that is not full yet, as far as it has come. */
export const PARTIAL = '.partial';
/** An idle archive still says that it is up to date. */
const IDLE_MS = 30_000;

/** The end of what of a timeline is archived without a gap; null if nothing is. */
export async function archivedUntil(
  repository: Repository,
  timeline: number,
  segmentBytes: number,
): Promise<bigint | null> {
  const starts = (await repository.wal())
    .map(({ name }) => parseSegment(name, segmentBytes))
    .filter((segment) => segment?.timeline === timeline)
    .map((segment) => segment?.start ?? 0n);
  const last = starts.at(-1);
  return last === undefined ? null : last + BigInt(segmentBytes);
}

/**
 * Keeps the log of one timeline as it is written: full segments as an object each, and the one being written again every few seconds.
 * What is confirmed to the server is in the repository.
 */
export class WalArchive {
  readonly #segment: Buffer;
  #start: bigint;
  #filled = 0;
  #stored = 0;
  #flushed: bigint;
  #at: Date | null = null;
  #caughtUp = false;
  #reach: Reach | null = null;

  constructor(
    private readonly repository: Repository,
    private readonly where: { timeline: number; from: bigint; segmentBytes: number },
  ) {
    this.#segment = Buffer.alloc(where.segmentBytes);
    this.#start = where.from;
    this.#flushed = where.from;
  }

  /** Everything before it is safe. */
  flushed = (): bigint => this.#flushed;

  take = async ({ start, data, serverEnd, at }: WalMessage): Promise<void> => {
    const expected = this.#start + BigInt(this.#filled);
    if (data.length > 0 && start !== expected)
      throw new Error(`the server sent ${formatLsn(start)} where ${formatLsn(expected)} was expected`);
    for (let rest = data; rest.length > 0;) {
      const taken = rest.subarray(0, this.#segment.length - this.#filled);
      taken.copy(this.#segment, this.#filled);
      this.#filled += taken.length;
      rest = rest.subarray(taken.length);
      if (this.#filled === this.#segment.length) await this.#finishSegment();
    }
    this.#at = at;
    this.#caughtUp = this.#start + BigInt(this.#filled) >= serverEnd;
  };

  /** Stores what has come, and says how far the archive goes. */
  async flush(): Promise<void> {
    const { timeline } = this.where;
    const [filled, start, at, caughtUp] = [this.#filled, this.#start, this.#at, this.#caughtUp];
    if (filled > this.#stored) {
      await this.repository.writeWal(this.#name() + PARTIAL, this.#segment.subarray(0, filled));
      // A segment that was finished meanwhile has been stored as a whole.
      if (this.#start === start) this.#stored = filled;
    }
    const end = start + BigInt(filled);
    if (end > this.#flushed) this.#flushed = end;
    if (!at || !caughtUp) return;
    const lsn = formatLsn(end);
    const isIdle = this.#reach?.lsn === lsn && at.getTime() - new Date(this.#reach.at).getTime() < IDLE_MS;
    if (isIdle) return;
    this.#reach = { timeline, lsn, at: at.toISOString() };
    await this.repository.extendReach(this.#reach);
  }

  async #finishSegment(): Promise<void> {
    const name = this.#name();
    await this.repository.writeWal(name, this.#segment);
    await this.repository.removeWal(name + PARTIAL);
    this.#start += BigInt(this.#segment.length);
    this.#flushed = this.#start;
    this.#filled = 0;
    this.#stored = 0;
  }

  #name(): string {
    return segmentName(this.where.timeline, this.#start, this.where.segmentBytes);
  }
}

/** The server has removed what comes next: its slot was lost, or never there. */
export const isLogLost = (error: unknown): boolean => (error as { code?: unknown } | null)?.code === '58P01';

export type ArchiveOptions = {
  everySeconds: number;
  signal: AbortSignal;
  /** `now` leaves a gap. */
  begin: 'where it ended' | 'now';
  /** Streaming has begun; `isWhole`: what was archived before goes on without a gap. */
  onStart: (state: { timeline: number; from: string; isWhole: boolean }) => void;
};

/** Streams the log into the repository until `signal`. Throws when the connection is lost or the server lacks what is to come next. */
export async function archiveWal(
  replication: Replication,
  repository: Repository,
  { everySeconds, signal, begin, onStart }: ArchiveOptions,
): Promise<void> {
  const segmentBytes = await replication.segmentBytes();
  const identity = await replication.identify();
  await repository.claim(identity.systemId);
  await replication.ensureSlot(SLOT);
  const now = { timeline: identity.timeline, from: segmentStart(identity.position, segmentBytes), isWhole: false };
  let place =
    begin === 'now' ? now : ((await placeAfterArchive(replication, repository, { ...identity, segmentBytes })) ?? now);
  let isWhole = place.isWhole;
  while (!signal.aborted) {
    const { timeline, from } = place;
    const history = await replication.history(timeline);
    if (history) {
      await repository.writeWal(historyName(timeline), history);
      await repository.beginTimeline({ timeline, beganAt: new Date().toISOString() });
    }
    const archive = new WalArchive(repository, { timeline, from, segmentBytes });
    onStart({ timeline, from: formatLsn(from), isWhole });
    const ended = new AbortController();
    const flushing = flushRegularly(archive, everySeconds, AbortSignal.any([signal, ended.signal]));
    try {
      const { take, flushed } = archive;
      const streaming = replication.stream({ slot: SLOT, timeline, from }, { take, flushed, signal });
      const next = await Promise.race([streaming, flushing.then(() => streaming)]);
      if (!next) return;
      place = { timeline: next.timeline, from: segmentStart(next.from, segmentBytes), isWhole: true };
      isWhole = true;
    } finally {
      ended.abort();
      // What came last is stored even when the connection was lost.
      await flushing.catch(() => undefined);
      await archive.flush();
    }
  }
}

async function flushRegularly(archive: WalArchive, everySeconds: number, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    await sleep(everySeconds * 1_000, undefined, { signal }).catch(() => undefined);
    await archive.flush();
  }
}

/** After what is archived; null if there is nothing, or the server's history does not contain it. */
async function placeAfterArchive(
  replication: Replication,
  repository: Repository,
  { timeline, position, segmentBytes }: { timeline: number; position: bigint; segmentBytes: number },
): Promise<{ timeline: number; from: bigint; isWhole: boolean } | null> {
  const reaches = (await repository.reaches()).filter((reach) => reach.timeline <= timeline);
  const last = reaches.at(-1);
  if (!last) return null;
  const until = await archivedUntil(repository, last.timeline, segmentBytes);
  const from = until ?? segmentStart(parseLsn(last.lsn), segmentBytes);
  if (last.timeline === timeline)
    return from > position + BigInt(segmentBytes) ? null : { timeline, from, isWhole: true };
  const history = await replication.history(timeline);
  const fork = history && forkOf(history, last.timeline);
  if (fork === null) return null;
  // The old timeline was left before what is archived of it: a restore. The new one begins in the segment of the fork.
  if (fork < from) return { timeline, from: segmentStart(fork, segmentBytes), isWhole: true };
  return { timeline: last.timeline, from, isWhole: true };
}

/** Where a history leaves the timeline; null if it does not know it. */
export function forkOf(history: Buffer, timeline: number): bigint | null {
  for (const line of history.toString('utf8').split('\n')) {
    const [id, lsn] = line.trim().split(/\s+/);
    if (Number(id) === timeline && lsn !== undefined) return parseLsn(lsn);
  }
  return null;
}
