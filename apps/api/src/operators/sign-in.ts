import { EntityManager, LockMode } from '@mikro-orm/postgresql';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { Input } from '@yiqiao/contracts/endpoint';
import type { signIn } from '@yiqiao/contracts/operator/session';
import { Refusal } from '@yiqiao/domain/errors';
import { MINUTE_MS } from '@yiqiao/domain/limits';
import { Clock } from '../platform/clock.js';
import type { ClientInfo } from '../platform/endpoint.js';
import { Passwords } from '../platform/passwords.js';
import { RateLimits } from '../platform/rate-limits.js';
import { Vault } from '../platform/vault.js';
import { ActionLog, type Actor } from './action-log.js';
import { OneTimeCodes } from './one-time-codes.js';
import { OperatorAccount } from './operator.entity.js';
import { actorOf, type CurrentOperator, OperatorSessions } from './operator-sessions.js';

/** Between password and code. */
const STEP_MS = 5 * MINUTE_MS;

/** Sealing keeps the length of a text, which would tell whether the password was right: the longest step is shorter than this. */
const STEP_LENGTH = 640;

/** What the cookie between the two steps holds, sealed. `operatorId` is null for an unknown name or a wrong password. */
type Step = { name: string; operatorId: number | null; password: string; until: number };

type From = Pick<ClientInfo, 'ip' | 'userAgent' | 'requestId'>;

/** Takes name and password. Returns the sealed step; never says whether they were right (operators §2). */
export class SignIn extends Command<{ step: string }> {
  constructor(
    readonly form: Input<typeof signIn>,
    readonly from: From,
  ) {
    super();
  }
}

@CommandHandler(SignIn)
export class SignInHandler implements ICommandHandler<SignIn> {
  #decoy: Promise<string> | undefined;

  constructor(
    private readonly em: EntityManager,
    private readonly passwords: Passwords,
    private readonly limits: RateLimits,
    private readonly vault: Vault,
    private readonly clock: Clock,
  ) {}

  async execute({ form: { name, password }, from }: SignIn): Promise<{ step: string }> {
    await this.limits.check('operatorSignIns', lockKeyOf(name, from.ip));
    const operator = await findOperator(this.em.fork(), name);
    // An unknown name costs a hash as well, so that the time says nothing; also the first one, which waits for the decoy as every name does.
    const decoy = await (this.#decoy ??= this.passwords.hash('decoy'));
    const stored = operator?.passwordHash ?? decoy;
    const matches = await this.passwords.matches(password, stored);
    const isRight = matches && operator !== null && operator.passwordHash !== null && operator.disabledAt === null;
    const step: Step = {
      name,
      operatorId: isRight ? operator.id : null,
      password: isRight ? this.vault.hmac('operator-step', stored) : '',
      until: this.clock.now().getTime() + STEP_MS,
    };
    return { step: this.vault.seal(JSON.stringify(step).padEnd(STEP_LENGTH)) };
  }
}

/** Takes the one-time code, or a recovery code, and starts a session. */
export class EnterCode extends Command<{ token: string; current: CurrentOperator }> {
  constructor(
    readonly code: string,
    readonly step: string,
    readonly from: From,
  ) {
    super();
  }
}

@CommandHandler(EnterCode)
export class EnterCodeHandler implements ICommandHandler<EnterCode> {
  constructor(
    private readonly em: EntityManager,
    private readonly sessions: OperatorSessions,
    private readonly codes: OneTimeCodes,
    private readonly actions: ActionLog,
    private readonly limits: RateLimits,
    private readonly vault: Vault,
    private readonly clock: Clock,
  ) {}

  async execute({ code, step: sealed, from }: EnterCode): Promise<{ token: string; current: CurrentOperator }> {
    const step = this.#open(sealed);
    if (!step) throw new Refusal('OPERATOR_SIGN_IN_WRONG');
    const lock = lockKeyOf(step.name, from.ip);
    // Counted before it is judged: of many guesses at once only the first few are judged.
    await this.limits.take('operatorSignIns', lock);
    const started = await this.em.fork().transactional(async (em) => {
      // Asked for nobody as well, for the same reason.
      const operator = await em.findOne(
        OperatorAccount,
        { id: step.operatorId ?? 0, disabledAt: null },
        { lockMode: LockMode.PESSIMISTIC_WRITE },
      );
      const known = operator?.passwordHash ?? null;
      const isFresh = known !== null && this.vault.hmac('operator-step', known) === step.password;
      if (!operator || !isFresh || !(await this.codes.accept(em, operator, code))) {
        await this.actions.record(
          em,
          { actor: 'system', ip: from.ip, requestId: from.requestId },
          {
            action: 'signIn.failed',
            target: { kind: 'operator', id: step.name },
          },
        );
        return null;
      }
      const session = await this.sessions.start(em, operator, from);
      await this.actions.record(em, actorOf(session.current, from), {
        action: 'signIn',
        target: { kind: 'operator', id: operator.name },
      });
      return session;
    });
    if (!started) throw new Refusal('OPERATOR_SIGN_IN_WRONG');
    await this.limits.forget('operatorSignIns', lock);
    return started;
  }

  /** Null for a step that is too old, altered, or not ours. */
  #open(sealed: string): Step | null {
    try {
      const { name, operatorId, password, until } = JSON.parse(this.vault.open(sealed)) as Partial<Step>;
      if (typeof name !== 'string' || typeof password !== 'string' || typeof until !== 'number') return null;
      if (operatorId === undefined || until <= this.clock.now().getTime()) return null;
      return { name, operatorId, password, until };
    } catch {
      return null;
    }
  }
}

export class SignOut extends Command<void> {
  constructor(
    readonly operator: CurrentOperator,
    readonly actor: Actor,
  ) {
    super();
  }
}

@CommandHandler(SignOut)
export class SignOutHandler implements ICommandHandler<SignOut> {
  constructor(
    private readonly em: EntityManager,
    private readonly sessions: OperatorSessions,
    private readonly actions: ActionLog,
  ) {}

  async execute({ operator, actor }: SignOut): Promise<void> {
    await this.em.fork().transactional(async (em) => {
      await this.sessions.end(em, operator.digest);
      await this.actions.record(em, actor, { action: 'signOut', target: { kind: 'operator', id: operator.name } });
    });
  }
}

const lockKeyOf = (name: string, ip: string): string => `${name.toLowerCase()}|${ip}`;

/** By name, whatever its capitals. */
export const findOperator = (
  em: EntityManager,
  name: string,
  lockMode: LockMode = LockMode.NONE,
): Promise<OperatorAccount | null> =>
  em.findOne(OperatorAccount, { name: { $ilike: name.replaceAll(/[\\%_]/g, '\\$&') } }, { lockMode });
