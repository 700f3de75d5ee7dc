/** Upper ends of the classes that times are counted in, in milliseconds: each a fifth above the one before, so figures are as exact as that. */
const BOUNDS: readonly number[] = Array.from({ length: 45 }, (_, i) => Math.round(5 * 1.2 ** i));

/** The number of the class that a time falls into. */
export const classOf = (ms: number): number => {
  const found = BOUNDS.findIndex((bound) => ms <= bound);
  return found === -1 ? BOUNDS.length - 1 : found;
};

/** Requests of one channel: `failed` ones, and of the others how many in each class of time. */
export type Counts = { failed: number; readonly classes: number[] };

export const noCounts = (): Counts => ({ failed: 0, classes: Array<number>(BOUNDS.length).fill(0) });

/** Fewer requests than this say nothing about a channel. */
const LEAST_REQUESTS = 5;

export type Figures = {
  readonly requests: number;
  readonly successShare: number | null;
  readonly medianMs: number | null;
  readonly p95Ms: number | null;
};

/** What counts say. Times are those of answers: a failure is no slow success. */
export const figuresOf = ({ failed, classes }: Counts): Figures => {
  const answered = classes.reduce((sum, count) => sum + count, 0);
  const requests = answered + failed;
  return {
    requests,
    successShare: requests < LEAST_REQUESTS ? null : answered / requests,
    medianMs: answered < LEAST_REQUESTS ? null : quantile(classes, answered * 0.5),
    p95Ms: answered < LEAST_REQUESTS ? null : quantile(classes, answered * 0.95),
  };
};

/** The time that `rank` of the answers took at most, as if those of a class were spread evenly over it. */
const quantile = (classes: readonly number[], rank: number): number => {
  let below = 0;
  for (const [at, count] of classes.entries()) {
    if (count > 0 && below + count >= rank) {
      const from = BOUNDS[at - 1] ?? 0;
      const to = BOUNDS[at] ?? from;
      return Math.round(from + ((to - from) * (rank - below)) / count);
    }
    below += count;
  }
  return 0;
};
