import { Injectable } from '@nestjs/common';
import { Refusal } from '@yiqiao/domain/errors';
import { type Balance, Ledger } from '../ledger/ledger.js';
import { Members } from '../members/members.js';
import { Memories } from '../platform/memories.js';
import { RememberedReads } from '../platform/remembered-reads.js';

/**
 * Which channel a member translates through: its main account's (decisions §3), and whether another may take over. Remembered for half a
 * second: the hold finds out when the channel is another one by then.
 */
@Injectable()
export class MemberChannels {
  readonly #balances = new RememberedReads<number, Balance>((userIds) => this.ledger.balancesOf(userIds));
  readonly #allowing = new RememberedReads<number, true>(
    async (mainIds) => new Map([...(await this.members.allowingFailover(mainIds))].map((id) => [id, true])),
  );

  constructor(
    private readonly ledger: Ledger,
    private readonly members: Members,
    memories: Memories,
  ) {
    memories.onChange((userId) => this.#allowing.forget(userId));
  }

  /** Null when none was ever set. Throws NOT_FOUND without account. */
  async of(userId: number): Promise<number | null> {
    const balance = await this.#balances.get(userId);
    if (!balance) throw new Refusal('NOT_FOUND');
    return balance.tranChannelId;
  }

  /** Its channel is read anew by whoever asks next. */
  forget(userId: number): void {
    this.#balances.forget(userId);
  }

  /** Whether this main account lets another channel serve when the one that is asked fails. */
  async allowFailover(mainId: number): Promise<boolean> {
    return (await this.#allowing.get(mainId)) ?? false;
  }
}
