import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import { usdtPayInfo } from '@yiqiao/contracts/site-documents';
import type { PayChannel } from '@yiqiao/domain/orders';
import { Site } from '../site/site.js';
import { PayChannels } from './pay-channels/pay-channels.js';

export class ListPayChannels extends Query<PayChannel[]> {}

/** The available payment channels: gateways with keys, and USDT while its page is configured (decisions §5). */
@QueryHandler(ListPayChannels)
export class ListPayChannelsHandler implements IQueryHandler<ListPayChannels> {
  constructor(
    private readonly channels: PayChannels,
    private readonly site: Site,
  ) {}

  async execute(): Promise<PayChannel[]> {
    return [...this.channels.available(), ...((await this.#isUsdtListed()) ? (['USDT'] as const) : [])];
  }

  /** Enabled unless configured otherwise; listed when it has an address (decisions §5). */
  async #isUsdtListed(): Promise<boolean> {
    const { data } = usdtPayInfo.safeParse(await this.site.config('USDT_PAY_INFO'));
    return data !== undefined && data.enabled && data.url !== '';
  }
}
