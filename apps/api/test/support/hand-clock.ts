import type { Time } from '../../src/translation/routing/time.js';

type Alarm = { readonly at: number; readonly ring: () => void };

/** A clock that only the test moves; alarms ring in their order, and what they set in motion goes on before the next one rings. */
export class HandClock implements Time {
  #now = 1_700_000_000_000;
  #alarms: Alarm[] = [];

  now(): number {
    return this.#now;
  }

  after(ms: number, ring: () => void): () => void {
    const alarm = { at: this.#now + Math.max(0, ms), ring };
    this.#alarms.push(alarm);
    return () => {
      this.#alarms = this.#alarms.filter((one) => one !== alarm);
    };
  }

  /** Alarms that are still set. */
  get set(): number {
    return this.#alarms.length;
  }

  async pass(ms: number): Promise<void> {
    const end = this.#now + ms;
    await settled();
    for (;;) {
      const next = this.#alarms.reduce<Alarm | null>(
        (first, alarm) => (alarm.at <= end && (first === null || alarm.at < first.at) ? alarm : first),
        null,
      );
      if (next === null) break;
      this.#now = Math.max(this.#now, next.at);
      this.#alarms = this.#alarms.filter((one) => one !== next);
      next.ring();
      await settled();
    }
    this.#now = end;
  }
}

/** Everything that promises have to say is said. */
export const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
