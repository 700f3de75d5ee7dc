// What a person sees in the terminal: one line per finished step with its time, and failures with ways out.

/** An error that a person can act on: what went wrong, the end of the tool's own output, and what to try. */
export class Failure extends Error {
  constructor(message, { detail = '', hints = [] } = {}) {
    super(message);
    this.name = 'Failure';
    this.detail = detail;
    this.hints = hints;
  }
}

/** Prints any error. A bug in these scripts shows its stack, a Failure only what helps. */
export function printFailure(error, title) {
  if (!(error instanceof Failure)) {
    console.error(`\n✗ ${title}: ${error?.stack ?? error}`);
    return;
  }
  console.error(`\n✗ ${title}: ${error.message}`);
  if (error.detail) console.error(error.detail.trimEnd().replace(/^/gm, '    '));
  for (const hint of error.hints) console.error(`  → ${hint}`);
}

const seconds = (ms) => `${(ms / 1000).toFixed(1)} s`;

/** @param {{quiet?: boolean}} [options] quiet: run the steps without printing them */
export function createSteps({ quiet = false } = {}) {
  const running = new Set();
  const live = process.stdout.isTTY && !quiet;
  const clear = () => live && process.stdout.write('\r\x1b[2K');
  const showRunning = () => live && running.size > 0 && process.stdout.write(`  … ${[...running].join(', ')}`);
  const print = (line) => {
    if (quiet) return;
    clear();
    console.log(line);
    showRunning();
  };

  return {
    /** Runs `work`. If it returns a string, that is printed as the step's note. */
    async run(name, work) {
      const startedAt = Date.now();
      running.add(name);
      clear();
      showRunning();
      try {
        const note = await work();
        running.delete(name);
        const end = typeof note === 'string' && note ? `   ${note}` : '';
        print(`  ✓ ${name.padEnd(16)}${seconds(Date.now() - startedAt).padStart(8)}${end}`);
        return note;
      } catch (error) {
        running.delete(name);
        print(`  ✗ ${name.padEnd(16)}${seconds(Date.now() - startedAt).padStart(8)}`);
        throw error;
      }
    },
    log: (line) => print(`  · ${line}`),
    /** Stops redrawing the terminal; call it before printing a failure or the final block. */
    end() {
      running.clear();
      clear();
    },
  };
}
