import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import type { Language } from '@yiqiao/contracts/envelope';
import { CHANNEL_CODES, type ChannelCode, channelCodeOf } from '@yiqiao/domain/channels';
import { Refusal } from '@yiqiao/domain/errors';
import type { PairTerms } from '@yiqiao/domain/glossary';
import { type ChannelOffer, Plans } from '../plans/plans.js';
import { Clock } from '../platform/clock.js';
import { Config } from '../platform/config.js';
import { CachedReads } from '../platform/cached-reads.js';
import { type Note, observe } from '../platform/telemetry/instruments.js';
import { VendorAccounts } from './channels/vendor-accounts.js';
import { clientOf, servedBy, unavailableReason } from './channels/vendors.js';
import type { ChannelLanguages, PairQuality, TextChannel } from './channels/channel.js';
import { OfflineChannel } from './channels/offline/offline.js';
import type { VendorAccount } from './channels/vendor.js';
import { VENDOR_CODES, type VendorCode } from './channels/vendor-settings.js';
import { closeLater, PerAccount } from './routing/per-account.js';
import { SharedCaps } from './routing/shared-caps.js';
import { realTime } from './routing/time.js';
import { Upstream } from './routing/upstream.js';
import { VendorHealth } from './routing/vendor-health.js';
import { VendorChannel } from './routing/vendor-channel.js';

export type TextPair = { source: string; target: string; quality: PairQuality; channelId: number };

/** Channels with more directions than this are not listed one by one: 200 languages make 40,000 directions. */
const PAIRS_LISTED = 1_000;

