import type { Language } from '../../platform/speech.js';
import { WORDS } from './words.js';

/** Between two lines of progress, ms. */
const EVERY_MS = 2_000;

/** Says now and then how far a long work has come, at which rate, and how long the rest will take. */
export class Progress {
  readonly #started = performance.now();
  #saidAt = this.#started;

  /** `total`: entries there are; `before`: those that an earlier run has done. */
  constructor(
    private readonly total: number,
    private readonly before: number,
    private readonly how: { say: (text: string) => void; language: Language },
  ) {}

  get seconds(): number {
    return (performance.now() - this.#started) / 1000;
  }

  /** `done`: entries of this run. True when it has said something. */
  tell(done: number): boolean {
    const now = performance.now();
    if (now - this.#saidAt < EVERY_MS) return false;
    this.#saidAt = now;
    const rate = done / this.seconds;
    const all = this.before + done;
    const share = this.total > 0 ? Math.min(100, Math.floor((all * 100) / this.total)) : 100;
    const left = duration(Math.max(0, this.total - all) / rate);
    const { say, language } = this.how;
    const counted = { done: grouped(all), total: grouped(this.total), rate: grouped(Math.round(rate)) };
    say(WORDS[language].progress({ ...counted, share, left }));
    return true;
  }
}

export const grouped = (n: number): string => n.toLocaleString('en-US');

function duration(seconds: number): string {
  if (seconds < 90) return `${Math.ceil(seconds)} s`;
  return seconds < 5_400 ? `${Math.ceil(seconds / 60)} min` : `${(seconds / 3600).toFixed(1)} h`;
}
