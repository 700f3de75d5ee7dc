import type { EntityManager } from '@mikro-orm/postgresql';
import { channelCodeOf, type ChannelCode } from '@yiqiao/domain/channels';
import { TranChannel } from './tran-channel.entity.js';

/** A text in both languages of the product. */
export type Bilingual = { readonly zh: string; readonly en: string };

/** Whether a channel is available, and the reason if not. `sandbox`: the sandbox stands in for the vendor. */
export type Availability = {
  readonly available: boolean;
  readonly reason: Bilingual | null;
  readonly sandbox?: boolean;
};

/** A channel with its price and availability, for members. */
export type ChannelOffer = Omit<Availability, 'sandbox'> & {
  id: number;
  code: ChannelCode;
  name: string;
  enName: string;
  /** micro-yuan per character */
  price: number;
};

const SWITCHED_OFF: Bilingual = { zh: '该通道已停用', en: 'This channel is switched off.' };
/** Marks sandbox channels in every list, so that nobody mistakes them for the vendor (decisions §8). */
const SANDBOX_MARK: Bilingual = { zh: '（沙箱）', en: ' (sandbox)' };
const NOT_BUILT_IN: Bilingual = { zh: '该通道尚未接入', en: 'This channel is not connected.' };

/**
 * The availability of channels: operators disable rows, and the translation feature registers a check per channel. Plans know neither keys
 * nor engines.
 */
export class ChannelOffers {
  readonly #checks = new Map<ChannelCode, () => Promise<Availability>>();

  announce(code: ChannelCode, availability: () => Promise<Availability>): void {
    this.#checks.set(code, availability);
  }

  /** By id, switched off ones included. */
  async list(em: EntityManager): Promise<ChannelOffer[]> {
    const channels = await em.findAll(TranChannel, { orderBy: { id: 'asc' }, disableIdentityMap: true });
    const offers = channels.map(async ({ id, name, enName, price, enabled }): Promise<ChannelOffer[]> => {
      const code = channelCodeOf(id);
      if (code === null) return [];
      const { available, reason, sandbox } = await this.#state(code, enabled);
      const mark = sandbox ? SANDBOX_MARK : { zh: '', en: '' };
      return [{ id, code, name: name + mark.zh, enName: enName + mark.en, price, available, reason }];
    });
    return (await Promise.all(offers)).flat();
  }

  async #state(code: ChannelCode, enabled: boolean): Promise<Availability> {
    const availability = (await this.#checks.get(code)?.()) ?? { available: false, reason: NOT_BUILT_IN };
    return enabled ? availability : { ...availability, available: false, reason: SWITCHED_OFF };
  }
}
