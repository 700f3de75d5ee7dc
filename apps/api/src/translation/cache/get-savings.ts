import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import type { Answer } from '@yiqiao/contracts/endpoint';
import type { getSavings } from '@yiqiao/contracts/savings';
import { Clock } from '../../platform/clock.js';
import { Savings } from './savings.js';
import { type Owner, TranslationCache } from './translation-cache.js';

export class GetSavings extends Query<Answer<typeof getSavings>> {
  constructor(
    readonly who: Owner,
    readonly days: number,
  ) {
    super();
  }
}

/** What remembered translations saved on each of the last days, and how many there are. */
@QueryHandler(GetSavings)
export class GetSavingsHandler implements IQueryHandler<GetSavings> {
  constructor(
    private readonly savings: Savings,
    private readonly cache: TranslationCache,
    private readonly clock: Clock,
  ) {}

  async execute({ who, days: count }: GetSavings): Promise<Answer<typeof getSavings>> {
    const [days, kept] = await Promise.all([
      this.savings.on(this.clock.lastDays(count), who),
      this.cache.countOf(who.familyId),
    ]);
    const sum = (of: 'texts' | 'charNum'): number => days.reduce((total, day) => total + day[of], 0);
    return { days, texts: sum('texts'), charNum: sum('charNum'), kept };
  }
}
