import { Injectable } from '@nestjs/common';
import { Refusal } from '@yiqiao/domain/errors';
import { Members } from '../members/members.js';
import { Config } from '../platform/config.js';
import { RateLimits } from '../platform/rate-limits.js';
import { SharedPlaces } from '../platform/shared-places.js';

/** How much one member may translate at once and per second, over all processes (decisions §3). */
@Injectable()
export class TranslationLimits {
  constructor(
    private readonly rates: RateLimits,
    private readonly config: Config,
    private readonly members: Members,
    private readonly places: SharedPlaces,
  ) {}

  /** Throws TOO_MANY_REQUESTS, what `work` throws, and ACCOUNT_CLOSED where the member's quota went because its account was deleted. */
  async within<T>(userId: number, work: () => Promise<T>): Promise<T> {
    const limit = { key: `translations:${userId}`, most: this.config.env.LIMIT_TRANSLATION_IN_FLIGHT };
    if (!this.places.takeNow(limit) && !(await this.places.enter(limit)))
      throw new Refusal('TOO_MANY_REQUESTS', { retryAfterSeconds: 1 });
    try {
      await this.rates.take('translationRate', String(userId));
      return await work();
    } catch (error) {
      if (!(error instanceof Refusal && error.code === 'QUOTA_NOT_ENOUGH')) throw error;
      throw (await this.members.find(userId)) ? error : new Refusal('ACCOUNT_CLOSED');
    } finally {
      this.places.leave(limit);
    }
  }
}
