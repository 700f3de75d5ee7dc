import { EntityManager } from '@mikro-orm/postgresql';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { Refusal } from '@yiqiao/domain/errors';
import { Members } from '../members/members.js';
import { Passwords } from '../platform/passwords.js';

/** Ends every session of the member, the current one included (decisions §2). */
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
  ) {}

  async execute({ userId, oldPassword, password }: ChangePassword): Promise<true> {
    const verifiedHash = await this.members.verifyPassword(userId, oldPassword, 'WRONG_OLD_PASSWORD');
    const passwordHash = await this.passwords.hash(password);
    await this.em.fork().transactional(async (em) => {
      const member = await this.members.lock(em, userId);
      // Changed concurrently: the given old password is no longer valid.
      if (member?.passwordHash !== verifiedHash) throw new Refusal('WRONG_OLD_PASSWORD');
      await this.members.setPassword(em, userId, passwordHash);
    });
    return true;
  }
}
