import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { Sessions } from '../sessions/sessions.js';

export class LogOut extends Command<true> {
  constructor(readonly sessionDigest: string) {
    super();
  }
}

@CommandHandler(LogOut)
export class LogOutHandler implements ICommandHandler<LogOut> {
  constructor(private readonly sessions: Sessions) {}

  async execute({ sessionDigest }: LogOut): Promise<true> {
    await this.sessions.end(sessionDigest);
    return true;
  }
}
