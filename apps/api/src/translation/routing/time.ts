/** The clock and the alarms of routing: tests bring their own. */
export type Time = {
  /** Milliseconds since 1970. Never goes back, whatever happens to the machine's clock: pacing and deadlines rest on it. */
  now(): number;
  /** Runs `task` once, so many milliseconds from now; what it answers calls that off. */
  after(ms: number, task: () => void): () => void;
};

export const realTime: Time = {
  now: () => performance.timeOrigin + performance.now(),
  after: (ms, task) => {
    const timer = setTimeout(task, Math.max(0, ms));
    return () => clearTimeout(timer);
  },
};
