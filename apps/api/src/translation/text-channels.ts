import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import type { Language } from '@yiqiao/contracts/envelope';
import { CHANNELS, channelCodeOf, type ChannelCode } from '@yiqiao/domain/channels';
import { Refusal } from '@yiqiao/domain/errors';
import { Config } from '../platform/config.js';
import { SharedReads } from '../platform/shared-reads.js';
import { type ChannelOffer, Plans } from '../plans/plans.js';
import type { Quality, TextChannel } from './channels/channel.js';
import { CHANNEL_ROWS } from './channels/channels.js';
import { OfflineChannel } from './channels/offline/offline.js';

export type TextPair = { source: string; target: string; quality: Quality; channelId: number };

/** The channels that really work in this process. The offline engines are kept open, so there is one of each. */
@Injectable()
export class TextChannels implements OnApplicationShutdown {
  readonly #open: Partial<Record<ChannelCode, TextChannel>>;
  readonly #offers = new SharedReads<'all', ChannelOffer[]>(
    async () => new Map([['all', await this.plans.channelOffers()]]),
  );

  constructor(
    private readonly plans: Plans,
    config: Config,
  ) {
    this.#open = { offline: new OfflineChannel({ folder: config.env.APERTIUM_DIR }) };
    for (const { code, unavailable } of CHANNEL_ROWS)
      plans.announce(code, async () => this.#open[code]?.availability() ?? { available: false, reason: unavailable });
  }

  /** Lets `channel` do the work of `code` in this process from now on, in place of what did it before. */
  async open(code: ChannelCode, channel: TextChannel): Promise<void> {
    await this.#open[code]?.close();
    this.#open[code] = channel;
  }

  /** The channel with this id, ready to use. Throws CHANNEL_UNAVAILABLE with the reason, in `language`, when it is not. */
  async usable(id: number, language: Language): Promise<TextChannel> {
    const view = (await this.views()).find((channel) => channel.id === id);
    const code = channelCodeOf(id);
    const channel = code === null ? undefined : this.#open[code];
    if (!view?.available || !channel)
      throw new Refusal('CHANNEL_UNAVAILABLE', { data: { channelId: id, reason: view?.reason?.[language] ?? null } });
    return channel;
  }

  /** Every channel of the price list, in its order. */
  async views(): Promise<ChannelOffer[]> {
    return (await this.#offers.get('all')) ?? [];
  }

  /** Every direction that can be translated now, without a key. */
  async pairs(): Promise<TextPair[]> {
    const found: TextPair[] = [];
    for (const { id, code, available } of await this.views()) {
      const channel = this.#open[code];
      if (!available || !channel) continue;
      const { sources, targets } = await channel.languages();
      for (const source of sources)
        for (const target of targets) {
          const quality = source === target ? null : await channel.supports(source, target);
          if (quality) found.push({ source, target, quality, channelId: id });
        }
    }
    return found;
  }

  /** The channel whose languages are those installed on this machine. */
  get offline(): TextChannel {
    const channel = this.#open.offline;
    if (!channel) throw new Error(`channel ${CHANNELS.offline.id} is not built in`);
    return channel;
  }

  async onApplicationShutdown(): Promise<void> {
    await Promise.all(Object.values(this.#open).map((channel) => channel.close()));
  }
}
