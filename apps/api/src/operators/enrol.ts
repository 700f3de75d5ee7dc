import { hash, randomBytes } from 'node:crypto';
import { EntityManager, LockMode, UniqueConstraintViolationException } from '@mikro-orm/postgresql';
import { Command, CommandHandler, type ICommandHandler, type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import type { Answer, Input } from '@yiqiao/contracts/endpoint';
import type { enrol, openEnrolment } from '@yiqiao/contracts/operator/session';
import { Refusal } from '@yiqiao/domain/errors';
import { RECOVERY_CODES } from '@yiqiao/domain/limits';
import type { OperatorRole } from '@yiqiao/domain/operators';
import { Clock } from '../platform/clock.js';
import { addManager, findManager } from '../platform/manager-actions.js';
import { Passwords } from '../platform/passwords.js';
import { groupedRecoveryCode, newRecoveryCode, newTotpSecret, totpStep, totpUri } from '../platform/totp.js';
import { Vault } from '../platform/vault.js';
import { ActionLog, type Actor } from './action-log.js';
import { OperatorAccount, OperatorEnrolment, OperatorPasskey } from './operator.entity.js';
import { OneTimeCodes } from './one-time-codes.js';
import { findOperator } from './sign-in.js';
import { OperatorSessions } from './operator-sessions.js';

const LINK_MS = 24 * 3_600_000;
const TOKEN_BYTES = 24;
const ISSUER = 'Yiqiao operators';

const digestOf = (token: string): string => hash('sha256', token, 'hex');

/** `token` is in the link alone and stored nowhere. */
export type Invited = { id: number; token: string; expiresAt: Date };

/** Creates an operator, or a new link for one that exists and lost password or app; its sessions end. Returns the link's token. */
export class InviteOperator extends Command<Invited> {
  constructor(
    readonly operator: { name: string; role: OperatorRole; renew: boolean },
    readonly actor: Actor,
  ) {
    super();
  }
}

@CommandHandler(InviteOperator)
export class InviteOperatorHandler implements ICommandHandler<InviteOperator> {
  constructor(
    private readonly em: EntityManager,
    private readonly actions: ActionLog,
    private readonly sessions: OperatorSessions,
    private readonly vault: Vault,
    private readonly clock: Clock,
  ) {}

  execute({ operator: { name, role, renew }, actor }: InviteOperator): Promise<Invited> {
    return this.em.fork().transactional(async (em) => {
      // Locked: a sign-in under way ends first, and its session with the others.
      const known = await findOperator(em, name, LockMode.PESSIMISTIC_WRITE);
      if (known && !renew) throw new Refusal('OPERATOR_EXISTS');
      if (!known && renew) throw new Refusal('NOT_FOUND');
      if (known?.disabledAt) throw new Refusal('OPERATOR_ENDED');
      const id = known?.id ?? (await this.#create(em, name, role));
      await em.nativeUpdate(OperatorEnrolment, { operatorId: id, usedAt: null }, { usedAt: this.clock.now() });
      if (known) await this.sessions.endAll(em, id);
      // A lost phone may hold some.
      if (known) await em.nativeDelete(OperatorPasskey, { operatorId: id });
      const token = randomBytes(TOKEN_BYTES).toString('base64url');
      const expiresAt = new Date(this.clock.now().getTime() + LINK_MS);
      const sealedSecret = this.vault.seal(newTotpSecret());
      await em.insert(OperatorEnrolment, { digest: digestOf(token), operatorId: id, sealedSecret, expiresAt });
      await this.actions.record(em, actor, {
        action: known ? 'operator.invite' : 'operator.create',
        target: { kind: 'operator', id: known?.name ?? name },
        after: known ? null : { role },
      });
      return { id, token, expiresAt };
    });
  }

  /** The ledger and the members' account logs name operators as managers, so each is one. */
  async #create(em: EntityManager, name: string, role: OperatorRole): Promise<number> {
    const managerId = (await addManager(em, name)) ?? (await findManager(em, name));
    if (managerId === null) throw new Error(`there is no manager ${name}`);
    try {
      return await em.insert(OperatorAccount, { name, role, managerId });
    } catch (error) {
      // Somebody else has added the same name meanwhile.
      if (error instanceof UniqueConstraintViolationException) throw new Refusal('OPERATOR_EXISTS');
      throw error;
    }
  }
}

type Enrolment = Answer<typeof openEnrolment>;

export class OpenEnrolment extends Query<Enrolment> {
  constructor(readonly token: string) {
    super();
  }
}

@QueryHandler(OpenEnrolment)
export class OpenEnrolmentHandler implements IQueryHandler<OpenEnrolment> {
  constructor(
    private readonly em: EntityManager,
    private readonly vault: Vault,
    private readonly clock: Clock,
  ) {}

  async execute({ token }: OpenEnrolment): Promise<Enrolment> {
    const em = this.em.fork();
    const enrolment = await findEnrolment(em, token, this.clock.now());
    const { name, role } = await em.findOneOrFail(OperatorAccount, { id: enrolment.operatorId });
    const secret = this.vault.open(enrolment.sealedSecret);
    return { name, role, secret, uri: totpUri(secret, { issuer: ISSUER, label: name }) };
  }
}

/** Sets password and app of an operator through the link, once. */
export class Enrol extends Command<Answer<typeof enrol>> {
  constructor(
    readonly form: Input<typeof enrol>,
    readonly from: { ip: string; requestId: string },
  ) {
    super();
  }
}

@CommandHandler(Enrol)
export class EnrolHandler implements ICommandHandler<Enrol> {
  constructor(
    private readonly em: EntityManager,
    private readonly passwords: Passwords,
    private readonly actions: ActionLog,
    private readonly sessions: OperatorSessions,
    private readonly codes: OneTimeCodes,
    private readonly vault: Vault,
    private readonly clock: Clock,
  ) {}

  async execute({ form, from }: Enrol): Promise<Answer<typeof enrol>> {
    const passwordHash = await this.passwords.hash(form.password);
    return this.em.fork().transactional(async (em) => {
      const now = this.clock.now();
      const lockMode = LockMode.PESSIMISTIC_WRITE;
      // The account before its link, as whoever invites again locks them.
      const { operatorId } = await findEnrolment(em, form.token, now);
      const operator = await em.findOneOrFail(OperatorAccount, { id: operatorId }, { lockMode });
      const enrolment = await findEnrolment(em, form.token, now, lockMode);
      const step = totpStep(this.vault.open(enrolment.sealedSecret), form.code, now.getTime());
      if (step === null) throw new Refusal('SIGN_IN_CODE_WRONG');
      const recoveryCodes = Array.from({ length: RECOVERY_CODES }, newRecoveryCode);
      operator.passwordHash = passwordHash;
      operator.sealedSecret = enrolment.sealedSecret;
      operator.lastStep = step;
      operator.enrolledAt = now;
      operator.recoveryDigests = recoveryCodes.map((code) => this.codes.digestOf(operator.id, code));
      enrolment.usedAt = now;
      await em.flush();
      await this.sessions.endAll(em, operator.id);
      await this.actions.record(
        em,
        { actor: operator.name, ...from },
        {
          action: 'operator.enrol',
          target: { kind: 'operator', id: operator.name },
        },
      );
      return { recoveryCodes: recoveryCodes.map(groupedRecoveryCode) };
    });
  }
}

async function findEnrolment(
  em: EntityManager,
  token: string,
  now: Date,
  lockMode: LockMode = LockMode.NONE,
): Promise<OperatorEnrolment> {
  const enrolment = await em.findOne(OperatorEnrolment, { digest: digestOf(token), usedAt: null }, { lockMode });
  if (!enrolment || enrolment.expiresAt <= now) throw new Refusal('ENROLMENT_LINK_USED');
  return enrolment;
}
