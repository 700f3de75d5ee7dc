import { EntityManager } from '@mikro-orm/postgresql';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { Answer, Input } from '@yiqiao/contracts/endpoint';
import type { login, secondStep } from '@yiqiao/contracts/login';
import { Refusal } from '@yiqiao/domain/errors';
import { type ClientType, uniqueKey } from '@yiqiao/domain/members';
import { type Member, Members } from '../members/members.js';
import type { ClientInfo } from '../platform/endpoint.js';
import { RateLimits } from '../platform/rate-limits.js';
import { Sessions } from '../sessions/sessions.js';
import { Passwords } from '../platform/passwords.js';
import { TwoStep } from './two-step.js';

type LoggedIn = Answer<typeof login>;

export class LogIn extends Command<LoggedIn> {
  constructor(
    readonly form: Input<typeof login>,
    readonly client: Pick<ClientInfo, 'ip' | 'language' | 'userAgent'>,
  ) {
    super();
  }
}

/** Limited per account and address, never per account alone: a stranger cannot lock a member out. */
@CommandHandler(LogIn)
export class LogInHandler implements ICommandHandler<LogIn> {
  constructor(
    private readonly em: EntityManager,
    private readonly members: Members,
    private readonly passwords: Passwords,
    private readonly sessions: Sessions,
    private readonly limits: RateLimits,
    private readonly twoStep: TwoStep,
  ) {}

  async execute({ form, client }: LogIn): Promise<LoggedIn> {
    const { ip } = client;
    // Successful log-ins count, too: each costs a hash and a session. Checked before the account lookup to keep refusals cheap.
    await this.limits.take('logins', `${uniqueKey(form.account)}|${ip}`);
    await this.limits.take('loginsPerIp', ip);
    const member = await this.members.findByAccount(form.account);
    const pair = `${member?.id ?? uniqueKey(form.account)}|${ip}`;
    await this.#requireUnlocked(pair, ip);
    if (!member) throw await this.#failed('ACCOUNT_NOT_REGISTERED', { pair, ip });
    const right = member.passwordHash !== null && (await this.passwords.matches(form.password, member.passwordHash));
    if (!right) throw await this.#failed('WRONG_PASSWORD', { pair, ip });
    // A right guess within a burst of wrong ones is still a guess: check the limit again.
    await this.#requireUnlocked(pair, ip);
    await this.limits.forget('loginFailures', pair);
    return this.#start(member, { ...client, clientType: form.clientType });
  }

  #start(known: Member, from: LogIn['client'] & { clientType: ClientType }): Promise<LoggedIn> {
    return this.em.fork().transactional(async (em) => {
      const member = await this.members.lock(em, known.id);
      if (!member) throw new Refusal('ACCOUNT_NOT_REGISTERED');
      // The password may have changed while this one was checked.
      if (member.passwordHash !== known.passwordHash) throw new Refusal('WRONG_PASSWORD');
      if (!(await this.members.isEnabled(em, member))) throw new Refusal('ACCOUNT_DISABLED');
      if (member.isMain() && (await this.twoStep.find(em, member.id)))
        throw this.twoStep.challenge(member, from.clientType);
      await this.members.recordLogin(em, member, from);
      return this.sessions.start(em, member, from);
    });
  }

  async #requireUnlocked(pair: string, ip: string): Promise<void> {
    await Promise.all([this.limits.check('loginFailures', pair), this.limits.check('loginFailuresPerIp', ip)]);
  }

  /** Counts the failure; throws LOGIN_LOCKED beyond the limit, so that further guesses reveal nothing. */
  async #failed(
    code: 'ACCOUNT_NOT_REGISTERED' | 'WRONG_PASSWORD',
    who: { pair: string; ip: string },
  ): Promise<Refusal> {
    await Promise.all([this.limits.take('loginFailures', who.pair), this.limits.take('loginFailuresPerIp', who.ip)]);
    return new Refusal(code);
  }
}

/** Signs in with the challenge of a right password and a code (docs/decisions/0050). */
export class TakeSecondStep extends Command<LoggedIn> {
  constructor(
    readonly form: Input<typeof secondStep>,
    readonly client: Pick<ClientInfo, 'ip' | 'language' | 'userAgent'>,
  ) {
    super();
  }
}

@CommandHandler(TakeSecondStep)
export class TakeSecondStepHandler implements ICommandHandler<TakeSecondStep> {
  constructor(
    private readonly em: EntityManager,
    private readonly members: Members,
    private readonly sessions: Sessions,
    private readonly limits: RateLimits,
    private readonly twoStep: TwoStep,
  ) {}

  async execute({ form, client }: TakeSecondStep): Promise<LoggedIn> {
    await this.limits.take('loginsPerIp', client.ip);
    await this.limits.check('loginFailuresPerIp', client.ip);
    const challenge = this.twoStep.readChallenge(form.challenge);
    const from = { ...client, clientType: challenge.clientType };
    return this.em.fork().transactional(async (em) => {
      const member = await this.members.lock(em, challenge.userId);
      // The password or the setting has changed since: the member signs in again.
      if (!member || !this.twoStep.isFor(challenge, member) || !(await this.twoStep.find(em, member.id)))
        throw new Refusal('CHALLENGE_EXPIRED');
      if (!member.enabled) throw new Refusal('ACCOUNT_DISABLED');
      await this.twoStep.verify(em, member, form.code, client.ip);
      await this.members.recordLogin(em, member, from);
      return this.sessions.start(em, member, from);
    });
  }
}
