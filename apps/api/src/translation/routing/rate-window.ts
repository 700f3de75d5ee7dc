/**
 * So many units in any stretch of `windowMs`, however they are spread: what vendors count. Remembers what was used until it no longer
 * matters; times must not go back.
 */
export class RateWindow {
  #used: { at: number; units: number }[] = [];
  #sum = 0;

  constructor(private readonly limit: { readonly units: number; readonly windowMs: number }) {}

  use(units: number, now: number): void {
    this.#used.push({ at: now, units });
    this.#sum += units;
  }

  /**
   * Milliseconds until `units` more fit when `ahead` units are used as soon as they can be, before them: at least so long. Infinity when
   * they never fit.
   */
  delay(units: number, ahead: number, now: number): number {
    this.#forget(now);
    const { units: most, windowMs } = this.limit;
    if (units > most) return Number.POSITIVE_INFINITY;
    // What is still ahead after whole windows have passed, together with these, must fit beside what is remembered.
    const wholeWindows = Math.floor(ahead / most) * windowMs;
    let excess = this.#sum + (ahead % most) + units - most;
    if (excess <= 0) return wholeWindows;
    for (const { at, units: freed } of this.#used) {
      excess -= freed;
      if (excess <= 0) return wholeWindows + at + windowMs - now;
    }
    return wholeWindows + windowMs;
  }

  #forget(now: number): void {
    const gone = this.#used.findIndex(({ at }) => at + this.limit.windowMs > now);
    for (const { units } of this.#used.splice(0, gone === -1 ? this.#used.length : gone)) this.#sum -= units;
  }
}
