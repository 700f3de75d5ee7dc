import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { Refusal } from '@yiqiao/domain/errors';
import { ORDER_AMOUNT_MAX } from '@yiqiao/domain/limits';
import type { OrderChannel, PayChannel } from '@yiqiao/domain/orders';
import { TRIAL_GROUP_ID } from '@yiqiao/domain/plans';
import { type MemberGroup, Plans } from '../plans/plans.js';
import { PayChannels } from './pay-channels/pay-channels.js';
import type { RechargeOrder } from './recharge-order.entity.js';

export type Wish = { memberGroupId: number; salesNum: number; payChannel: PayChannel };

/** What an order copies of the price list. */
export type Quotation = { payChannel: OrderChannel } & Pick<
  RechargeOrder,
  | ('memberGroupId' | 'groupName' | 'groupEnName' | 'billingMode' | 'num' | 'voiceNum' | 'imageNum')
  | ('minutePrice' | 'tranChannelId' | 'salesNum' | 'salePrice' | 'amount')
>;

/** The server's price for what a member wants: nothing that a browser says of money counts (decisions §5). */
@Injectable()
export class Quotations {
  constructor(
    private readonly em: EntityManager,
    private readonly plans: Plans,
    private readonly channels: PayChannels,
  ) {}

  /** Throws USDT_MAKES_NO_ORDER, PAY_CHANNEL_UNAVAILABLE, NOT_FOUND, PLAN_NOT_ON_SALE, ORDER_AMOUNT_TOO_LARGE. */
  async quote({ memberGroupId, salesNum, payChannel }: Wish): Promise<Quotation> {
    if (payChannel === 'USDT') throw new Refusal('USDT_MAKES_NO_ORDER');
    this.channels.channel(payChannel);
    const group = await this.#onSale(memberGroupId);
    const amount = group.salePrice * salesNum;
    if (amount > ORDER_AMOUNT_MAX) throw new Refusal('ORDER_AMOUNT_TOO_LARGE');
    const { num, voiceNum, imageNum, minutePrice, tranChannelId, salePrice, billingMode } = group;
    return {
      ...{ payChannel, memberGroupId, groupName: group.name, groupEnName: group.enName, billingMode },
      ...{ num, voiceNum, imageNum, minutePrice, tranChannelId, salesNum, salePrice, amount },
    };
  }

  /** What the sale list shows, and nothing else. */
  async #onSale(id: number): Promise<MemberGroup> {
    const em = this.em.fork();
    const group = (await this.plans.groups(em)).find((row) => row.id === id);
    if (!group) throw new Refusal('NOT_FOUND');
    const sold = group.onSale && group.id !== TRIAL_GROUP_ID && group.salePrice > 0 && group.num > 0;
    if (!sold) throw new Refusal('PLAN_NOT_ON_SALE');
    if (group.tranChannelId === null) return group;
    const offer = (await this.plans.channelOffers(em)).find((row) => row.id === group.tranChannelId);
    if (!offer?.available) throw new Refusal('PLAN_NOT_ON_SALE');
    return group;
  }
}
