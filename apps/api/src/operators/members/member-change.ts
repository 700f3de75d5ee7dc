import type { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import type { ActionName } from '@yiqiao/domain/operator-actions';
import { Refusal } from '@yiqiao/domain/errors';
import type { BillingMode } from '@yiqiao/domain/plans';
import { type AccountView, Ledger } from '../../ledger/ledger.js';
import { type Member, Members } from '../../members/members.js';
import { Clock } from '../../platform/clock.js';
import { type AuthorOf, recordMemberAction } from '../../platform/manager-actions.js';
import { Plans } from '../../plans/plans.js';
import { ActionLog, type ActionRecord, type Actor } from '../action-log.js';

/** Who changes an account, under which command id it is applied once, and the approved request that it carries out. */
export type ChangeBy = {
  readonly author: AuthorOf;
  readonly actor: Actor;
  readonly cmdId: string;
  readonly approvalId?: number;
};

/** What an account holds, for before → after. */
export type Holdings = {
  charNum: number;
  voiceNum: number;
  imageNum: number;
  expireDateTime: string | null;
  translationBillingMode: BillingMode;
  tranChannelId: number | null;
  memberGroup: string;
};

/** `applied`: false when the command id had been applied before, so that nothing changed now. */
export type QuotaChange = { before: Holdings; after: Holdings; applied: boolean };

/** The frame of an operator's change of one account: member locked, reason for the member's log, before and after in the action log. */
@Injectable()
export class MemberChange {
  constructor(
    private readonly members: Members,
    private readonly ledger: Ledger,
    private readonly plans: Plans,
    private readonly actions: ActionLog,
    private readonly clock: Clock,
  ) {}

  /** In the transaction of `em`. The lock comes first, so that the account cannot be closed meanwhile and no deadlock arises. */
  async apply(
    em: EntityManager,
    { userId, action, by }: { userId: number; action: 'quota.adjust' | 'plan.grant'; by: ChangeBy },
    change: (member: Member, author: { managerId: number; isNew: boolean }) => Promise<void>,
  ): Promise<QuotaChange> {
    const member = await this.members.lock(em, userId);
    if (!member) throw new Refusal('NOT_FOUND');
    const { managerId, reason } = await by.author(em);
    if (reason === null) throw new Error('a change of an account has a reason');
    const { familyId } = member;
    const isNew = await recordMemberAction(em, { cmdId: by.cmdId, managerId, userId, familyId, reason });
    const before = await this.#holdings(em, member);
    await change(member, { managerId, isNew });
    const after = await this.#holdings(em, member);
    if (isNew)
      await this.actions.record(em, by.actor, { ...changed(before, after), ...recordOf(userId, action, by), reason });
    return { before, after, applied: isNew };
  }

  async #holdings(em: EntityManager, { id, familyId }: Member): Promise<Holdings> {
    const { accounts } = await this.ledger.view(em, { userIds: [id] });
    const state = accounts[0]?.state;
    if (!state) throw new Error(`member ${id} has no account`);
    return { ...this.#shown(state), memberGroup: await this.#groupOf(em, familyId) };
  }

  #shown(state: AccountView['state']): Omit<Holdings, 'memberGroup'> {
    const { charNum, voiceNum, imageNum, expireAt, billingMode, tranChannelId } = state;
    const expireDateTime = expireAt === null ? null : this.clock.toWire(new Date(expireAt));
    return { charNum, voiceNum, imageNum, expireDateTime, translationBillingMode: billingMode, tranChannelId };
  }

  /** Raw: the plan changes within the transaction, behind the identity map. */
  async #groupOf(em: EntityManager, familyId: number): Promise<string> {
    const [row] = await em.execute<{ id: number }[]>('SELECT member_group_id AS id FROM member WHERE id = ?', [
      familyId,
    ]);
    return (await this.plans.group(em, Number(row?.id))).name;
  }
}

const recordOf = (userId: number, action: ActionName, { cmdId, approvalId }: ChangeBy): ActionRecord => ({
  action,
  target: { kind: 'member', id: String(userId) },
  cmdId,
  ...(approvalId === undefined ? {} : { approvalId }),
});

/** The values that differ. */
function changed(before: Holdings, after: Holdings): { before: object; after: object } {
  const names = (Object.keys(after) as (keyof Holdings)[]).filter((name) => before[name] !== after[name]);
  const only = (of: Holdings): object => Object.fromEntries(names.map((name) => [name, of[name]]));
  return { before: only(before), after: only(after) };
}
