import type { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import type { Quota } from '@yiqiao/domain/ledger';
import { Clock } from '../platform/clock.js';
import { Vault } from '../platform/vault.js';
import { canonicalMailbox } from './canonical-mailbox.js';

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
    const given = await em.execute<unknown[]>('SELECT gift FROM mailbox_gift WHERE mailbox_hmac = ? AND gift = ?', [
      this.#keyOf(email),
      gift,
    ]);
    return given.length === 1;
  }

  /** True when the gift was still available: the caller grants it in the same transaction. */
  async claim(em: EntityManager, { gift, userId, quota }: Gift, email: string): Promise<boolean> {
    const claimed = await em.execute<unknown[]>(
      `INSERT INTO mailbox_gift (mailbox_hmac, gift, given_at, user_id, char_num, voice_num, image_num)
       VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING RETURNING gift`,
      [...[this.#keyOf(email), gift, this.clock.now(), userId], ...[quota.charNum, quota.voiceNum, quota.imageNum]],
    );
    return claimed.length === 1;
  }

  #keyOf(email: string): string {
    return this.vault.hmac('mailbox', canonicalMailbox(email));
  }
}
