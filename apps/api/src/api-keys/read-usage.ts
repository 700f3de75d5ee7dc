import { EntityManager } from '@mikro-orm/postgresql';
import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import type { Answer } from '@yiqiao/contracts/endpoint';
import type { readUsage } from '@yiqiao/contracts/native-api';
import { Ledger } from '../ledger/ledger.js';
import { Clock } from '../platform/clock.js';
import type { Caller } from '../platform/endpoint.js';
import { readKeys } from './find-api-keys.js';

/** What the key of the request has left: of its own caps, and of its account. */
export class ReadUsage extends Query<Answer<typeof readUsage>> {
  constructor(readonly caller: Caller) {
    super();
  }
}

@QueryHandler(ReadUsage)
export class ReadUsageHandler implements IQueryHandler<ReadUsage> {
  constructor(
    private readonly em: EntityManager,
    private readonly ledger: Ledger,
    private readonly clock: Clock,
  ) {}

  async execute({ caller: { userId, apiKey } }: ReadUsage): Promise<Answer<typeof readUsage>> {
    if (!apiKey) throw new Error('a request with a key has none');
    const where = { condition: 'k.id = ? AND k.user_id = ?', parameters: [apiKey.id, userId] };
    const [balance, [key]] = await Promise.all([
      this.ledger.balanceOf(userId),
      readKeys(this.em.fork(), where, this.clock),
    ]);
    if (!key) throw new Error(`key ${apiKey.id} is gone`);
    const { dayCap, monthCap, usedToday, usedThisMonth } = key;
    return {
      balance: {
        charNum: balance.usableCharNum,
        expireDateTime: balance.expireAt && this.clock.toWire(balance.expireAt),
        translationBillingMode: balance.billingMode,
      },
      key: { name: key.name, dayCap, monthCap, usedToday, usedThisMonth, expireDateTime: key.expireDateTime },
    };
  }
}
