import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { Refusal, type ErrorCode } from '@yiqiao/domain/errors';
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
   * Answers the hash that `password` is right for; the caller compares it under the member's lock. Throws `wrong`, and LOGIN_LOCKED
   * after too many: a stolen session shall not find the password out by trying, whichever call it tries.
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
    // A right guess in the middle of a burst of wrong ones is still a guess: it is refused after as many as are. Alone it counts nothing.
    await this.limits.check('loginFailures', guesses);
    await this.limits.forget('loginFailures', guesses);
    return known.passwordHash;
  }
}
