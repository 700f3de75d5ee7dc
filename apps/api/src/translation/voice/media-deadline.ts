import { MEDIA_UPSTREAM_MS } from '@yiqiao/domain/limits';
import { Refusal } from '@yiqiao/domain/errors';
import type { Turn } from '../engines/media-queue.js';
import { realTime, untilAborted } from '../routing/time.js';

/** The deadline of a recording or a picture, queues included (decisions §7), and the family it belongs to. */
export type MediaDeadline = Turn & {
  /** Milliseconds since 1970, by the clock of `routing/time.ts`. */
  readonly deadline: number;
};

export const mediaDeadlineFor = (family: number): MediaDeadline => ({
  family,
  signal: AbortSignal.timeout(MEDIA_UPSTREAM_MS),
  deadline: realTime.now() + MEDIA_UPSTREAM_MS,
});

/** Throws UPSTREAM_TIMEOUT at the deadline; the outcome of `work` is ignored from then on. */
export async function within<T>({ signal }: Turn, work: Promise<T>): Promise<T> {
  try {
    return await untilAborted(work, signal);
  } catch (error) {
    if (signal.aborted && error === signal.reason) throw new Refusal('UPSTREAM_TIMEOUT');
    throw error;
  }
}
