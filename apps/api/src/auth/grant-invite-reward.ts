import { EntityManager } from '@mikro-orm/postgresql';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { Members } from '../members/members.js';

/** Runs after a registration through an invite link. Its job may run more than once; the reward is given once. */
export class GrantInviteReward extends Command<void> {
  constructor(readonly userId: number) {
    super();
  }
}

@CommandHandler(GrantInviteReward)
export class GrantInviteRewardHandler implements ICommandHandler<GrantInviteReward> {
  constructor(
    private readonly em: EntityManager,
    private readonly members: Members,
  ) {}

  execute({ userId }: GrantInviteReward): Promise<void> {
    return this.em.fork().transactional((em) => this.members.giveInviteReward(em, userId));
  }
}
