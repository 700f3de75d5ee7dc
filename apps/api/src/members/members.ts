import { EntityManager, LockMode } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import type { Entry } from '@yiqiao/domain/ledger';
import { uniqueKey } from '@yiqiao/domain/members';
import { FamilyConversions, type Recharge } from './family-conversions.js';
import { Identity, type IdentityKind } from './identity.entity.js';
import { type LoginFrom, LoginLogs } from './login-logs.js';
import { MainAccounts, type NewMainAccount, taken } from './main-accounts.js';
import { Member } from './member.entity.js';
import { OwnPassword } from './own-password.js';
import { PasswordChanges } from './password-changes.js';
import { type NewSubAccount, SubAccounts } from './sub-accounts.js';

export type { Recharge } from './family-conversions.js';
export type { Member } from './member.entity.js';
export { mailboxKeyOf } from './mailbox-key.js';

/** What a member wants of its translations; nothing of it by itself. `failover`: of main accounts alone. */
export type TranslationSettings = { readonly failover: boolean; readonly remembers: boolean };

const TRANSLATION_SETTINGS = `
SELECT id, channel_failover AND parent_id IS NULL AS failover, translation_cache AS remembers FROM member
WHERE id = ANY (?::bigint[]) AND closed_at IS NULL AND (channel_failover OR translation_cache)`;

/** Who the members are and by which names they sign in. */
@Injectable()
export class Members {
  constructor(
    private readonly em: EntityManager,
    private readonly mainAccounts: MainAccounts,
    private readonly subAccounts: SubAccounts,
    private readonly loginLogs: LoginLogs,
    private readonly passwordChanges: PasswordChanges,
    private readonly conversions: FamilyConversions,
    private readonly ownPassword: OwnPassword,
  ) {}

  /** The member who signs in with this username or address; null when nobody does. */
  async findByAccount(account: string): Promise<Member | null> {
    const em = this.em.fork();
    // A username has no @ and an address always has one, so the text says by itself which of the two it is.
    const kind: IdentityKind = account.includes('@') ? 'email' : 'username';
    const identity = await em.findOne(Identity, { kind, uniqueKey: uniqueKey(account) });
    return identity && em.findOne(Member, { id: identity.userId, closedAt: null });
  }

  find(userId: number): Promise<Member | null> {
    return this.em.fork().findOne(Member, { id: userId, closedAt: null });
  }

  /** Of these members, those that have set anything. */
  async translationSettings(userIds: number[]): Promise<Map<number, TranslationSettings>> {
    type Row = TranslationSettings & { id: number };
    // As every translation asks for it, without the ORM, which would take longer to put the question than PostgreSQL to answer it.
    const rows = await this.em.fork().execute<Row[]>(TRANSLATION_SETTINGS, [`{${userIds.join(',')}}`]);
    return new Map(rows.map(({ id, ...settings }) => [id, settings]));
  }

  /** The address behind the member: its own, or its main account's. Null after log-off. */
  async mailboxOf(member: { familyId: number }): Promise<string | null> {
    const identity = await this.em.fork().findOne(Identity, { kind: 'email', userId: member.familyId });
    return identity?.shown ?? null;
  }

  /** Under which name the member signs in. Null after log-off. */
  async usernameOf(userId: number): Promise<string | null> {
    const identity = await this.em.fork().findOne(Identity, { kind: 'username', userId });
    return identity?.shown ?? null;
  }

  async isFree(kind: IdentityKind, name: string): Promise<boolean> {
    return (await this.em.fork().count(Identity, { kind, uniqueKey: uniqueKey(name) })) === 0;
  }

  /** Throws USERNAME_TAKEN or EMAIL_TAKEN, naming both fields when both are. Only `createMain` is proof against a race. */
  async requireFree(names: Record<IdentityKind, string>): Promise<void> {
    const kinds = ['username', 'email'] as const;
    const free = await Promise.all(kinds.map((kind) => this.isFree(kind, names[kind])));
    const occupied = kinds.filter((_, i) => !free[i]);
    if (occupied.length > 0) throw taken(occupied);
  }

  /** Founds a family inside the caller's transaction and answers its main account's id. Throws USERNAME_TAKEN or EMAIL_TAKEN. */
  createMain(em: EntityManager, account: NewMainAccount): Promise<number> {
    return this.mainAccounts.create(em, account);
  }

  /** Adds a sub-account to the family of `main` inside the caller's transaction and answers its id. Throws USERNAME_TAKEN. */
  createSub(em: EntityManager, main: Member, account: NewSubAccount): Promise<number> {
    return this.subAccounts.create(em, main, account);
  }

  /** The member as it is now, locked until the caller's transaction ends; null after log-off. */
  lock(em: EntityManager, userId: number): Promise<Member | null> {
    return em.findOne(Member, { id: userId, closedAt: null }, { lockMode: LockMode.PESSIMISTIC_WRITE, refresh: true });
  }

  /**
   * Answers the hash that the member's `password` is right for; the caller compares it again under the member's lock. Throws
   * WRONG_OLD_PASSWORD, LOGIN_LOCKED after too many wrong ones, SESSION_CLOSED.
   */
  provePassword(userId: number, password: string): Promise<string> {
    return this.ownPassword.prove(userId, password, 'WRONG_OLD_PASSWORD');
  }

  /** Inside the caller's transaction: the new password, the end of every session, and the fact that tells the owner. */
  setPassword(em: EntityManager, userId: number, passwordHash: string): Promise<void> {
    return this.passwordChanges.set(em, userId, passwordHash);
  }

  /** Gives an invited new member its characters, once per mailbox ever; inside the caller's transaction. */
  async giveInviteReward(em: EntityManager, userId: number): Promise<void> {
    await this.mainAccounts.giveInviteReward(em, userId);
  }

  /** The same for a reward that an operator has released: whatever its inviter had in a day. Answers whether it was given. */
  releaseInviteReward(em: EntityManager, userId: number): Promise<boolean> {
    return this.mainAccounts.giveInviteReward(em, userId, true);
  }

  /**
   * What a main account buys or is given: its quota, its time and its member group, after the family is converted to the package's
   * channel and mode; inside the caller's transaction, once per `cmdId`. Answers the recharge's entry. Throws NOT_FOUND for whoever
   * is no main account (any more), QUOTA_TOO_LARGE.
   */
  recharge(em: EntityManager, recharge: Recharge): Promise<Entry> {
    return this.conversions.recharge(em, recharge);
  }

  /** Throws QUOTA_TOO_LARGE when the recharge would be more than the accounts can hold now, NOT_FOUND like `recharge`. Changes nothing. */
  requireRoom(recharge: Recharge): Promise<void> {
    return this.conversions.requireRoom(this.em.fork(), recharge);
  }

  /** A main account leaves the member group `from` for `to`, unless it has left already; the caller's transaction holds its lock. */
  async changeGroup(em: EntityManager, userId: number, group: { from: number; to: number }): Promise<void> {
    await em.nativeUpdate(Member, { id: userId, memberGroupId: group.from }, { memberGroupId: group.to });
  }

  /** Writes a login down. The caller's transaction holds the member's lock. */
  recordLogin(em: EntityManager, member: { id: number; familyId: number }, from: LoginFrom): Promise<void> {
    return this.loginLogs.record(em, member, from);
  }
}
