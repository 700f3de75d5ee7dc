// How a command of ours ends: Ctrl-C, TERM, or npm going away.

/**
 * Calls `stop` once, on the first of SIGINT, SIGTERM, SIGHUP, or when the parent has gone: `kill` of npm ends npm and
 * its shell, and nobody tells this process.
 */
export function whenTold(stop) {
  let told = false;
  const once = (signal) => {
    if (told) return;
    told = true;
    stop(signal);
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => once(signal));
  const parent = process.ppid;
  if (process.env.npm_lifecycle_event) setInterval(() => process.ppid !== parent && once('SIGHUP'), 300).unref();
  // a terminal that is gone must not turn the stop into a crash
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {});
}
