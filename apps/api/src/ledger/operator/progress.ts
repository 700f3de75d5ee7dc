import type { Language } from '../../platform/cli-messages.js';
import { print } from './command-line.js';
import { MESSAGES } from './messages.js';

/** Between two progress lines, ms. */
const EVERY_MS = 2_000;

/** Prints the progress of a long command from time to time, with its rate and remaining time. */
export class Progress {
  readonly #started = performance.now();
  #printedAt = this.#started;

  /** `total`: all entries; `before`: the entries of an earlier run. */
  constructor(
    private readonly total: number,
    private readonly before: number,
    private readonly language: Language,
  ) {}

  get seconds(): number {
    return (performance.now() - this.#started) / 1000;
  }

  /** `done`: entries of this run. Returns whether it printed a line. */
  report(done: number): boolean {
    const now = performance.now();
    if (now - this.#printedAt < EVERY_MS) return false;
    this.#printedAt = now;
    const rate = done / this.seconds;
    const all = this.before + done;
    const share = this.total > 0 ? Math.min(100, Math.floor((all * 100) / this.total)) : 100;
    const left = duration(Math.max(0, this.total - all) / rate);
    const counted = { done: grouped(all), total: grouped(this.total), rate: grouped(Math.round(rate)) };
    print(MESSAGES[this.language].progress({ ...counted, share, left }));
    return true;
  }
}

export const grouped = (n: number): string => n.toLocaleString('en-US');

/** Seconds in words: `12 s`, `3 min`, `1.5 h`. */
export function duration(seconds: number): string {
  if (seconds < 90) return `${Math.ceil(seconds)} s`;
  return seconds < 5_400 ? `${Math.ceil(seconds / 60)} min` : `${(seconds / 3600).toFixed(1)} h`;
}
