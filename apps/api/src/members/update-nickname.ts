import { EntityManager } from '@mikro-orm/postgresql';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { Member } from './member.entity.js';

export class UpdateNickname extends Command<true> {
  constructor(
    readonly userId: number,
    readonly nickname: string,
  ) {
    super();
  }
}

@CommandHandler(UpdateNickname)
export class UpdateNicknameHandler implements ICommandHandler<UpdateNickname> {
  constructor(private readonly em: EntityManager) {}

  async execute({ userId, nickname }: UpdateNickname): Promise<true> {
    // The schema's CHECK forbids a nickname on a closed account; a late request changes nothing.
    await this.em.fork().nativeUpdate(Member, { id: userId, closedAt: null }, { nickname });
    return true;
  }
}
