import { hash, randomBytes } from 'node:crypto';
import { EntityManager } from '@mikro-orm/postgresql';
import { Command, CommandHandler, type ICommandHandler, QueryBus } from '@nestjs/cqrs';
import type { Answer, Input } from '@yiqiao/contracts/endpoint';
import type { revealMember, viewAsMember } from '@yiqiao/contracts/operator/member-changes';
import { Refusal } from '@yiqiao/domain/errors';
import { MEMBER_VIEW_LINK_MS, MEMBER_VIEW_MS, OPERATOR_SESSION_MS } from '@yiqiao/domain/operators';
import { Identity } from '../../members/identity.entity.js';
import { type Member, Members } from '../../members/members.js';
import { InvoiceRequest } from '../../orders/invoice-request.entity.js';
import { invoiceOf } from '../../orders/request-invoice.js';
import { Clock } from '../../platform/clock.js';
import { Config } from '../../platform/config.js';
import { ListSessions } from '../../sessions/list-sessions.js';
import { Sessions } from '../../sessions/sessions.js';
import { ActionLog, type ActionRecord, type Actor } from '../action-log.js';
import { OperatorSession } from '../operator.entity.js';
import type { CurrentOperator } from '../operator-sessions.js';

/** Who acts, for the action log. */
type By = { readonly actor: Actor; readonly reason?: string };

const targetOf = (userId: number): ActionRecord['target'] => ({ kind: 'member', id: String(userId) });

/** The open member, locked until the transaction of `em` ends. */
async function locked(members: Members, em: EntityManager, userId: number): Promise<Member> {
  const member = await members.lock(em, userId);
  if (!member) throw new Refusal('NOT_FOUND');
  return member;
}

/** Ends one session of a member, or all of them. Returns how many were live. Throws NOT_FOUND. */
export class SignMemberOut extends Command<number> {
  constructor(
    readonly which: { userId: number; sessionId?: number | undefined },
    readonly by: By,
  ) {
    super();
  }
}

@CommandHandler(SignMemberOut)
export class SignMemberOutHandler implements ICommandHandler<SignMemberOut> {
  constructor(
    private readonly em: EntityManager,
    private readonly members: Members,
    private readonly sessions: Sessions,
    private readonly actions: ActionLog,
  ) {}

  execute({ which: { userId, sessionId }, by: { actor, reason } }: SignMemberOut): Promise<number> {
    return this.em.fork().transactional(async (em) => {
      await locked(this.members, em, userId);
      const count =
        sessionId === undefined
          ? await this.sessions.endOthers(userId, null, em)
          : Number(await this.sessions.endOwn(userId, sessionId, em));
      if (sessionId !== undefined && count === 0) throw new Refusal('NOT_FOUND');
      const after = { ended: sessionId === undefined ? count : `session ${sessionId}` };
      await this.actions.record(em, actor, {
        action: 'member.signOut',
        target: targetOf(userId),
        after,
        reason: reason ?? null,
      });
      return count;
    });
  }
}

/** Disables or enables a member. Nothing is recorded when it was so before. Throws NOT_FOUND. */
export class SetMemberEnabled extends Command<void> {
  constructor(
    readonly userId: number,
    readonly enabled: 0 | 1,
    readonly by: By,
  ) {
    super();
  }
}

@CommandHandler(SetMemberEnabled)
export class SetMemberEnabledHandler implements ICommandHandler<SetMemberEnabled> {
  constructor(
    private readonly em: EntityManager,
    private readonly members: Members,
    private readonly actions: ActionLog,
  ) {}

  execute({ userId, enabled, by: { actor, reason } }: SetMemberEnabled): Promise<void> {
    return this.em.fork().transactional(async (em) => {
      const member = await locked(this.members, em, userId);
      if (member.enabled === (enabled === 1)) return;
      await this.members.setEnabled(em, member, enabled);
      await this.actions.record(em, actor, {
        action: enabled === 1 ? 'member.enable' : 'member.disable',
        target: targetOf(userId),
        before: { enabled: 1 - enabled },
        after: { enabled },
        reason: reason ?? null,
      });
    });
  }
}

/** Adds a note about a member. The text is personal data, so the action log has its number only. */
export class AddMemberNote extends Command<void> {
  constructor(
    readonly userId: number,
    readonly text: string,
    readonly operator: CurrentOperator,
    readonly actor: Actor,
  ) {
    super();
  }
}

