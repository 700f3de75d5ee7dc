import type { EntityManager } from '@mikro-orm/postgresql';
import { channelCodeOf, type ChannelCode } from '@yiqiao/domain/channels';

/** A sentence for people in both languages of the product. */
export type Bilingual = { readonly zh: string; readonly en: string };

/** Whether a channel can be used now, and what its members should know about that. `sandbox`: it is not the vendor who answers. */
export type Availability = {
  readonly available: boolean;
  readonly reason: Bilingual | null;
  readonly sandbox?: boolean;
};

/** A channel as a member sees it: its row of the price list, and whether it can be used now. */
export type ChannelOffer = Omit<Availability, 'sandbox'> & {
  id: number;
  code: ChannelCode;
  name: string;
  enName: string;
  /** micro-yuan per character */
  price: number;
};

/** Of the price list. Read three times a second while anybody translates, so no entity is made of it. */
type Row = { id: number; name: string; enName: string; price: number; enabled: boolean };

const SWITCHED_OFF: Bilingual = { zh: '该通道已停用', en: 'This channel is switched off.' };
/** Nobody shall take what the sandbox says for the vendor's work: wherever a channel is offered, it says so (decisions §8). */
const SANDBOX_MARK: Bilingual = { zh: '（沙箱）', en: ' (sandbox)' };
const NOT_BUILT_IN: Bilingual = { zh: '该通道尚未接入', en: 'This channel is not connected.' };

/**
 * Which channels can be used: operators switch rows off, and whoever runs a channel announces whether it works. Plans know neither
 * keys nor engines.
 */
export class ChannelOffers {
  readonly #announced = new Map<ChannelCode, () => Promise<Availability>>();

  announce(code: ChannelCode, availability: () => Promise<Availability>): void {
    this.#announced.set(code, availability);
  }

  /** By id, switched off ones included. */
  async list(em: EntityManager): Promise<ChannelOffer[]> {
    const rows = await em.execute<Row[]>(
      'SELECT id, name, en_name AS "enName", price, enabled FROM tran_channel ORDER BY id',
    );
    const offers = rows.map(async ({ id, name, enName, price, enabled }): Promise<ChannelOffer[]> => {
      const code = channelCodeOf(id);
      if (code === null) return [];
      const { available, reason, sandbox } = await this.#state(code, enabled);
      const mark = sandbox ? SANDBOX_MARK : { zh: '', en: '' };
      return [{ id, code, name: name + mark.zh, enName: enName + mark.en, price, available, reason }];
    });
    return (await Promise.all(offers)).flat();
  }

  async #state(code: ChannelCode, enabled: boolean): Promise<Availability> {
    const announced = (await this.#announced.get(code)?.()) ?? { available: false, reason: NOT_BUILT_IN };
    return enabled ? announced : { ...announced, available: false, reason: SWITCHED_OFF };
  }
}
