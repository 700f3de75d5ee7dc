import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { billingModeOf } from '@yiqiao/domain/ledger';
import { TRIAL_GROUP_ID } from '@yiqiao/domain/plans';
import { CommandError } from '../platform/cli-messages.js';
import { type Author, recordChange } from '../platform/manager-actions.js';
import { type Channel, type MemberGroup, Plans } from './plans.js';

export type Change<T> = { readonly was: T; readonly will: T };

/** Changes of the price list, for the command line and for approved requests. A Refusal or CommandError changes nothing. */
@Injectable()
export class ChangePrices {
  constructor(private readonly plans: Plans) {}

  /** What the change would make of the channel, which stays locked until the transaction of `em` ends. */
  async seeChannel(em: EntityManager, which: string, change: Partial<Channel>): Promise<Change<Channel>> {
    const before = await this.plans.findChannel(em, which);
    if (!before) throw new CommandError({ zh: `没有通道 ${which}`, en: `No such channel: ${which}` });
    return { was: { ...before }, will: { ...before, ...change } };
  }

  async seePlan(em: EntityManager, id: number, change: Partial<MemberGroup>): Promise<Change<MemberGroup>> {
    const before = await this.plans.findGroup(em, id);
    if (!before) throw new CommandError({ zh: `没有套餐 ${id}`, en: `No such plan: ${id}` });
    const will = { ...before, ...change };
    requireSensible(will);
    return { was: { ...before }, will };
  }

  async changeChannel(
    em: EntityManager,
    { which, change }: { which: string; change: Partial<Channel> },
    author: Author,
  ): Promise<Change<Channel>> {
    const seen = await this.seeChannel(em, which, change);
    const { id } = seen.was;
    await this.plans.setChannel(em, { id, ...change }, author);
    const target = { kind: 'channel', id: String(id) } as const;
    await recordChange(em, author, { target, before: seen.was, after: seen.will });
    return seen;
  }

  async changePlan(
    em: EntityManager,
    { id, change }: { id: number; change: Partial<MemberGroup> },
    author: Author,
  ): Promise<Change<MemberGroup>> {
    const seen = await this.seePlan(em, id, change);
    await this.plans.setGroup(em, { id, ...change }, author);
    const target = { kind: 'plan', id: String(id) } as const;
    await recordChange(em, author, { target, before: worded(seen.was), after: worded(seen.will) });
    return seen;
  }
}

/** With the billing mode as a word. */
export const worded = ({ billingMode, ...group }: MemberGroup): Record<string, string | number | boolean | null> => ({
  ...group,
  billingMode: billingModeOf(billingMode),
});

/** Checks across several values. */
function requireSensible(group: MemberGroup): void {
  if (group.onSale && group.id === TRIAL_GROUP_ID)
    throw new CommandError({ zh: '免费试用不能在售', en: 'The free trial cannot be put on sale.' });
  if (group.onSale && group.salePrice < 1)
    throw new CommandError({ zh: '在售套餐的价格至少为 1 分', en: 'A plan on sale must cost at least 1 fen.' });
}
