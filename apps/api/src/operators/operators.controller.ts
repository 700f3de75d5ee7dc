import { EntityManager } from '@mikro-orm/postgresql';
import { Controller } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import type { Answer, Input as InputOf } from '@yiqiao/contracts/endpoint';
import {
  changeOwnPassword,
  endOwnSessions,
  inviteOperator,
  listOperators,
  listOwnSessions,
  renewOperator,
  renewRecoveryCodes,
  signOutOperator,
} from '@yiqiao/contracts/operator/operators';
import { Refusal } from '@yiqiao/domain/errors';
import { Clock } from '../platform/clock.js';
import { Config } from '../platform/config.js';
import { Client, type ClientInfo, Endpoint, Input } from '../platform/endpoint.js';
import { InviteOperator, type Invited } from './enrol.js';
import { ListOperators, ListOwnSessions, SignOutOperator } from './manage-operators.js';
import { OperatorAccount } from './operator.entity.js';
import { CurrentOperatorOf } from './operator-guard.js';
import { actorOf, type CurrentOperator } from './operator-sessions.js';
import { ChangeOwnPassword, EndOwnSessions, RenewRecoveryCodes } from './own-account.js';

/** Operators, and the own account of each (operators §2). */
@Controller()
export class OperatorsController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
    private readonly em: EntityManager,
    private readonly config: Config,
    private readonly clock: Clock,
  ) {}

  @Endpoint(listOperators)
  list(@CurrentOperatorOf() operator: CurrentOperator): Promise<Answer<typeof listOperators>> {
    return this.queries.execute(new ListOperators(operator));
  }

  @Endpoint(inviteOperator)
  async invite(
    @Input(inviteOperator) { name, role }: InputOf<typeof inviteOperator>,
    @CurrentOperatorOf() operator: CurrentOperator,
    @Client() client: ClientInfo,
  ): Promise<Answer<typeof inviteOperator>> {
    const invite = new InviteOperator({ name, role, renew: false }, actorOf(operator, client));
    return this.#link(await this.commands.execute(invite));
  }

  @Endpoint(renewOperator)
  async renew(
    @Input(renewOperator) { id }: InputOf<typeof renewOperator>,
    @CurrentOperatorOf() operator: CurrentOperator,
    @Client() client: ClientInfo,
  ): Promise<Answer<typeof renewOperator>> {
    const known = await this.em.fork().findOne(OperatorAccount, { id });
    if (!known) throw new Refusal('NOT_FOUND');
    const { name, role } = known;
    const invite = new InviteOperator({ name, role, renew: true }, actorOf(operator, client));
    return this.#link(await this.commands.execute(invite));
  }

  /** The secret is in the fragment, which browsers do not send. */
  #link({ id, token, expiresAt }: Invited): Answer<typeof inviteOperator> {
    return { id, link: `${this.config.operatorUrl}/enrol#${token}`, expiresAt: this.clock.toWire(expiresAt) };
  }

  @Endpoint(signOutOperator)
  async signOut(
    @Input(signOutOperator) { id }: InputOf<typeof signOutOperator>,
    @CurrentOperatorOf() operator: CurrentOperator,
    @Client() client: ClientInfo,
  ): Promise<Answer<typeof signOutOperator>> {
    await this.commands.execute(new SignOutOperator(id, actorOf(operator, client)));
    return true;
  }

  @Endpoint(listOwnSessions)
  sessions(@CurrentOperatorOf() operator: CurrentOperator): Promise<Answer<typeof listOwnSessions>> {
    return this.queries.execute(new ListOwnSessions(operator));
  }

  @Endpoint(endOwnSessions)
  async endSessions(
    @Input(endOwnSessions) { id }: InputOf<typeof endOwnSessions>,
    @CurrentOperatorOf() operator: CurrentOperator,
    @Client() client: ClientInfo,
  ): Promise<Answer<typeof endOwnSessions>> {
    return { ended: await this.commands.execute(new EndOwnSessions(operator, id, actorOf(operator, client))) };
  }

  @Endpoint(changeOwnPassword)
  async changePassword(
    @Input(changeOwnPassword) { oldPassword, password }: InputOf<typeof changeOwnPassword>,
    @CurrentOperatorOf() operator: CurrentOperator,
    @Client() client: ClientInfo,
  ): Promise<Answer<typeof changeOwnPassword>> {
    const form = { oldPassword, password };
    await this.commands.execute(new ChangeOwnPassword(operator, form, actorOf(operator, client)));
    return true;
  }

  @Endpoint(renewRecoveryCodes)
  async recoveryCodes(
    @Input(renewRecoveryCodes) _: InputOf<typeof renewRecoveryCodes>,
    @CurrentOperatorOf() operator: CurrentOperator,
    @Client() client: ClientInfo,
  ): Promise<Answer<typeof renewRecoveryCodes>> {
    return { recoveryCodes: await this.commands.execute(new RenewRecoveryCodes(operator, actorOf(operator, client))) };
  }
}
