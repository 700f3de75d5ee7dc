/** Ctrl-C: whoever was at work has said how to go on. */
export class Interrupted extends Error {}

/** Does `work` with a signal that Ctrl-C gives; a second Ctrl-C ends the process at once. */
export async function interruptible<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const controller = new AbortController();
  const stop = (): void => controller.abort(new Interrupted());
  process.once('SIGINT', stop).once('SIGTERM', stop);
  try {
    return await work(controller.signal);
  } finally {
    process.off('SIGINT', stop).off('SIGTERM', stop);
  }
}
