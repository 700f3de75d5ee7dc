import { ConfigurationError } from './configuration-error.js';

/** Ends the process with an error: the message alone when it is meant for a person, the stack otherwise. */
export function exitWithError(error: unknown): never {
  const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
  process.stderr.write(`${error instanceof ConfigurationError ? error.message : text}\n`);
  process.exit(1);
}

/** Shorter than the time after which a process is killed (infra/local/lifecycle.mjs: 10 s), longer than an orderly shutdown. */
const GRACE_MS = 9_000;

/**
 * Handles shutdown signals: exits at once during startup; afterwards leaves the shutdown to Nest's hooks, but exits after a grace period
 * when they hang because a store is away. Call the returned function once the hooks are installed; `drainSeconds`: how long they still serve.
 */
export function handleShutdownSignals(): (drainSeconds?: number) => void {
  let started = false;
  let graceMs = GRACE_MS;
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const)
    process.once(signal, () => {
      if (!started) process.exit(1);
      setTimeout(() => {
        process.stderr.write(`not done ${graceMs / 1_000} s after ${signal}: ending\n`);
        process.exit(1);
      }, graceMs).unref();
    });
  return (drainSeconds = 0) => {
    started = true;
    graceMs += drainSeconds * 1_000;
  };
}
