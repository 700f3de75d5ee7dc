import type { Limit, SharedPlaces } from '../../platform/shared-places.js';
import type { Granted, SharedWindows, WindowLimit } from '../../platform/shared-windows.js';
import type { DayCap } from './day-cap.js';

/** Limits in characters (code points) and requests; null: no limit of this kind. */
export type RateLimit = {
  readonly requestsPerSecond: number | null;
  readonly charsPerMinute: number | null;
  readonly inFlight: number;
  readonly day: DayCap | null;
};

/** What all processes share. */
export type Shared = {
  readonly places: Pick<SharedPlaces, 'take' | 'takeNow' | 'leave'>;
  readonly windows: Pick<SharedWindows, 'take'>;
};

/** Vendors count requests on arrival, and the network may bring them closer together. */
const MARGIN = 1.05;
/** When to ask again for a place that other processes have. */
export const PLACE_MS = 25;

export const requestWindow = (perSecond: number): WindowLimit => {
  const units = Math.max(1, Math.floor(perSecond));
  return { units, windowMs: (units / perSecond) * 1_000 * MARGIN };
};

export const charWindow = (perMinute: number): WindowLimit => ({ units: perMinute, windowMs: 60_000 * MARGIN });

/**
 * An account's limits over all processes (docs/decisions/0062): requests in flight, requests per second, characters per minute and per day.
 * Only the first and the last are at hand without asking.
 */
export class AccountPace {
  #limits: Record<string, WindowLimit> = {};
  #places: Limit;

  /** `name`: unique among the accounts. `shared` null: this process is the only one. */
  constructor(
    private readonly name: string,
    private pace: RateLimit,
    private readonly shared: Shared | null,
  ) {
    this.#places = { key: `vendor:${name}`, most: pace.inFlight };
    this.change(pace);
  }

  change(pace: RateLimit): void {
    this.pace = pace;
    const { requestsPerSecond, charsPerMinute, inFlight } = pace;
    this.#places = { key: this.#places.key, most: inFlight };
    this.#limits = {
      ...(requestsPerSecond !== null && { requests: requestWindow(requestsPerSecond) }),
      ...(charsPerMinute !== null && { chars: charWindow(charsPerMinute) }),
    };
  }

  /** Takes what a request of so many characters needs, if nobody has to be asked. {@link leave} must follow a true. */
  takeNow(chars: number): boolean {
    if (this.shared && (this.#hasRates || !this.shared.places.takeNow(this.#places))) return false;
    if (this.pace.day?.takeNow(chars) !== false) return true;
    this.leave(1);
    return false;
  }

  /**
   * The same for several requests: for as many as may go now, in their order. `waitMs`: when the next may, Infinity when it does not fit
   * today. Never rejects.
   */
  async take(sizes: readonly number[]): Promise<Granted> {
    const places = await this.#takePlaces(sizes.length);
    if (places === 0) return { granted: 0, waitMs: PLACE_MS };
    const today = await this.#takeDay(sizes.slice(0, places));
    this.leave(places - today);
    if (today === 0) return { granted: 0, waitMs: Number.POSITIVE_INFINITY };
    const { granted, waitMs } = await this.#takeWindows(sizes.slice(0, today));
    for (const chars of sizes.slice(granted, today)) this.giveBack(chars);
    return { granted, waitMs: granted < today ? waitMs : today < places ? 0 : PLACE_MS };
  }

  /** So many requests are over. */
  leave(count = 1): void {
    for (let n = 0; n < count; n++) this.shared?.places.leave(this.#places);
  }

  /** A request was not sent after all. Its rates stay used. */
  giveBack(chars: number): void {
    this.leave();
    this.pace.day?.giveBack(chars);
  }

  get #hasRates(): boolean {
    return Object.keys(this.#limits).length > 0;
  }

  async #takePlaces(count: number): Promise<number> {
    const { shared } = this;
    if (!shared) return count;
    const taken = await Promise.all(Array.from({ length: count }, () => shared.places.take(this.#places)));
    return taken.filter(Boolean).length;
  }

  async #takeDay(sizes: readonly number[]): Promise<number> {
    const { day } = this.pace;
    if (!day || (await day.take(sizes.reduce((sum, chars) => sum + chars, 0)))) return sizes.length;
    if (sizes.length === 1) return 0;
    for (const [at, chars] of sizes.entries()) if (!(await day.take(chars))) return at;
    return sizes.length;
  }

  #takeWindows(sizes: readonly number[]): Promise<Granted> | Granted {
    if (!this.shared || !this.#hasRates) return { granted: sizes.length, waitMs: 0 };
    const request = { key: `vendor:${this.name}`, limits: this.#limits };
    return this.shared.windows.take({ ...request, sizes: sizes.map((chars) => ({ requests: 1, chars })) });
  }
}
