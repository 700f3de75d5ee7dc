/**
 * `work` as a thing to ask for any number of times: it runs once at a time, and once more when it was asked for meanwhile, because
 * what it read may be older than that. `work` says its failures itself.
 */
export function oneAtATime(work: () => Promise<void>): () => void {
  let running = false;
  let again = false;
  const run = async (): Promise<void> => {
    running = true;
    try {
      do {
        again = false;
        await work();
      } while (again);
    } finally {
      running = false;
    }
  };
  return () => {
    again = true;
    if (!running) void run();
  };
}
