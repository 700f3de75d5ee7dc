import { EntityManager } from '@mikro-orm/postgresql';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { Refusal } from '@yiqiao/domain/errors';
import { Members } from '../members/members.js';
import { RateLimits } from '../platform/rate-limits.js';
import { Passwords } from '../platform/passwords.js';

/** Ends every session of the member, the one that asked included (decisions §2). */
export class ChangePassword extends Command<true> {
  constructor(
    readonly userId: number,
    readonly oldPassword: string,
    readonly password: string,
  ) {
    super();
  }
}

@CommandHandler(ChangePassword)
export class ChangePasswordHandler implements ICommandHandler<ChangePassword> {
  constructor(
    private readonly em: EntityManager,
    private readonly members: Members,
    private readonly passwords: Passwords,
    private readonly limits: RateLimits,
  ) {}

  async execute({ userId, oldPassword, password }: ChangePassword): Promise<true> {
    const guesses = `change:${userId}`;
    await this.limits.check('loginFailures', guesses);
    const known = await this.members.find(userId);
    const right = known?.passwordHash ? await this.passwords.matches(oldPassword, known.passwordHash) : false;
    if (!known || !right) {
      await this.limits.take('loginFailures', guesses);
      throw new Refusal('WRONG_OLD_PASSWORD');
    }
    const passwordHash = await this.passwords.hash(password);
    await this.em.fork().transactional(async (em) => {
      const member = await this.members.lock(em, userId);
      // Somebody else changed it meanwhile: then the old password is no longer the old password.
      if (member?.passwordHash !== known.passwordHash) throw new Refusal('WRONG_OLD_PASSWORD');
      await this.members.setPassword(em, userId, passwordHash);
    });
    await this.limits.forget('loginFailures', guesses);
    return true;
  }
}
