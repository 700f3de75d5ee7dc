import { Injectable } from '@nestjs/common';
import { Refusal } from '@yiqiao/domain/errors';
import { type Balance, Ledger } from '../ledger/ledger.js';
import { Members } from '../members/members.js';
import { SharedReads } from '../platform/shared-reads.js';

/** Which channel a member translates through: its main account's (decisions §3), and whether another may take over. */
@Injectable()
export class MemberChannels {
  readonly #balances = new SharedReads<number, Balance>((userIds) => this.ledger.balancesOf(userIds));
  readonly #allowing = new SharedReads<number, true>(
    async (mainIds) => new Map([...(await this.members.allowingFailover(mainIds))].map((id) => [id, true])),
  );

  constructor(
    private readonly ledger: Ledger,
    private readonly members: Members,
  ) {}

  /** Null when none was ever set. Throws NOT_FOUND without account. */
  async of(userId: number): Promise<number | null> {
    const balance = await this.#balances.get(userId);
    if (!balance) throw new Refusal('NOT_FOUND');
    return balance.tranChannelId;
  }

  /** Whether this main account lets another channel serve when the one that is asked fails. */
  async allowFailover(mainId: number): Promise<boolean> {
    return (await this.#allowing.get(mainId)) ?? false;
  }
}
