import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import type { listChannelStatus } from '@yiqiao/contracts/channel-traffic';
import type { Answer } from '@yiqiao/contracts/endpoint';
import type { Language } from '@yiqiao/contracts/envelope';
import type { listChannels } from '@yiqiao/contracts/translation';
import { CHANNELS } from '@yiqiao/domain/channels';
import { Traffic } from './routing/traffic.js';
import { TextChannels } from './text-channels.js';
import { SpeechToText } from './voice/speech-to-text.js';

export class ListChannels extends Query<Answer<typeof listChannels>> {
  constructor(readonly language: Language) {
    super();
  }
}

@QueryHandler(ListChannels)
export class ListChannelsHandler implements IQueryHandler<ListChannels> {
  constructor(
    private readonly channels: TextChannels,
    private readonly hearings: SpeechToText,
  ) {}

  async execute({ language }: ListChannels): Promise<Answer<typeof listChannels>> {
    const views = await this.channels.offers();
    return Promise.all(
      views.map(async ({ code, reason, ...view }) => ({
        ...view,
        reason: reason?.[language] ?? null,
        text: CHANNELS[code].text,
        // The local engines do what the vendor does not offer.
        voice: (await this.hearings.of(view.id)) !== null,
        image: true,
      })),
    );
  }
}

export class ListChannelStatus extends Query<Answer<typeof listChannelStatus>> {}

/** The success rates and times of each available channel in the last 24 hours, over all members. */
@QueryHandler(ListChannelStatus)
export class ListChannelStatusHandler implements IQueryHandler<ListChannelStatus> {
  constructor(
    private readonly channels: TextChannels,
    private readonly traffic: Traffic,
  ) {}

  async execute(): Promise<Answer<typeof listChannelStatus>> {
    const [views, figures] = await Promise.all([this.channels.offers(), this.traffic.figures()]);
    return views
      .filter(({ available }) => available)
      .map(({ id }) => ({
        id,
        ...(figures.get(id) ?? { requests: 0, successShare: null, medianMs: null, p95Ms: null }),
      }));
  }
}
