import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { Live } from '../platform/live.js';

/** The topic on which processes with streams listen for changes. */
export const NOTICES_TOPIC = 'notices';

export class PublishNotices extends Command<void> {}

/** Publishes a change of the active notices: each process reads them once and updates its own streams ({@link NoticeFanOut}). */
@CommandHandler(PublishNotices)
export class PublishNoticesHandler implements ICommandHandler<PublishNotices> {
  constructor(private readonly live: Live) {}

  execute(): Promise<void> {
    return this.live.publish(NOTICES_TOPIC, {});
  }
}
