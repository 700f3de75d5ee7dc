import type { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { INVITE_REWARD_CHARS } from '@yiqiao/domain/limits';
import { Ledger } from '../ledger/ledger.js';
import { commandIdOf } from './command-id.js';
import { Identity } from './identity.entity.js';
import { MailboxGifts } from './mailbox-gifts.js';
import { Member } from './member.entity.js';

/** What an invited NEW member gets (specification §1). */
@Injectable()
export class InviteRewards {
  constructor(
    private readonly gifts: MailboxGifts,
    private readonly ledger: Ledger,
  ) {}

  /**
   * Gives the reward unless the mailbox had one before, under this account or an earlier one. Claim and entry share the
   * transaction of `em`, so the mailbox has both or neither, however often this is asked for.
   */
  async give(em: EntityManager, userId: number): Promise<void> {
    const invited = await em.count(Member, { id: userId, inviterId: { $ne: null }, closedAt: null });
    const mailbox = invited === 1 ? await em.findOne(Identity, { kind: 'email', userId }) : null;
    if (!mailbox || !(await this.gifts.claim(em, 'invite', mailbox.shown))) return;
    const movement = { type: 'INVITE_REWARD', charChange: INVITE_REWARD_CHARS } as const;
    await this.ledger.post(em, userId, movement, { cmdId: commandIdOf(`invite:${userId}`) });
  }
}
