import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { Refusal } from '@yiqiao/domain/errors';
import { Passwords } from '../platform/passwords.js';
import { RateLimits } from '../platform/rate-limits.js';
import { Member } from './member.entity.js';

/** Proves that whoever holds a session knows the account's password: what cannot be undone asks for it once more. */
@Injectable()
export class OwnPassword {
  constructor(
    private readonly em: EntityManager,
    private readonly passwords: Passwords,
    private readonly limits: RateLimits,
  ) {}

  /**
   * Answers the hash that `password` is right for; the caller compares it under the member's lock. Throws WRONG_PASSWORD, and
   * LOGIN_LOCKED after too many: a stolen session shall not find the password out by trying.
   */
  async prove(userId: number, password: string): Promise<string> {
    const guesses = `own-password:${userId}`;
    await this.limits.check('loginFailures', guesses);
    const known = await this.em.fork().findOne(Member, { id: userId, closedAt: null });
    if (!known?.passwordHash) throw new Refusal('SESSION_CLOSED');
    if (await this.passwords.matches(password, known.passwordHash)) {
      // Again: a right guess in the middle of a burst of wrong ones is still a guess.
      await this.limits.check('loginFailures', guesses);
      return known.passwordHash;
    }
    await this.limits.take('loginFailures', guesses);
    throw new Refusal('WRONG_PASSWORD');
  }
}
