import { EntityManager, LockMode } from '@mikro-orm/postgresql';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { Refusal } from '@yiqiao/domain/errors';
import { RECOVERY_CODES } from '@yiqiao/domain/limits';
import { Passwords } from '../platform/passwords.js';
import { groupedRecoveryCode, newRecoveryCode } from '../platform/totp.js';
import { ActionLog, type Actor } from './action-log.js';
import { OneTimeCodes } from './one-time-codes.js';
import { OperatorAccount } from './operator.entity.js';
import { type CurrentOperator, OperatorSessions } from './operator-sessions.js';

/** Ends one other session of one's own, or all others. Returns how many ended. */
export class EndOwnSessions extends Command<number> {
  constructor(
    readonly operator: CurrentOperator,
    readonly id: string | undefined,
    readonly actor: Actor,
  ) {
    super();
  }
}

@CommandHandler(EndOwnSessions)
export class EndOwnSessionsHandler implements ICommandHandler<EndOwnSessions> {
  constructor(
    private readonly em: EntityManager,
    private readonly sessions: OperatorSessions,
    private readonly actions: ActionLog,
  ) {}

  execute({ operator, id, actor }: EndOwnSessions): Promise<number> {
    return this.em.fork().transactional(async (em) => {
      const ended = await this.sessions.endOthers(em, operator, id);
      await this.actions.record(em, actor, {
        action: 'session.end',
        target: { kind: 'operator', id: operator.name },
        after: { ended, ...(id === undefined ? {} : { session: id }) },
      });
      return ended;
    });
  }
}

/** Changes one's own password and ends one's other sessions. */
export class ChangeOwnPassword extends Command<void> {
  constructor(
    readonly operator: CurrentOperator,
    readonly form: { oldPassword: string; password: string },
    readonly actor: Actor,
  ) {
    super();
  }
}

@CommandHandler(ChangeOwnPassword)
export class ChangeOwnPasswordHandler implements ICommandHandler<ChangeOwnPassword> {
  constructor(
    private readonly em: EntityManager,
    private readonly passwords: Passwords,
    private readonly sessions: OperatorSessions,
    private readonly actions: ActionLog,
  ) {}

  async execute({ operator, form, actor }: ChangeOwnPassword): Promise<void> {
    const { passwordHash: verified } = await this.em.fork().findOneOrFail(OperatorAccount, { id: operator.id });
    if (verified === null || !(await this.passwords.matches(form.oldPassword, verified)))
      throw new Refusal('WRONG_OLD_PASSWORD');
    const passwordHash = await this.passwords.hash(form.password);
    await this.em.fork().transactional(async (em) => {
      // Changed meanwhile: the password that was verified is no longer the one.
      const changed = await em.nativeUpdate(
        OperatorAccount,
        { id: operator.id, passwordHash: verified },
        { passwordHash },
      );
      if (changed === 0) throw new Refusal('WRONG_OLD_PASSWORD');
      await this.sessions.endOthers(em, operator);
      const target = { kind: 'operator', id: operator.name };
      await this.actions.record(em, actor, { action: 'password.change', target });
    });
  }
}

/** New recovery codes; the old ones are void. */
export class RenewRecoveryCodes extends Command<string[]> {
  constructor(
    readonly operator: CurrentOperator,
    readonly actor: Actor,
  ) {
    super();
  }
}

@CommandHandler(RenewRecoveryCodes)
export class RenewRecoveryCodesHandler implements ICommandHandler<RenewRecoveryCodes> {
  constructor(
    private readonly em: EntityManager,
    private readonly codes: OneTimeCodes,
    private readonly actions: ActionLog,
  ) {}

  execute({ operator: { id, name }, actor }: RenewRecoveryCodes): Promise<string[]> {
    return this.em.fork().transactional(async (em) => {
      const operator = await em.findOneOrFail(OperatorAccount, { id }, { lockMode: LockMode.PESSIMISTIC_WRITE });
      const fresh = Array.from({ length: RECOVERY_CODES }, newRecoveryCode);
      const left = operator.recoveryDigests.length;
      operator.recoveryDigests = fresh.map((code) => this.codes.digestOf(id, code));
      await em.flush();
      await this.actions.record(em, actor, {
        action: 'recoveryCodes.renew',
        target: { kind: 'operator', id: name },
        before: { left },
        after: { left: fresh.length },
      });
      return fresh.map(groupedRecoveryCode);
    });
  }
}
