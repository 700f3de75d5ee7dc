import type { EntityManager } from '@mikro-orm/postgresql';
import { Payment } from '../orders/payments.js';
import { RechargeOrder } from '../orders/recharge-order.entity.js';
import { CommandError } from '../platform/cli-messages.js';

/** Throws when there is no such order. */
export async function findOrder(em: EntityManager, no: string): Promise<RechargeOrder> {
  const order = await em.findOne(RechargeOrder, { no });
  if (!order) throw new CommandError({ zh: `没有订单 ${no}`, en: `No such order: ${no}` });
  return order;
}

/** The payments for an order, oldest first. */
export const paymentsOf = (em: EntityManager, orderId: number): Promise<Payment[]> =>
  em.find(Payment, { orderId }, { orderBy: { id: 'asc' } });
