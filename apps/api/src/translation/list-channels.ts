import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import type { Answer } from '@yiqiao/contracts/endpoint';
import type { Language } from '@yiqiao/contracts/envelope';
import type { listChannels } from '@yiqiao/contracts/translation';
import { CHANNELS } from '@yiqiao/domain/channels';
import { TextChannels } from './text-channels.js';
import { Hearings } from './voice/hearings.js';

export class ListChannels extends Query<Answer<typeof listChannels>> {
  constructor(readonly language: Language) {
    super();
  }
}

@QueryHandler(ListChannels)
export class ListChannelsHandler implements IQueryHandler<ListChannels> {
  constructor(
    private readonly channels: TextChannels,
    private readonly hearings: Hearings,
  ) {}

  async execute({ language }: ListChannels): Promise<Answer<typeof listChannels>> {
    const views = await this.channels.views();
    return Promise.all(
      views.map(async ({ code, reason, ...view }) => ({
        ...view,
        reason: reason?.[language] ?? null,
        text: CHANNELS[code].text,
        // What the vendor does not do itself this machine does for it, with the engines that it has.
        voice: (await this.hearings.of(view.id)) !== null,
        image: true,
      })),
    );
  }
}
