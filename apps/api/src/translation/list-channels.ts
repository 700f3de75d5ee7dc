import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import type { Answer } from '@yiqiao/contracts/endpoint';
import type { Language } from '@yiqiao/contracts/envelope';
import type { listChannels } from '@yiqiao/contracts/translation';
import { CHANNELS } from '@yiqiao/domain/channels';
import { TextChannels } from './text-channels.js';

export class ListChannels extends Query<Answer<typeof listChannels>> {
  constructor(readonly language: Language) {
    super();
  }
}

@QueryHandler(ListChannels)
export class ListChannelsHandler implements IQueryHandler<ListChannels> {
  constructor(private readonly channels: TextChannels) {}

  async execute({ language }: ListChannels): Promise<Answer<typeof listChannels>> {
    const views = await this.channels.views();
    return views.map(({ code, reason, ...view }) => {
      const { text, voice } = CHANNELS[code];
      // Pictures are read and drawn by this machine where the vendor does not.
      return { ...view, reason: reason?.[language] ?? null, text, voice, image: true };
    });
  }
}
