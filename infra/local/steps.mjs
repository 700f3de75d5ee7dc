// The short list that a person sees: one line per finished step, with its time.
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
    /** Runs `work`; what it returns, when a string, is printed as the step's note. */
    async run(name, work) {
      const began = Date.now();
      running.add(name);
      clear();
      showRunning();
      try {
        const note = await work();
        running.delete(name);
        const end = typeof note === 'string' && note ? `   ${note}` : '';
        print(`  ✓ ${name.padEnd(16)}${seconds(Date.now() - began).padStart(8)}${end}`);
        return note;
      } catch (error) {
        running.delete(name);
        print(`  ✗ ${name.padEnd(16)}${seconds(Date.now() - began).padStart(8)}`);
        throw error;
      }
    },
    say: (line) => print(`  · ${line}`),
    /** Nothing is written over the terminal any more: called before a failure or the final block. */
    end() {
      running.clear();
      clear();
    },
  };
}
