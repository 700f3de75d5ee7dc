import { EntityManager } from '@mikro-orm/postgresql';
import { Command, CommandHandler, type ICommandHandler, type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import type { Answer } from '@yiqiao/contracts/endpoint';
import type { enrolTwoStep, getTwoStep } from '@yiqiao/contracts/two-step';
import { Refusal } from '@yiqiao/domain/errors';
import { type Member, Members } from '../members/members.js';
import { Clock } from '../platform/clock.js';
import { CommandError } from '../platform/cli-messages.js';
import { type AuthorOf, ManagerAction } from '../platform/manager-actions.js';
import { uuid7 } from '../platform/uuid7.js';
import { Sessions } from '../sessions/sessions.js';
import { TwoStep } from './two-step.js';

export class GetTwoStep extends Query<Answer<typeof getTwoStep>> {
  constructor(readonly mainId: number) {
    super();
  }
}

@QueryHandler(GetTwoStep)
export class GetTwoStepHandler implements IQueryHandler<GetTwoStep> {
  constructor(
    private readonly em: EntityManager,
    private readonly twoStep: TwoStep,
    private readonly clock: Clock,
  ) {}

  async execute({ mainId }: GetTwoStep): Promise<Answer<typeof getTwoStep>> {
    const row = await this.twoStep.find(this.em.fork(), mainId);
    return {
      enabled: row ? 1 : 0,
      sinceDateTime: row?.confirmedAt ? this.clock.toWire(row.confirmedAt) : null,
      recoveryCodesLeft: row?.recoveryDigests.length ?? 0,
    };
  }
}

/**
 * The changes by the member. All but `confirm`, which follows `enrol`, take the password; the last two a code as well. `confirm` ends all
 * other sessions, which were started with the password alone.
 */
export type TwoStepChange =
  | { what: 'confirm'; code: string; sessionDigest: string }
  | { what: 'recoveryCodes' | 'disable'; password: string; code: string };

/** Begins an enrolment; nothing changes before `confirm`. */
export class EnrolTwoStep extends Command<Answer<typeof enrolTwoStep>> {
  constructor(
    readonly mainId: number,
    readonly password: string,
  ) {
    super();
  }
}

/** Returns the new recovery codes; none after `disable`. */
export class ChangeTwoStep extends Command<string[]> {
  constructor(
    readonly mainId: number,
    readonly change: TwoStepChange,
  ) {
    super();
  }
}

/** The member, locked, after its password was verified: a stolen session alone changes nothing. */
async function lockVerified(
  em: EntityManager,
  members: Members,
  { mainId, verifiedHash }: { mainId: number; verifiedHash: string | null },
): Promise<Member> {
  const member = await members.lock(em, mainId);
  if (!member) throw new Refusal('SESSION_CLOSED');
  // Changed concurrently: the given password is no longer valid.
  if (verifiedHash !== null && member.passwordHash !== verifiedHash) throw new Refusal('WRONG_PASSWORD');
  return member;
}

@CommandHandler(EnrolTwoStep)
export class EnrolTwoStepHandler implements ICommandHandler<EnrolTwoStep> {
  constructor(
    private readonly em: EntityManager,
    private readonly members: Members,
    private readonly twoStep: TwoStep,
  ) {}

  async execute({ mainId, password }: EnrolTwoStep): Promise<Answer<typeof enrolTwoStep>> {
    const verifiedHash = await this.members.verifyPassword(mainId, password, 'WRONG_PASSWORD');
    const account = (await this.members.mailboxOf({ familyId: mainId })) ?? String(mainId);
    return this.em.fork().transactional(async (em) => {
      const member = await lockVerified(em, this.members, { mainId, verifiedHash });
      return this.twoStep.enrol(em, member, account);
    });
  }
}

@CommandHandler(ChangeTwoStep)
export class ChangeTwoStepHandler implements ICommandHandler<ChangeTwoStep> {
  constructor(
    private readonly em: EntityManager,
    private readonly members: Members,
    private readonly twoStep: TwoStep,
    private readonly sessions: Sessions,
  ) {}

  async execute({ mainId, change }: ChangeTwoStep): Promise<string[]> {
    const verifiedHash =
      change.what === 'confirm' ? null : await this.members.verifyPassword(mainId, change.password, 'WRONG_PASSWORD');
    return this.em.fork().transactional(async (em) => {
      const member = await lockVerified(em, this.members, { mainId, verifiedHash });
      if (change.what === 'confirm') {
        const codes = await this.twoStep.confirm(em, member, change.code);
        await this.sessions.endAllBut(em, mainId, change.sessionDigest);
        return codes;
      }
      const row = await this.twoStep.verify(em, member, change.code);
      if (change.what === 'recoveryCodes') return this.twoStep.renewRecoveryCodes(em, row);
      await this.twoStep.switchOff(em, member, 'member');
      return [];
    });
  }
}

/** An operator switches it off for a member who has lost the app and the recovery codes. Throws CommandError when it is not on. */
export class ResetTwoStep extends Command<void> {
  constructor(
    readonly userId: number,
    readonly author: AuthorOf,
  ) {
    super();
  }
}

@CommandHandler(ResetTwoStep)
export class ResetTwoStepHandler implements ICommandHandler<ResetTwoStep> {
  constructor(
    private readonly em: EntityManager,
    private readonly members: Members,
    private readonly twoStep: TwoStep,
  ) {}

  async execute({ userId, author }: ResetTwoStep): Promise<void> {
    await this.em.fork().transactional(async (em) => {
      const { managerId, reason, log } = await author(em);
      const member = await this.members.lock(em, userId);
      if (!member || !(await this.twoStep.find(em, userId)))
        throw new CommandError({
          zh: `会员 ${userId} 没有开启两步验证，未作任何更改`,
          en: `Member ${userId} has no two-step sign-in. Nothing was changed.`,
        });
      await this.twoStep.switchOff(em, member, 'support');
      await em.insert(ManagerAction, {
        cmdId: uuid7(),
        managerId,
        userId,
        familyId: member.familyId,
        before: { twoStep: true },
        after: { twoStep: false },
        reason,
      });
      await log?.(em, {
        action: 'member.twoStepOff',
        target: { kind: 'member', id: String(userId) },
        before: { twoStep: true },
        after: { twoStep: false },
        reason,
      });
    });
  }
}
