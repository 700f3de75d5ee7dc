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

  /** NOT_FOUND alike for sessions that never existed, have ended, or belong to somebody else. */
  async execute({ userId, id }: EndSession): Promise<true> {
    if (!(await this.sessions.endOwn(userId, id))) throw new Refusal('NOT_FOUND');
    return true;
  }
}

/** Signs the member out on all devices, or on all but the session with this digest. */
export class SignOutEverywhere extends Command<{ count: number }> {
  constructor(
    readonly userId: number,
    readonly keptDigest: string | null,
  ) {
    super();
  }
}

@CommandHandler(SignOutEverywhere)
export class SignOutEverywhereHandler implements ICommandHandler<SignOutEverywhere> {
  constructor(private readonly sessions: Sessions) {}

  async execute({ userId, keptDigest }: SignOutEverywhere): Promise<{ count: number }> {
    return { count: await this.sessions.endOthers(userId, keptDigest) };
  }
}
