import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { Sessions } from './sessions.js';

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
