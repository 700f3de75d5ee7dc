import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { Refusal } from '@yiqiao/domain/errors';
import { Sessions } from './sessions.js';

/** Signs the member out on one device. */
export class EndSession extends Command<true> {
  constructor(
    readonly userId: number,
    readonly id: number,
  ) {
    super();
  }
}

@CommandHandler(EndSession)
export class EndSessionHandler implements ICommandHandler<EndSession> {
  constructor(private readonly sessions: Sessions) {}

  /** Whether it never was, is over, or is somebody else's: to the caller it is the same. */
  async execute({ userId, id }: EndSession): Promise<true> {
    if (!(await this.sessions.endOwn(userId, id))) throw new Refusal('NOT_FOUND');
    return true;
  }
}
