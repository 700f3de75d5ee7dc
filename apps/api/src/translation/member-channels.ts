import { Injectable } from '@nestjs/common';
import { Refusal } from '@yiqiao/domain/errors';
import { type Balance, Ledger } from '../ledger/ledger.js';
import { Members, type TranslationSettings } from '../members/members.js';
import { Memories } from '../platform/memories.js';
import { RememberedReads } from '../platform/remembered-reads.js';

/**
 * Which channel a member translates through: its main account's (decisions §3), and what it wants of its translations. Remembered for
 * half a second: the hold finds out when the channel is another one by then.
 */
@Injectable()
export class MemberChannels {
  readonly #balances = new RememberedReads<number, Balance>((userIds) => this.ledger.balancesOf(userIds));
  readonly #settings = new RememberedReads<number, TranslationSettings>((userIds) =>
    this.members.translationSettings(userIds),
  );

  constructor(
    private readonly ledger: Ledger,
    private readonly members: Members,
    memories: Memories,
  ) {
    memories.onChange((userId) => this.#settings.forget(userId));
  }

  /** Its channel (null when none was ever set) and how it pays. Throws NOT_FOUND without account. */
  async of(userId: number): Promise<Pick<Balance, 'tranChannelId' | 'billingMode' | 'expireAt'>> {
    const balance = await this.#balances.get(userId);
    if (!balance) throw new Refusal('NOT_FOUND');
    return balance;
  }

  /** Its channel is read anew by whoever asks next. */
  forget(userId: number): void {
    this.#balances.forget(userId);
  }

  async settings(userId: number): Promise<TranslationSettings> {
    return (await this.#settings.get(userId)) ?? NOTHING_SET;
  }
}

const NOTHING_SET: TranslationSettings = { failover: false, remembers: false };
