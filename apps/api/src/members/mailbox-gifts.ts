import type { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { Clock } from '../platform/clock.js';
import { Vault } from '../platform/vault.js';
import { canonicalMailbox } from './canonical-mailbox.js';

export type Gift = 'trial' | 'invite';

/** What a mailbox is given once, ever. A keyed hash stands for the mailbox, so it outlives the deletion of the account. */
@Injectable()
export class MailboxGifts {
  constructor(
    private readonly vault: Vault,
    private readonly clock: Clock,
  ) {}

  /** True when the gift was still to be given: the caller gives it in the same transaction. */
  async claim(em: EntityManager, gift: Gift, email: string): Promise<boolean> {
    const claimed = await em.execute<unknown[]>(
      'INSERT INTO mailbox_gift (mailbox_hmac, gift, given_at) VALUES (?, ?, ?) ON CONFLICT DO NOTHING RETURNING gift',
      [this.vault.hmac('mailbox', canonicalMailbox(email)), gift, this.clock.now()],
    );
    return claimed.length === 1;
  }
}
