import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { Refusal } from '@yiqiao/domain/errors';
import { billingModeCode } from '@yiqiao/domain/ledger';
import { ORDER_AMOUNT_MAX } from '@yiqiao/domain/limits';
import type { OrderChannel, PayChannel } from '@yiqiao/domain/orders';
import { type PlanVersion, TRIAL_GROUP_ID } from '@yiqiao/domain/plans';
import { Plans } from '../plans/plans.js';
import { PayChannels } from './pay-channels/pay-channels.js';
import type { RechargeOrder } from './recharge-order.entity.js';

export type OrderRequest = { memberGroupId: number; salesNum: number; payChannel: PayChannel };

/** The fields that an order copies from the price list. */
type Snapshot = Pick<
  RechargeOrder,
  | ('planVersionId' | 'billingMode' | 'num' | 'voiceNum' | 'imageNum' | 'minutePrice' | 'salePrice')
  | ('tranChannelId' | 'referenceChannelId' | 'referencePrice')
>;

type Names = Pick<RechargeOrder, 'groupName' | 'groupEnName'>;

/** A package at its current price, however it is paid. */
export type PackageQuote = Snapshot & Names & Pick<RechargeOrder, 'memberGroupId' | 'salesNum' | 'amount'>;
export type PriceQuote = { payChannel: OrderChannel } & PackageQuote;

/** Computes prices on the server: amounts sent by browsers are ignored (decisions §5). */
@Injectable()
export class PriceQuotes {
  constructor(
    private readonly em: EntityManager,
    private readonly plans: Plans,
    private readonly channels: PayChannels,
  ) {}

  /** Throws USDT_MAKES_NO_ORDER, PAY_CHANNEL_UNAVAILABLE, NOT_FOUND, PLAN_NOT_ON_SALE, ORDER_AMOUNT_TOO_LARGE. */
  async quote({ memberGroupId, salesNum, payChannel }: OrderRequest): Promise<PriceQuote> {
    if (payChannel === 'USDT') throw new Refusal('USDT_MAKES_NO_ORDER');
    this.channels.channel(payChannel);
    return { ...(await this.quotePackage({ memberGroupId, salesNum })), payChannel };
  }

  /** Throws NOT_FOUND, PLAN_NOT_ON_SALE, ORDER_AMOUNT_TOO_LARGE. */
  async quotePackage({ memberGroupId, salesNum }: Omit<OrderRequest, 'payChannel'>): Promise<PackageQuote> {
    const { names, snapshot } = await this.#onSale(memberGroupId);
    const amount = snapshot.salePrice * salesNum;
    if (amount > ORDER_AMOUNT_MAX) throw new Refusal('ORDER_AMOUNT_TOO_LARGE');
    return { ...snapshot, ...names, memberGroupId, salesNum, amount };
  }

  /** Only plans that the sale list shows. */
  async #onSale(id: number): Promise<{ names: Names; snapshot: Snapshot }> {
    const em = this.em.fork();
    const group = (await this.plans.groups(em)).find((row) => row.id === id);
    if (!group) throw new Refusal('NOT_FOUND');
    const current = await this.plans.current(em, id);
    const sold = group.onSale && group.id !== TRIAL_GROUP_ID && current.salePrice > 0 && current.num > 0;
    if (!sold) throw new Refusal('PLAN_NOT_ON_SALE');
    if (current.tranChannelId !== null) {
      const offer = (await this.plans.channelOffers(em)).find((row) => row.id === current.tranChannelId);
      if (!offer?.available) throw new Refusal('PLAN_NOT_ON_SALE');
    }
    return { names: { groupName: group.name, groupEnName: group.enName }, snapshot: snapshotOf(current) };
  }
}

export const snapshotOf = (sold: PlanVersion & { referencePrice: number }): Snapshot => ({
  planVersionId: sold.id,
  billingMode: billingModeCode(sold.billingMode),
  num: sold.num,
  voiceNum: sold.voiceNum,
  imageNum: sold.imageNum,
  minutePrice: sold.minutePrice,
  salePrice: sold.salePrice,
  tranChannelId: sold.tranChannelId,
  referenceChannelId: sold.referenceChannelId,
  referencePrice: sold.referencePrice,
});
