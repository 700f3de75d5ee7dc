import { setTimeout as sleep } from 'node:timers/promises';
import type { Worker } from 'bullmq';

/** Less than whoever stops a process waits before killing it (infra/local/lifecycle.mjs: 10 s). */
const PATIENCE_MS = 7_000;

/**
 * At the end, before the database closes: no job is begun any more, and those that are in flight finish. What is not done by then is done by
 * another worker, or by this one when it is back.
 */
export async function finishJobs(worker: Worker): Promise<void> {
  const over = new AbortController();
  await Promise.race([
    worker.close(),
    sleep(PATIENCE_MS, undefined, { signal: over.signal, ref: false }).catch(() => undefined),
  ]);
  over.abort();
}
