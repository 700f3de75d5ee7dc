import type { EntityManager } from '@mikro-orm/postgresql';
import type { Entry } from '@yiqiao/domain/ledger';
import { FamilyConversions } from '../../src/members/family-conversions.js';
import { SubAccounts } from '../../src/members/sub-accounts.js';
import { ConversionPrices } from '../../src/members/conversion-prices.js';
import { rechargeOf } from '../../src/orders/order-recharge.js';
import { recordPayment } from '../../src/orders/payments.js';
import { RechargeOrder } from '../../src/orders/recharge-order.entity.js';
import { Plans } from '../../src/plans/plans.js';
import { uuid7 } from '../../src/platform/uuid7.js';
import { MINUTE_PRICE, type Plan } from './ledger-model.js';
import { writeReason, type LedgerFixture } from './ledger-fixture.js';

type Changes = Parameters<LedgerFixture['member']>[0];

/** A time package without anything else. */
export const TIME_PLAN: Plan = { id: 90, timed: true, num: 400_000, voice: 0, image: 0, fen: 990, channel: null };

/** Sells and grants plans with the product's own conversions, orders and payments. */
export class LedgerPurchases {
  readonly #plans: Plans;
  readonly #conversions: FamilyConversions;

  private constructor(private readonly fixture: LedgerFixture) {
    const { ledger, orm } = fixture;
    this.#plans = new Plans(orm.em);
    // Listing the sub-accounts of a family needs neither sessions nor a clock.
    const subAccounts = new SubAccounts(ledger, null as never, null as never, null as never);
    this.#conversions = new FamilyConversions(ledger, new ConversionPrices(this.#plans, ledger, subAccounts));
  }

  /** Adds `plans` to the price list of `fixture`, with channel 1 as their reference. */
  static async open(fixture: LedgerFixture, plans: readonly Plan[] = [TIME_PLAN]): Promise<LedgerPurchases> {
    for (const { id, timed, num, voice, image, fen, channel } of plans)
      await fixture.owner.query(
        `INSERT INTO member_group (id, name, en_name, tier, billing_mode, num, sale_price, minute_price, voice_num, image_num,
           tran_channel_id, reference_channel_id) VALUES ($1, 'plan', 'plan', 'standard', $2, $3, $4, $5, $6, $7, $8, 1)`,
        [id, timed ? 2 : 1, num, fen, MINUTE_PRICE, voice, image, channel],
      );
    return new LedgerPurchases(fixture);
  }

  /** A main account in time mode that holds this quota. */
  async memberInTimeMode({ charChange = 0, ...others }: NonNullable<Changes>): Promise<number> {
    const userId = await this.fixture.member(others);
    await this.fixture.orm.em
      .fork()
      .transactional((em) => this.grant(em, { userId, planId: TIME_PLAN.id, cmdId: uuid7() }));
    if (charChange !== 0) await this.fixture.post(userId, { type: 'SYS_ADJUST', charChange });
    return userId;
  }

  /** Grants the plan as an operator. Returns the recharge, also for a repetition. */
  async grant(em: EntityManager, to: { userId: number; planId: number; cmdId: string }): Promise<Entry> {
    const { userId, planId, cmdId } = to;
    const managerId = await writeReason(em, to);
    const purchase = { ...(await this.#plans.current(em, planId)), quantity: 1 };
    return this.#conversions.recharge(em, { userId, purchase, amount: 0, orderId: null, managerId, cmdId });
  }

  /** Places an order of one unit of the plan and returns its id. */
  async order(userId: number, planId: number): Promise<number> {
    const { rows } = await this.fixture.owner.query<{ id: number }>(ORDER, [userId, planId]);
    return Number(rows[0]?.id);
  }

  /** Pays the order and returns the recharge; null if it was paid before. */
  async pay(em: EntityManager, orderId: number): Promise<Entry | null> {
    await em.execute('SELECT FROM recharge_order WHERE id = ? FOR UPDATE', [orderId]);
    const order = await em.findOneOrFail(RechargeOrder, { id: orderId });
    if (order.payStatus === 'P') return null;
    const { no: orderNo, amount } = order;
    const paidAt = new Date();
    const payment = { gateway: 'alipay', tradeNo: `T${orderNo}`, orderNo, amount, currency: 'CNY', paidAt } as const;
    const paidBy = await recordPayment(em, order, { payment, seenBy: 'query', verdict: 'credit' });
    const entry = await this.#conversions.recharge(em, rechargeOf(order));
    Object.assign(order, { payStatus: 'P', paidBy, paidAt });
    await em.flush();
    return entry;
  }
}

const ORDER = `
INSERT INTO recharge_order (no, user_id, family_id, pay_cmd, pay_channel, member_group_id, plan_version_id, group_name, group_en_name,
  billing_mode, num, voice_num, image_num, minute_price, tran_channel_id, reference_channel_id, reference_price, sales_num, sale_price,
  amount, expires_at)
SELECT upper(replace(gen_random_uuid()::text, '-', '')), $1, $1, gen_random_uuid(), 'ALI_NATIVE', g.id, v.id, g.name, g.en_name,
  v.billing_mode, v.num, v.voice_num, v.image_num, v.minute_price, v.tran_channel_id, c.id, c.price, 1, v.sale_price,
  v.sale_price, now() + interval '15 minutes'
FROM member_group g JOIN plan_version v ON v.member_group_id = g.id JOIN tran_channel c ON c.id = v.reference_channel_id
WHERE g.id = $2 RETURNING id`;
