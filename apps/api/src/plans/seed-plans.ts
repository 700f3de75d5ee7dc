import type { EntityManager } from '@mikro-orm/postgresql';
import { CHANNEL_CODES, CHANNELS } from '@yiqiao/domain/channels';
import { FIRST_PLANS } from '@yiqiao/domain/first-plans';
import { billingModeCode } from '@yiqiao/domain/ledger';

/** Adds the channels and groups that are not there yet. What operators changed stays as they left it, so it runs at every start. */
export async function seedPlans(em: EntityManager): Promise<void> {
  for (const code of CHANNEL_CODES) {
    const { id, name, enName, price } = CHANNELS[code];
    await em.execute(
      'INSERT INTO tran_channel (id, code, name, en_name, price) VALUES (?, ?, ?, ?, ?) ON CONFLICT DO NOTHING',
      [id, code, name, enName, price],
    );
  }
  for (const [position, plan] of FIRST_PLANS.entries())
    await em.execute(
      `INSERT INTO member_group (id, name, en_name, tier, billing_mode, num, sale_price, minute_price, voice_num, image_num,
         create_child_user, tran_channel_id, reference_channel_id, on_sale, position)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING`,
      [
        ...[plan.id, plan.name, plan.enName, plan.tier, billingModeCode(plan.mode), plan.num, plan.price],
        ...[plan.minutePrice, plan.voice, plan.image],
        ...[plan.createChildUser, plan.channel, plan.reference, plan.onSale, position],
      ],
    );
}
