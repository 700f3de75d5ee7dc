import { MEDIA_UPSTREAM_MS } from '@yiqiao/domain/limits';
import { Refusal } from '@yiqiao/domain/errors';
import type { Turn } from '../engines/media-queue.js';
import { realTime } from '../routing/time.js';

/** How long anybody waits for a recording, whatever happens to it (decisions §7), and whose it is. */
export type Patience = Turn & {
  /** Milliseconds since 1970, by the clock of `routing/time.ts`. */
  readonly deadline: number;
};

export const patienceFor = (family: number): Patience => ({
  family,
  signal: AbortSignal.timeout(MEDIA_UPSTREAM_MS),
  deadline: realTime.now() + MEDIA_UPSTREAM_MS,
});

/** Throws UPSTREAM_TIMEOUT when `work` takes longer than anybody waits. What it does then is lost. */
export async function within<T>({ signal }: Turn, work: Promise<T>): Promise<T> {
  const late = Promise.withResolvers<never>();
  const give = (): void => late.reject(new Refusal('UPSTREAM_TIMEOUT'));
  signal.addEventListener('abort', give);
  if (signal.aborted) give();
  try {
    return await Promise.race([work, late.promise]);
  } finally {
    signal.removeEventListener('abort', give);
  }
}
