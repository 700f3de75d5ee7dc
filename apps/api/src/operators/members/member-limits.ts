import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import type { Answer } from '@yiqiao/contracts/endpoint';
import type { previewGrant } from '@yiqiao/contracts/operator/member-changes';
import { Refusal } from '@yiqiao/domain/errors';
import { billingModeOf } from '@yiqiao/domain/ledger';
import { exceedsLimits, type ValuedChange, valueOfAdjustment } from '@yiqiao/domain/operators';
import { TRIAL_GROUP_ID } from '@yiqiao/domain/plans';
import { type Holdings as Held, Members } from '../../members/members.js';
import { Clock } from '../../platform/clock.js';
import { uuid7 } from '../../platform/uuid7.js';
import { Plans } from '../../plans/plans.js';
import { readLimits } from '../requests/limits.js';
import type { Adjustment } from './adjust-quota.js';
import type { Grant } from './grant-plan.js';

/** Whether a change is more than one operator may do alone (operators §4). */
@Injectable()
export class MemberLimits {
  constructor(
    private readonly em: EntityManager,
    private readonly plans: Plans,
  ) {}

  async adjustmentExceeds(userId: number, change: Adjustment): Promise<boolean> {
    const em = this.em.fork();
    return exceedsLimits(await this.valueOf(em, userId, change), await readLimits(em));
  }

  /** What an adjustment is worth. Throws NOT_FOUND. */
  async valueOf(em: EntityManager, userId: number, change: Adjustment): Promise<ValuedChange> {
    const [account] = await em.execute<Prices[]>(PRICES, [userId]);
    if (!account) throw new Refusal('NOT_FOUND');
    const { charPrice, minutePrice, mode } = account;
    const translationBillingMode = billingModeOf(mode) ?? 'char';
    const prices = { charPrice: charPrice ?? 0, minutePrice, translationBillingMode };
    return valueOfAdjustment(change, prices);
  }

  /** By what the plan contains and costs; a time package counts by its price. Throws NO_SUCH_PLAN. */
  async grantExceeds({ memberGroupId, quantity }: Grant): Promise<boolean> {
    const em = this.em.fork();
    const plans = await this.plans.groups(em);
    const plan = plans.find(({ id }) => id === memberGroupId);
    if (!plan) throw new Refusal('NO_SUCH_PLAN');
    const change = {
      charNum: billingModeOf(plan.billingMode) === 'char' ? plan.num * quantity : 0,
      voiceNum: plan.voiceNum * quantity,
      imageNum: plan.imageNum * quantity,
      amount: plan.salePrice * quantity,
    };
    return exceedsLimits(change, await readLimits(em));
  }
}

type Prices = { charPrice: number | null; minutePrice: number; mode: number };

const PRICES = `
SELECT c.price AS "charPrice", g.minute_price AS "minutePrice", a.billing_mode AS mode
FROM member m JOIN member own ON own.id = m.family_id JOIN member_group g ON g.id = own.member_group_id
JOIN member_account a ON a.user_id = m.id JOIN member_account oa ON oa.user_id = m.family_id
LEFT JOIN tran_channel c ON c.id = oa.tran_channel_id WHERE m.id = ? AND m.closed_at IS NULL`;

type Preview = Answer<typeof previewGrant>;

export class PreviewGrant extends Query<Preview> {
  constructor(
    readonly userId: number,
    readonly grant: Grant,
  ) {
    super();
  }
}

/** The usable balances that a grant would leave, by the functions that would apply it. Throws as GrantPlan does. */
@QueryHandler(PreviewGrant)
export class PreviewGrantHandler implements IQueryHandler<PreviewGrant> {
  constructor(
    private readonly em: EntityManager,
    private readonly members: Members,
    private readonly plans: Plans,
    private readonly limits: MemberLimits,
    private readonly clock: Clock,
  ) {}

  async execute({ userId, grant }: PreviewGrant): Promise<Preview> {
    const member = await this.members.find(userId);
    if (!member) throw new Refusal('NOT_FOUND');
    if (!member.isMain()) throw new Refusal('PLAN_FOR_MAIN');
    if (grant.memberGroupId === TRIAL_GROUP_ID) throw new Refusal('TRIAL_ONCE');
    const needsApproval = await this.limits.grantExceeds(grant);
    const em = this.em.fork();
    const purchase = { ...(await this.plans.current(em, grant.memberGroupId)), quantity: grant.quantity };
    const recharge = { userId, purchase, amount: 0, orderId: null, managerId: null, cmdId: uuid7() };
    const { before, after } = await this.members.previewRecharge(recharge);
    const [old, next] = await Promise.all([member.memberGroupId, grant.memberGroupId].map((id) => this.#name(id)));
    return { before: this.#shown(before, old), after: this.#shown(after, next), needsApproval };
  }

  async #name(groupId: number): Promise<string> {
    return (await this.plans.group(this.em.fork(), groupId)).name;
  }

  #shown(held: Held, memberGroup = ''): Preview['before'] {
    return {
      charNum: held.usableCharNum,
      voiceNum: held.usableVoiceNum,
      imageNum: held.usableImageNum,
      expireDateTime: held.expireAt === null ? null : this.clock.toWire(new Date(held.expireAt)),
      translationBillingMode: held.billingMode,
      tranChannelId: held.tranChannelId,
      memberGroup,
    };
  }
}