/** The open channels of this process, one instance each, because engines and connections are kept open. */
@Injectable()
export class TextChannels implements OnApplicationShutdown {
  readonly #open: Partial<Record<ChannelCode, TextChannel>>;
  readonly #offline: OfflineChannel;
  readonly #upstreams: PerAccount<Upstream>;
  /** The channels of vendors, while they have an account. */
  readonly #vendors = new Map<VendorCode, VendorChannel>();
  // Changes of the price list apply within half a second.
  readonly #offers = new CachedReads<'all', ChannelOffer[]>(
    async () => new Map([['all', await this.plans.channelOffers()]]),
  );

  constructor(
    private readonly plans: Plans,
    private readonly accounts: VendorAccounts,
    config: Config,
    clock: Clock,
    health: VendorHealth,
    shared: SharedCaps,
  ) {
    const today = (): string => clock.day(clock.now());
    const { APERTIUM_DIR, PHRASEBOOK_DIR } = config.env;
    this.#offline = new OfflineChannel({ folder: APERTIUM_DIR, phrasebook: PHRASEBOOK_DIR });
    this.#open = { offline: this.#offline };
    const surroundings: ConstructorParameters<typeof Upstream>[2] = {
      time: realTime,
      today,
      shared,
      onAttempt: (account, attempt) => health.note(account, attempt),
    };
    this.#upstreams = new PerAccount({
      open: (account) => new Upstream(account, clientOf(account), surroundings),
      change: (upstream, account) => upstream.changeTo(account),
      retire: (upstream) => {
        upstream.retire();
        closeLater(upstream.client);
      },
    });
    health.watch(() => this.#upstreams.values);
    observe((note) => this.#upstreams.values.forEach((upstream) => noteUpstream(note, upstream)));
    accounts.onChange((all) => this.#serve(all));
    for (const code of CHANNEL_CODES)
      plans.announce(
        code,
        async () => this.#open[code]?.availability() ?? { available: false, reason: unavailableReason(code) },
      );
  }

  /** Reads the data of the offline engine. Throws when the operator's phrasebook is malformed. */
  warmUp(): Promise<void> {
    return this.#offline.warmUp();
  }

  /** Opens `channel` under `code` in this process, in place of the one before. */
  async open(code: ChannelCode, channel: TextChannel): Promise<void> {
    await this.#open[code]?.close();
    this.#open[code] = channel;
    this.#offers.invalidate('all');
  }

  /** The channel with this id if it is open in this process, regardless of the price list. */
  channel(id: number): TextChannel | null {
    const code = channelCodeOf(id);
    return (code === null ? null : this.#open[code]) ?? null;
  }

  /** The server and model that translate for the channel with this id, by the settings of this process. */
  servedBy(id: number): string {
    return servedBy(channelCodeOf(id), this.accounts.serving);
  }

  /**
   * The channel with this id, ready to use by the price list `views`. Throws NOT_FOUND, or CHANNEL_UNAVAILABLE with the reason in
   * `language`.
   */
  pick(offers: readonly ChannelOffer[], id: number, language: Language): TextChannel {
    const view = offers.find((offer) => offer.id === id);
    if (!view) throw new Refusal('NOT_FOUND');
    const channel = this.channel(id);
    if (!view.available || !channel)
      throw new Refusal('CHANNEL_UNAVAILABLE', { data: { channelId: id, reason: view.reason?.[language] ?? null } });
    return channel;
  }

  /** Every channel of the price list, in its order. */
  async offers(): Promise<ChannelOffer[]> {
    return (await this.#offers.get('all')) ?? [];
  }

  /** The languages of each open channel. */
  async languages(): Promise<ReadonlyMap<ChannelCode, ChannelLanguages>> {
    const said = CHANNEL_CODES.map(async (code) => [code, await this.#open[code]?.languages()] as const);
    return new Map((await Promise.all(said)).flatMap(([code, all]) => (all ? [[code, all]] : [])));
  }

  /**
   * Every direction that is available now, of the channels with few enough to list. An available channel that is not among them translates
   * each of its sources into each of its targets (`languages`).
   */
  async pairs(): Promise<TextPair[]> {
    const found: TextPair[] = [];
    for (const { id, available } of await this.offers()) {
      const channel = this.channel(id);
      if (!available || !channel) continue;
      const { sources, targets } = await channel.languages();
      if (sources.size * targets.size > PAIRS_LISTED) continue;
      for (const source of sources)
        for (const target of targets) {
          const quality = source === target ? null : await channel.supports(source, target);
          if (quality) found.push({ source, target, quality, channelId: id });
        }
    }
    return found;
  }

  /** Removes a family's terms from the vendors, except `current`. Throws when that failed somewhere. */
  async keepOnlyTerms(familyId: number, current: readonly PairTerms[]): Promise<void> {
    await Promise.all(Object.values(this.#open).map(async (channel) => channel.keepOnlyTerms?.(familyId, current)));
  }

  async onApplicationShutdown(): Promise<void> {
    await Promise.all(Object.values(this.#open).map((channel) => channel.close()));
  }

  /** A channel for every vendor that has an account. */
  #serve(accounts: readonly VendorAccount[]): void {
    const byCode = Map.groupBy(this.#upstreams.update(accounts), ({ account }) => account.code);
    for (const code of VENDOR_CODES) {
      const [first, ...rest] = byCode.get(code) ?? [];
      const known = this.#vendors.get(code);
      if (first && known) known.replace([first, ...rest]);
      else if (first) {
        const channel = new VendorChannel([first, ...rest], realTime);
        this.#vendors.set(code, channel);
        this.#open[code] = channel;
      } else if (known) {
        this.#vendors.delete(code);
        if (this.#open[code] === known) delete this.#open[code];
      }
    }
    this.#offers.invalidate('all');
  }
}

const BREAKER_STATES = ['closed', 'half-open', 'open'] as const;

function noteUpstream(note: Note, { account, state }: Upstream): void {
  const labels = { vendor: account.code, account: account.name };
  for (const each of BREAKER_STATES)
    note('yiqiao.vendor.breaker', each === state.breaker ? 1 : 0, { ...labels, state: each });
  if (state.charsLeft !== null) note('yiqiao.vendor.characters.left', state.charsLeft, labels);
}
