import type { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { Outbox } from '../platform/outbox.js';
import { Sessions } from '../sessions/sessions.js';
import { Member } from './member.entity.js';

/** A new password ends every session of the member and notifies the owner (decisions §2). */
@Injectable()
export class PasswordChanges {
  constructor(
    private readonly sessions: Sessions,
    private readonly outbox: Outbox,
  ) {}

  /** Everything in the transaction of `em`. */
  async set(em: EntityManager, userId: number, passwordHash: string): Promise<void> {
    await em.nativeUpdate(Member, { id: userId, closedAt: null }, { passwordHash });
    await this.sessions.endAll(em, userId, 'ended');
    await this.outbox.record(em, { type: 'PasswordChanged', userId });
  }
}
