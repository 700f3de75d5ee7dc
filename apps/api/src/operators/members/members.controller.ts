import { EntityManager } from '@mikro-orm/postgresql';
import { Controller } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import type { Answer, Input as InputOf } from '@yiqiao/contracts/endpoint';
import * as changes from '@yiqiao/contracts/operator/member-changes';
import * as reads from '@yiqiao/contracts/operator/members';
import { Refusal } from '@yiqiao/domain/errors';
import { TRIAL_GROUP_ID } from '@yiqiao/domain/plans';
import { MailResetCode } from '../../auth/send-code.js';
import { ListLoginLogs } from '../../members/login-log-queries.js';
import type { CsvFile } from '../../platform/csv.js';
import { Client, type ClientInfo, Endpoint, Input } from '../../platform/endpoint.js';
import { Idempotency } from '../../platform/idempotency.js';
import { Plans } from '../../plans/plans.js';
import { ActionLog } from '../action-log.js';
import { CurrentOperatorOf } from '../operator-guard.js';
import { actorOf, type CurrentOperator } from '../operator-sessions.js';
import { AdjustQuota } from './adjust-quota.js';
import { MemberLimits, PreviewGrant } from './member-limits.js';
import { ExportMembers } from './export-members.js';
import { GetMember } from './get-member.js';
import { GetSources } from './get-sources.js';
import { GrantPlan } from './grant-plan.js';
import { AddMemberNote, RevealMember, SetMemberEnabled, SignMemberOut, ViewAsMember } from './member-commands.js';
import { ListMemberChildren, ListMemberOrders } from './member-lists.js';
import { maskedIp, SearchMembers } from './search-members.js';

const contract = { ...reads, ...changes };

type Res<K extends keyof typeof contract> = (typeof contract)[K] extends infer E extends Parameters<typeof Endpoint>[0]
  ? Promise<Answer<E>>
  : never;

