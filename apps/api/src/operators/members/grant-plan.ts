import { EntityManager } from '@mikro-orm/postgresql';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { credited } from '@yiqiao/domain/conversion';
import { Refusal } from '@yiqiao/domain/errors';
import type { Entry } from '@yiqiao/domain/ledger';
import { priceAt, TRIAL_GROUP_ID, versionAt } from '@yiqiao/domain/plans';
import { Members, type Recharge } from '../../members/members.js';
import { Plans } from '../../plans/plans.js';
import { type ChangeBy, MemberChange, type QuotaChange } from './member-change.js';

export type Grant = { memberGroupId: number; quantity: number };

/**
 * The effect of a purchase, free of charge, once per command id. Throws NOT_FOUND without the member or the plan, PLAN_FOR_MAIN,
 * TRIAL_ONCE, QUOTA_TOO_LARGE, IDEMPOTENCY_KEY_REUSED.
 */
export class GrantPlan extends Command<QuotaChange> {
  constructor(
    readonly userId: number,
    readonly grant: Grant,
    readonly by: ChangeBy,
  ) {
    super();
  }
}

@CommandHandler(GrantPlan)
export class GrantPlanHandler implements ICommandHandler<GrantPlan> {
  constructor(
    private readonly em: EntityManager,
    private readonly members: Members,
    private readonly plans: Plans,
    private readonly change: MemberChange,
  ) {}

  execute({ userId, grant, by }: GrantPlan): Promise<QuotaChange> {
    return this.em.fork().transactional((em) => this.apply(em, userId, grant, by));
  }

  /** The same in the transaction of `em`. */
  apply(em: EntityManager, userId: number, grant: Grant, by: ChangeBy): Promise<QuotaChange> {
    return this.change.apply(em, { userId, action: 'plan.grant', by }, async (member, { managerId, isNew }) => {
      if (!member.isMain()) throw new Refusal('PLAN_FOR_MAIN');
      const purchase = await this.#purchase(em, grant);
      const { cmdId } = by;
      const entry = await this.members.recharge(em, { userId, purchase, amount: 0, orderId: null, managerId, cmdId });
      if (!isNew) await this.#requireSame(em, entry, grant);
    });
  }

  async #purchase(em: EntityManager, { memberGroupId, quantity }: Grant): Promise<Recharge['purchase']> {
    const group = await this.plans.findGroup(em, memberGroupId);
    if (!group) throw new Refusal('NO_SUCH_PLAN');
    if (group.id === TRIAL_GROUP_ID) throw new Refusal('TRIAL_ONCE');
    return { ...(await this.plans.current(em, memberGroupId)), quantity };
  }

  /** Throws unless the command id granted the same before: compares with the plan and prices of that time. */
  async #requireSame(em: EntityManager, entry: Entry, { memberGroupId, quantity }: Grant): Promise<void> {
    const version = versionAt(await this.plans.versions(em, memberGroupId), entry.createdAt);
    const history = await this.plans.priceHistory(em);
    const price = (channelId: number | null): number => priceAt(history, channelId ?? 0, entry.createdAt);
    const same =
      version !== undefined &&
      entry.memberGroupId === memberGroupId &&
      entry.charChange + entry.minChange ===
        credited(
          { num: version.num, quantity, referencePrice: price(version.referenceChannelId) },
          price(entry.lastTranChannelId),
        );
    if (!same) throw new Refusal('IDEMPOTENCY_KEY_REUSED');
  }
}
