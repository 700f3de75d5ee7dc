import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import type { Answer } from '@yiqiao/contracts/endpoint';
import type { listChannelStatus } from '@yiqiao/contracts/translation';
import { Traffic } from './routing/traffic.js';
import { TextChannels } from './text-channels.js';

export class ListChannelStatus extends Query<Answer<typeof listChannelStatus>> {}

/** How each available channel did with the requests of the last 24 hours, everybody's together. */
@QueryHandler(ListChannelStatus)
export class ListChannelStatusHandler implements IQueryHandler<ListChannelStatus> {
  constructor(
    private readonly channels: TextChannels,
    private readonly traffic: Traffic,
  ) {}

  async execute(): Promise<Answer<typeof listChannelStatus>> {
    const [views, figures] = await Promise.all([this.channels.views(), this.traffic.figures()]);
    return views
      .filter(({ available }) => available)
      .map(({ id }) => ({
        id,
        ...(figures.get(id) ?? { requests: 0, successShare: null, medianMs: null, p95Ms: null }),
      }));
  }
}