/** Members for operators (operators §10). */
@Controller()
export class OperatorMembersController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
    private readonly once: Idempotency,
    private readonly limits: MemberLimits,
    private readonly plans: Plans,
    private readonly actions: ActionLog,
    private readonly em: EntityManager,
  ) {}

  @Endpoint(contract.searchMembers)
  search(@Input(contract.searchMembers) request: InputOf<typeof contract.searchMembers>): Res<'searchMembers'> {
    return this.queries.execute(new SearchMembers(request));
  }

  @Endpoint(contract.exportMembers)
  export(
    @Input(contract.exportMembers) request: InputOf<typeof contract.exportMembers>,
    @CurrentOperatorOf() operator: CurrentOperator,
    @Client() client: ClientInfo,
  ): Promise<CsvFile> {
    return this.commands.execute(new ExportMembers(request, client.language, actorOf(operator, client)));
  }

  @Endpoint(contract.listGrantable)
  async grantable(): Res<'listGrantable'> {
    const groups = await this.plans.groups(this.em.fork());
    return groups.filter(({ id }) => id !== TRIAL_GROUP_ID);
  }

  @Endpoint(contract.getMember)
  get(@Input(contract.getMember) { userId }: InputOf<typeof contract.getMember>): Res<'getMember'> {
    return this.queries.execute(new GetMember(userId));
  }

  @Endpoint(contract.listMemberChildren)
  children(
    @Input(contract.listMemberChildren) request: InputOf<typeof contract.listMemberChildren>,
  ): Res<'listMemberChildren'> {
    return this.queries.execute(new ListMemberChildren(request));
  }

  @Endpoint(contract.listMemberOrders)
  orders(
    @Input(contract.listMemberOrders) request: InputOf<typeof contract.listMemberOrders>,
  ): Res<'listMemberOrders'> {
    return this.queries.execute(new ListMemberOrders(request));
  }

  @Endpoint(contract.listMemberLogins)
  async logins(
    @Input(contract.listMemberLogins) { userId, ...paging }: InputOf<typeof contract.listMemberLogins>,
  ): Res<'listMemberLogins'> {
    const { rows, total } = await this.queries.execute(new ListLoginLogs(userId, paging));
    return { total, rows: rows.map((row) => ({ ...row, loginIp: maskedIp(row.loginIp) })) };
  }

  @Endpoint(contract.getSources)
  sources(
    @Input(contract.getSources) { userId }: InputOf<typeof contract.getSources>,
    @Client() { language }: ClientInfo,
  ): Res<'getSources'> {
    return this.queries.execute(new GetSources(userId, language));
  }

  @Endpoint(contract.revealMember)
  reveal(
    @Input(contract.revealMember) request: InputOf<typeof contract.revealMember>,
    @CurrentOperatorOf() operator: CurrentOperator,
    @Client() client: ClientInfo,
  ): Res<'revealMember'> {
    return this.commands.execute(new RevealMember(request, actorOf(operator, client)));
  }

  @Endpoint(contract.signMemberOut)
  async signOut(
    @Input(contract.signMemberOut) { reason, ...which }: InputOf<typeof contract.signMemberOut>,
    @CurrentOperatorOf() operator: CurrentOperator,
    @Client() client: ClientInfo,
  ): Res<'signMemberOut'> {
    return {
      count: await this.commands.execute(new SignMemberOut(which, { actor: actorOf(operator, client), reason })),
    };
  }

  @Endpoint(contract.setMemberEnabled)
  async setEnabled(
    @Input(contract.setMemberEnabled) { userId, enabled, reason }: InputOf<typeof contract.setMemberEnabled>,
    @CurrentOperatorOf() operator: CurrentOperator,
    @Client() client: ClientInfo,
  ): Res<'setMemberEnabled'> {
    await this.commands.execute(new SetMemberEnabled(userId, enabled, { actor: actorOf(operator, client), reason }));
    return true;
  }

  @Endpoint(contract.mailMemberPassword)
  mailPassword(
    @Input(contract.mailMemberPassword) { userId }: InputOf<typeof contract.mailMemberPassword>,
    @CurrentOperatorOf() operator: CurrentOperator,
    @Client() client: ClientInfo,
  ): Res<'mailMemberPassword'> {
    const target = { kind: 'member', id: String(userId) };
    const record = (em: EntityManager): Promise<number> =>
      this.actions.record(em, actorOf(operator, client), { action: 'member.passwordMail', target });
    return this.commands.execute(new MailResetCode(userId, record));
  }

  @Endpoint(contract.addMemberNote)
  async note(
    @Input(contract.addMemberNote) { userId, text }: InputOf<typeof contract.addMemberNote>,
    @CurrentOperatorOf() operator: CurrentOperator,
    @Client() client: ClientInfo,
  ): Res<'addMemberNote'> {
    await this.commands.execute(new AddMemberNote(userId, text, operator, actorOf(operator, client)));
    return true;
  }

  @Endpoint(contract.adjustQuota)
  adjust(
    @Input(contract.adjustQuota) request: InputOf<typeof contract.adjustQuota>,
    @CurrentOperatorOf() operator: CurrentOperator,
    @Client() client: ClientInfo,
  ): Res<'adjustQuota'> {
    const { userId, change, reason } = request;
    return this.#once('quota.adjust', { request, operator, client }, async (cmdId) => {
      if (await this.limits.adjustmentExceeds(userId, change)) throw new Refusal('APPROVAL_REQUIRED');
      return this.commands.execute(new AdjustQuota(userId, change, this.#by({ operator, client, reason, cmdId })));
    });
  }

  @Endpoint(contract.grantPlan)
  grant(
    @Input(contract.grantPlan) request: InputOf<typeof contract.grantPlan>,
    @CurrentOperatorOf() operator: CurrentOperator,
    @Client() client: ClientInfo,
  ): Res<'grantPlan'> {
    const { userId, change, reason } = request;
    return this.#once('plan.grant', { request, operator, client }, async (cmdId) => {
      if (await this.limits.grantExceeds(change)) throw new Refusal('APPROVAL_REQUIRED');
      return this.commands.execute(new GrantPlan(userId, change, this.#by({ operator, client, reason, cmdId })));
    });
  }

  @Endpoint(contract.previewGrant)
  preview(
    @Input(contract.previewGrant) { userId, ...grant }: InputOf<typeof contract.previewGrant>,
  ): Res<'previewGrant'> {
    return this.queries.execute(new PreviewGrant(userId, grant));
  }

  @Endpoint(contract.viewAsMember)
  viewAs(
    @Input(contract.viewAsMember) { userId }: InputOf<typeof contract.viewAsMember>,
    @CurrentOperatorOf() operator: CurrentOperator,
    @Client() client: ClientInfo,
  ): Res<'viewAsMember'> {
    return this.commands.execute(new ViewAsMember(userId, operator, actorOf(operator, client)));
  }

  /** Operators have a scope of idempotency keys of their own: their ids are not those of members. */
  #once<T>(
    what: string,
    { request, operator, client }: { request: object; operator: CurrentOperator; client: ClientInfo },
    work: (cmdId: string) => Promise<T>,
  ): Promise<T> {
    const key = client.idempotencyKey;
    return this.once.once({ userId: operator.id, route: `operator ${what}`, key, body: request }, work);
  }

  #by({
    operator,
    client,
    reason,
    cmdId,
  }: {
    operator: CurrentOperator;
    client: ClientInfo;
    reason: string;
    cmdId: string;
  }) {
    const author = () => Promise.resolve({ managerId: operator.managerId, reason });
    return { author, actor: actorOf(operator, client), cmdId };
  }
}
