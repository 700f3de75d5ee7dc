import { Injectable } from '@nestjs/common';
import type { Language } from '@yiqiao/contracts/envelope';
import { Refusal } from '@yiqiao/domain/errors';
import { Ledger } from '../../ledger/ledger.js';
import { Clock } from '../../platform/clock.js';
import type { Caller } from '../../platform/endpoint.js';
import { RateLimits } from '../../platform/rate-limits.js';
import { ChannelViews } from '../channel-view.js';

/** Who may have a transcript without paying for it, and how often. */
@Injectable()
export class TranscriptAllowance {
  constructor(
    private readonly choices: ChannelViews,
    private readonly ledger: Ledger,
    private readonly rates: RateLimits,
    private readonly clock: Clock,
  ) {}

  /** The member's own channel as it is now. Throws CHANNEL_UNAVAILABLE. */
  async channelOf(caller: Caller, language: Language): Promise<number> {
    return (await this.choices.current({}, caller, language)).asked;
  }

  /** Throws PACKAGE_EXPIRED or QUOTA_NOT_ENOUGH to who could not pay these minutes, TOO_MANY_REQUESTS after too many. */
  async take({ userId }: Caller, minutes: number): Promise<void> {
    const { expireAt, usableVoiceNum } = await this.ledger.balanceOf(userId);
    if (expireAt === null || expireAt.getTime() <= this.clock.now().getTime()) throw new Refusal('PACKAGE_EXPIRED');
    if (usableVoiceNum < minutes) throw new Refusal('QUOTA_NOT_ENOUGH');
    await this.rates.take('transcripts', String(userId));
  }
}
