import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { Refusal, type ErrorCode } from '@yiqiao/domain/errors';
import { Passwords } from '../platform/passwords.js';
import { RateLimits } from '../platform/rate-limits.js';
import { Member } from './member.entity.js';

/** Verifies the password of a signed-in member before an operation that cannot be undone. */
@Injectable()
export class OwnPassword {
  constructor(
    private readonly em: EntityManager,
    private readonly passwords: Passwords,
    private readonly limits: RateLimits,
  ) {}

  /**
   * Verifies `password` and returns its hash, which the caller compares under the member's lock. Throws `wrong`, and LOGIN_LOCKED after too
   * many tries, so that a stolen session cannot find the password by trying any of the calls.
   */
  async prove(userId: number, password: string, wrong: ErrorCode = 'WRONG_PASSWORD'): Promise<string> {
    const guesses = `own-password:${userId}`;
    await this.limits.check('loginFailures', guesses);
    const known = await this.em.fork().findOne(Member, { id: userId, closedAt: null });
    if (!known?.passwordHash) throw new Refusal('SESSION_CLOSED');
    const right = await this.passwords.matches(password, known.passwordHash);
    if (!right) {
      await this.limits.take('loginFailures', guesses);
      throw new Refusal(wrong);
    }
    // A right guess within a burst of wrong ones is still a guess: check the limit again.
    await this.limits.check('loginFailures', guesses);
    await this.limits.forget('loginFailures', guesses);
    return known.passwordHash;
  }
}
