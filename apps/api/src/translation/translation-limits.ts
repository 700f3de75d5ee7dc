import { Injectable } from '@nestjs/common';
import { Refusal } from '@yiqiao/domain/errors';
import { Members } from '../members/members.js';
import { Config } from '../platform/config.js';
import { RateLimits } from '../platform/rate-limits.js';

/** How much one member may translate at once and per second (decisions §3). In flight is counted per process. */
@Injectable()
export class TranslationLimits {
  readonly #inFlight = new Map<number, number>();

  constructor(
    private readonly rates: RateLimits,
    private readonly config: Config,
    private readonly members: Members,
  ) {}

  /** Throws TOO_MANY_REQUESTS, what `work` throws, and ACCOUNT_CLOSED where the member's quota went because its account was deleted. */
  async within<T>(userId: number, work: () => Promise<T>): Promise<T> {
    const others = this.#inFlight.get(userId) ?? 0;
    if (others >= this.config.env.LIMIT_TRANSLATION_IN_FLIGHT)
      throw new Refusal('TOO_MANY_REQUESTS', { retryAfterSeconds: 1 });
    this.#inFlight.set(userId, others + 1);
    try {
      await this.rates.take('translationRate', String(userId));
      return await work();
    } catch (error) {
      if (!(error instanceof Refusal && error.code === 'QUOTA_NOT_ENOUGH')) throw error;
      throw (await this.members.find(userId)) ? error : new Refusal('ACCOUNT_CLOSED');
    } finally {
      this.#leave(userId);
    }
  }

  #leave(userId: number): void {
    const left = (this.#inFlight.get(userId) ?? 1) - 1;
    if (left > 0) this.#inFlight.set(userId, left);
    else this.#inFlight.delete(userId);
  }
}
