import { EntityManager } from '@mikro-orm/postgresql';
import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import type { Input } from '@yiqiao/contracts/endpoint';
import type { Language } from '@yiqiao/contracts/envelope';
import type { getAccountState } from '@yiqiao/contracts/operator/accounts';
import { Clock } from '../../platform/clock.js';
import { AccountBlocks } from './account-blocks.js';
import { type AccountStateView, entryCount, readState, seqAt } from './read-states.js';

export class GetAccountState extends Query<AccountStateView> {
  constructor(
    readonly request: Input<typeof getAccountState>,
    readonly language: Language,
  ) {
    super();
  }
}

/** An account at any moment of its life (operators §6). */
@QueryHandler(GetAccountState)
export class GetAccountStateHandler implements IQueryHandler<GetAccountState> {
  constructor(
    private readonly em: EntityManager,
    private readonly clock: Clock,
    private readonly blocks: AccountBlocks,
  ) {}

  async execute({ request: { userId, at, seq }, language }: GetAccountState): Promise<AccountStateView> {
    const em = this.em.fork();
    const newest = await entryCount(em, userId);
    await this.blocks.catchUp(userId);
    const moment = seq ?? (at === undefined ? newest : await seqAt(em, userId, this.clock.endOfWire(at), this.clock));
    return readState(em, { userId, seq: moment }, { clock: this.clock, language });
  }
}
