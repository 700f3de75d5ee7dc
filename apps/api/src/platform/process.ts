/** Ends the process with what went wrong: the message alone when it is meant for a person, the stack otherwise. */
export function dieWith(error: unknown): never {
  const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
  const plain = error instanceof Error && error.message.startsWith('The environment is not complete');
  process.stderr.write(`${plain ? error.message : text}\n`);
  process.exit(1);
}

/** Less than whoever stops a process waits before killing it (infra/local/lifecycle.mjs: 10 s), more than the orderly end takes. */
const GRACE_MS = 9_000;

/**
 * Told to end, the process ends: at once while it starts, then in order, and when that hangs because a store is away, after a grace period
 * all the same. Call the answer when the orderly end is in place.
 */
export function endInTime(): () => void {
  let started = false;
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const)
    process.once(signal, () => {
      if (!started) process.exit(1);
      setTimeout(() => {
        process.stderr.write(`not done ${GRACE_MS / 1_000} s after ${signal}: ending\n`);
        process.exit(1);
      }, GRACE_MS).unref();
    });
  return () => void (started = true);
}
