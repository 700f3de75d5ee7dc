/** The clock and the timers of routing; tests bring their own. */
export type Time = {
  /** Milliseconds since 1970. Monotonic, even when the machine's clock is set: rate limits and deadlines depend on it. */
  now(): number;
  /** Runs `task` once after so many milliseconds; the returned function cancels it. */
  after(ms: number, task: () => void): () => void;
};

export const realTime: Time = {
  now: () => performance.timeOrigin + performance.now(),
  after: (ms, task) => {
    const timer = setTimeout(task, Math.max(0, ms));
    return () => clearTimeout(timer);
  },
};

/**
 * An abort controller that follows `parent` until it is released. `AbortSignal.any` does the same for more than five times the CPU time,
 * which every text would pay three times (docs/decisions/0017).
 */
export function linkedAbort(parent: AbortSignal | undefined): { controller: AbortController; release: () => void } {
  const controller = new AbortController();
  const follow = (): void => controller.abort(parent?.reason);
  if (parent?.aborted) follow();
  else parent?.addEventListener('abort', follow);
  return { controller, release: () => parent?.removeEventListener('abort', follow) };
}

/** Waits for `work` until `signal` fires, then rejects with its reason; the outcome of `work` is ignored from then on. */
export async function untilAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  const aborted = Promise.withResolvers<never>();
  const stop = (): void => aborted.reject(signal.reason as Error);
  if (signal.aborted) stop();
  else signal.addEventListener('abort', stop);
  try {
    return await Promise.race([work, aborted.promise]);
  } finally {
    signal.removeEventListener('abort', stop);
  }
}
