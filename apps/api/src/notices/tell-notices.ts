import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { Live } from '../platform/live.js';

/** Where every process that holds streams listens for changes of the board. */
export const NOTICES_TOPIC = 'notices';

export class TellNotices extends Command<void> {}

/** Tells every process that the board has changed: each reads it once, and tells its own streams (see {@link NoticeFanOut}). */
@CommandHandler(TellNotices)
export class TellNoticesHandler implements ICommandHandler<TellNotices> {
  constructor(private readonly live: Live) {}

  execute(): Promise<void> {
    return this.live.publish(NOTICES_TOPIC, {});
  }
}
