import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { Refusal, type ErrorCode } from '@yiqiao/domain/errors';
import { Outbox } from '../platform/outbox.js';
import { Passwords } from '../platform/passwords.js';
import { RateLimits } from '../platform/rate-limits.js';
import { Sessions } from '../sessions/sessions.js';
import { Member } from './member.entity.js';

/** Verifies and changes the passwords of members. */
@Injectable()
export class MemberPasswords {
  constructor(
    private readonly em: EntityManager,
    private readonly passwords: Passwords,
    private readonly limits: RateLimits,
    private readonly sessions: Sessions,
    private readonly outbox: Outbox,
  ) {}

  /**
   * Verifies the `password` of a signed-in member before an operation that cannot be undone, and returns its hash, which the caller compares
   * under the member's lock. Throws `wrong`, and LOGIN_LOCKED after too many tries, so that a stolen session cannot find the password by
   * trying any of the calls.
   */
  async verify(userId: number, password: string, wrong: ErrorCode = 'WRONG_PASSWORD'): Promise<string> {
    const guesses = `own-password:${userId}`;
    await this.limits.check('loginFailures', guesses);
    const member = await this.em.fork().findOne(Member, { id: userId, closedAt: null });
    if (!member?.passwordHash) throw new Refusal('SESSION_CLOSED');
    const right = await this.passwords.matches(password, member.passwordHash);
    if (!right) {
      await this.limits.take('loginFailures', guesses);
      throw new Refusal(wrong);
    }
    // A right guess within a burst of wrong ones is still a guess: check the limit again.
    await this.limits.check('loginFailures', guesses);
    await this.limits.forget('loginFailures', guesses);
    return member.passwordHash;
  }

  /** Sets a password in the transaction of `em`, ends every session of the member and notifies the owner (decisions §2). */
  async change(em: EntityManager, userId: number, passwordHash: string): Promise<void> {
    await em.nativeUpdate(Member, { id: userId, closedAt: null }, { passwordHash });
    await this.sessions.endAll(em, [userId], 'ended');
    await this.outbox.record(em, { type: 'PasswordChanged', userId });
  }
}