@CommandHandler(AddMemberNote)
export class AddMemberNoteHandler implements ICommandHandler<AddMemberNote> {
  constructor(
    private readonly em: EntityManager,
    private readonly members: Members,
    private readonly actions: ActionLog,
    private readonly clock: Clock,
  ) {}

  execute({ userId, text, operator, actor }: AddMemberNote): Promise<void> {
    return this.em.fork().transactional(async (em) => {
      const { familyId } = await locked(this.members, em, userId);
      const [note] = await em.execute<{ id: number }[]>(
        'INSERT INTO member_note (user_id, family_id, manager_id, text, noted_at) VALUES (?, ?, ?, ?, ?) RETURNING id',
        [userId, familyId, operator.managerId, text, this.clock.now()],
      );
      await this.actions.record(em, actor, {
        action: 'member.note',
        target: targetOf(userId),
        after: { note: note?.id },
      });
    });
  }
}

type Revealed = Answer<typeof revealMember>;

/** Shows masked personal data; the action log has what was opened, not the data. Throws NOT_FOUND. */
export class RevealMember extends Command<Revealed> {
  constructor(
    readonly request: Input<typeof revealMember>,
    readonly actor: Actor,
  ) {
    super();
  }
}

@CommandHandler(RevealMember)
export class RevealMemberHandler implements ICommandHandler<RevealMember> {
  constructor(
    private readonly em: EntityManager,
    private readonly queries: QueryBus,
    private readonly members: Members,
    private readonly actions: ActionLog,
    private readonly clock: Clock,
  ) {}

  execute({ request: { userId, what }, actor }: RevealMember): Promise<Revealed> {
    return this.em.fork().transactional(async (em) => {
      await locked(this.members, em, userId);
      const opened = new Set(what);
      await this.actions.record(em, actor, {
        action: 'personalData.reveal',
        target: targetOf(userId),
        after: { opened: [...opened] },
      });
      const sessions = opened.has('addresses') ? await this.queries.execute(new ListSessions(userId, '')) : null;
      const invoices = opened.has('invoices')
        ? await em.find(InvoiceRequest, { userId }, { orderBy: { id: 'desc' }, limit: 20 })
        : null;
      const identity = opened.has('account') ? await em.findOne(Identity, { userId, kind: 'email' }) : null;
      return {
        account: identity?.shown ?? null,
        addresses: sessions && sessions.map(({ id, loginIp }) => ({ sessionId: id, loginIp })),
        invoices: invoices && invoices.map((row) => invoiceOf(row, this.clock)),
      };
    });
  }
}

const TOKEN_BYTES = 32;

/** Makes the link that opens a member's console read-only (docs/decisions/0058). Throws NOT_FOUND, ACCOUNT_DISABLED. */
export class ViewAsMember extends Command<Answer<typeof viewAsMember>> {
  constructor(
    readonly userId: number,
    readonly operator: CurrentOperator,
    readonly actor: Actor,
  ) {
    super();
  }
}

@CommandHandler(ViewAsMember)
export class ViewAsMemberHandler implements ICommandHandler<ViewAsMember> {
  constructor(
    private readonly em: EntityManager,
    private readonly members: Members,
    private readonly actions: ActionLog,
    private readonly config: Config,
    private readonly clock: Clock,
  ) {}

  execute({ userId, operator, actor }: ViewAsMember): Promise<Answer<typeof viewAsMember>> {
    return this.em.fork().transactional(async (em) => {
      const member = await locked(this.members, em, userId);
      if (!(await this.members.isEnabled(em, member))) throw new Refusal('ACCOUNT_DISABLED');
      const now = this.clock.now().getTime();
      const session = await em.findOneOrFail(OperatorSession, { digest: operator.digest });
      const until = new Date(Math.min(now + MEMBER_VIEW_MS, session.createdAt.getTime() + OPERATOR_SESSION_MS));
      const token = randomBytes(TOKEN_BYTES).toString('base64url');
      await em.execute(NEW_VIEW, [
        hash('sha256', token, 'hex'),
        userId,
        member.familyId,
        operator.name,
        operator.digest,
        new Date(now + MEMBER_VIEW_LINK_MS),
        until,
      ]);
      const ends = this.clock.toWire(until);
      await this.actions.record(em, actor, {
        action: 'member.viewAs',
        target: targetOf(userId),
        after: { until: ends },
      });
      return { url: `${this.config.publicUrl}/UserCenterIndex#view=${token}`, until: ends };
    });
  }
}

const NEW_VIEW = `
INSERT INTO member_view (digest, user_id, family_id, viewed_by, operator_session, link_until, until) VALUES (?, ?, ?, ?, ?, ?, ?)`;
