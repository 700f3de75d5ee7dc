import type { EntityManager, QueryResult } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import type { Quota } from '@yiqiao/domain/ledger';
import { Clock } from '../platform/clock.js';
import { Vault } from '../platform/vault.js';
import { canonicalMailbox } from './canonical-mailbox.js';
import { MailboxGift } from './mailbox-gift.entity.js';

/** A gift and its recipient; by this record the audit finds its ledger entry (docs/decisions/0035). */
export type Gift = { gift: 'trial' | 'invite'; userId: number; quota: Quota };

/** Gifts that a mailbox receives only once. Stored under a keyed hash of the mailbox, so they outlive the account. */
@Injectable()
export class MailboxGifts {
  constructor(
    private readonly vault: Vault,
    private readonly clock: Clock,
  ) {}

  async wasGiven(em: EntityManager, gift: Gift['gift'], email: string): Promise<boolean> {
    return (await em.count(MailboxGift, { mailboxHmac: this.#keyOf(email), gift })) > 0;
  }

  /** True when the gift was still available: the caller grants it in the same transaction. */
  async claim(em: EntityManager, { gift, userId, quota }: Gift, email: string): Promise<boolean> {
    const { charNum, voiceNum, imageNum } = quota;
    const { affectedRows } = await em
      .createQueryBuilder(MailboxGift)
      .insert({ mailboxHmac: this.#keyOf(email), gift, givenAt: this.clock.now(), userId, charNum, voiceNum, imageNum })
      .onConflict()
      .ignore()
      .execute<QueryResult>('run');
    return affectedRows === 1;
  }

  #keyOf(email: string): string {
    return this.vault.hmac('mailbox', canonicalMailbox(email));
  }
}
