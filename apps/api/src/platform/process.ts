/** Ends the process with an error: the message alone when it is meant for a person, the stack otherwise. */
export function exitWithError(error: unknown): never {
  const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
  const isConfiguration = error instanceof Error && error.message.startsWith('The environment is not complete');
  process.stderr.write(`${isConfiguration ? error.message : text}\n`);
  process.exit(1);
}

/** Shorter than the time after which a process is killed (infra/local/lifecycle.mjs: 10 s), longer than an orderly shutdown. */
const GRACE_MS = 9_000;

/**
 * Handles shutdown signals: exits at once during startup; afterwards leaves the shutdown to Nest's hooks, but exits after a grace period
 * when they hang because a store is away. Call the returned function once the hooks are installed.
 */
export function handleShutdownSignals(): () => void {
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
