import { Injectable } from '@nestjs/common';
import { Refusal } from '@yiqiao/domain/errors';
import { type Balance, Ledger } from '../ledger/ledger.js';
import { SharedReads } from '../platform/shared-reads.js';

/** Which channel a member translates through: its main account's (decisions §3). */
@Injectable()
export class MemberChannels {
  readonly #balances = new SharedReads<number, Balance>((userIds) => this.ledger.balancesOf(userIds));

  constructor(private readonly ledger: Ledger) {}

  /** Null when none was ever set. Throws NOT_FOUND without account. */
  async of(userId: number): Promise<number | null> {
    const balance = await this.#balances.get(userId);
    if (!balance) throw new Refusal('NOT_FOUND');
    return balance.tranChannelId;
  }
}
