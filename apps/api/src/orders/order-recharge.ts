import { billingModeOf } from '@yiqiao/domain/ledger';
import type { Recharge } from '../members/members.js';
import { commandIdOf } from '../platform/command-id.js';
import type { RechargeOrder } from './recharge-order.entity.js';

/** The fields needed to credit an order; `id` is null before it is stored. */
export type Creditable = { id: number | null } & Pick<
  RechargeOrder,
  | ('no' | 'userId' | 'amount' | 'memberGroupId' | 'billingMode' | 'num' | 'voiceNum' | 'imageNum')
  | ('salesNum' | 'tranChannelId' | 'referencePrice' | 'minutePrice')
>;

/** The recharge of a paid order. Its command id derives from the order's number, so that it is applied once. */
export const rechargeOf = (order: Creditable): Recharge => ({
  userId: order.userId,
  purchase: {
    memberGroupId: order.memberGroupId,
    billingMode: billingModeOf(order.billingMode) ?? 'char',
    num: order.num,
    voiceNum: order.voiceNum,
    imageNum: order.imageNum,
    quantity: order.salesNum,
    tranChannelId: order.tranChannelId,
    referencePrice: order.referencePrice,
    minutePrice: order.minutePrice,
  },
  amount: order.amount,
  orderId: order.id,
  managerId: null,
  cmdId: commandIdOf(`order:${order.no}`),
});
