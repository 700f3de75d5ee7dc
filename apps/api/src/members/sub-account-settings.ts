import { EntityManager } from '@mikro-orm/postgresql';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { Refusal } from '@yiqiao/domain/errors';
import { Passwords } from '../platform/passwords.js';
import { lockMain } from './lock-main.js';
import { Member } from './member.entity.js';
import { Members } from './members.js';
import { type ChildOf, type Several, SubAccounts } from './sub-accounts.js';

/** Enables or disables a sub-account; a disabled one is signed out within a second (decisions §2). */
export class ChangeEnabled extends Command<true> {
  constructor(
    readonly child: ChildOf,
    readonly enabled: 0 | 1,
  ) {
    super();
  }
}

@CommandHandler(ChangeEnabled)
export class ChangeEnabledHandler implements ICommandHandler<ChangeEnabled> {
  constructor(
    private readonly em: EntityManager,
    private readonly subAccounts: SubAccounts,
  ) {}

  async execute({ child, enabled }: ChangeEnabled): Promise<true> {
    await this.em.fork().transactional((em) => this.subAccounts.edit(em, child, { enabled }));
    return true;
  }
}

/** Enables or disables several sub-accounts, all or none. */
export class ChangeManyEnabled extends Command<{ count: number }> {
  constructor(
    readonly mainId: number,
    readonly several: Several,
    readonly enabled: 0 | 1,
  ) {
    super();
  }
}

@CommandHandler(ChangeManyEnabled)
export class ChangeManyEnabledHandler implements ICommandHandler<ChangeManyEnabled> {
  constructor(
    private readonly em: EntityManager,
    private readonly subAccounts: SubAccounts,
  ) {}

  execute({ mainId, several, enabled }: ChangeManyEnabled): Promise<{ count: number }> {
    return this.em.fork().transactional(async (em) => {
      await lockMain(em, mainId);
      const selected = await this.subAccounts.select(em, mainId, several);
      // The locks wait for sign-ins in progress: their sessions end here, too.
      const ids = await this.subAccounts.lockedIdsOf(em, mainId, selected);
      return { count: await this.subAccounts.setEnabled(em, ids, enabled) };
    });
  }
}

/** For one sub-account, or with the main account's id for all of them and future ones, which inherit it (decisions §4). */
export class ChangeAutoDistribution extends Command<{ count: number }> {
  constructor(
    readonly target: ChildOf,
    readonly autoDistribution: 0 | 1,
  ) {
    super();
  }
}

/** Returns how many sub-accounts have been set. */
@CommandHandler(ChangeAutoDistribution)
export class ChangeAutoDistributionHandler implements ICommandHandler<ChangeAutoDistribution> {
  constructor(private readonly em: EntityManager) {}

  execute({ target: { mainId, userId }, autoDistribution }: ChangeAutoDistribution): Promise<{ count: number }> {
    const on = autoDistribution === 1;
    return this.em.fork().transactional(async (em) => {
      const isWholeFamily = userId === mainId;
      // A sub-account that is being added waits for this lock and then inherits the new flag.
      if (isWholeFamily) await lockMain(em, mainId);
      const which = isWholeFamily ? {} : { id: userId };
      const where = { familyId: mainId, closedAt: null, ...which };
      const changed = await em.nativeUpdate(Member, where, { autoDistribution: on });
      if (changed === 0) throw new Refusal('NOT_FOUND');
      // The main account holds the flag for future sub-accounts, but is not one of them.
      return { count: isWholeFamily ? changed - 1 : changed };
    });
  }
}

/** A main account sets a new password for a sub-account, which ends all its sessions (decisions §2). */
export class ResetChildPassword extends Command<true> {
  constructor(
    readonly child: ChildOf,
    readonly password: string,
  ) {
    super();
  }
}

@CommandHandler(ResetChildPassword)
export class ResetChildPasswordHandler implements ICommandHandler<ResetChildPassword> {
  constructor(
    private readonly em: EntityManager,
    private readonly members: Members,
    private readonly subAccounts: SubAccounts,
    private readonly passwords: Passwords,
  ) {}

  async execute({ child, password }: ResetChildPassword): Promise<true> {
    await this.em.fork().transactional((em) => this.subAccounts.edit(em, child, {}));
    const passwordHash = await this.passwords.hash(password);
    await this.em.fork().transactional(async (em) => {
      await this.subAccounts.edit(em, child, {});
      await this.members.setPassword(em, child.userId, passwordHash);
    });
    return true;
  }
}
