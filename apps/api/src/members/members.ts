import { EntityManager, LockMode } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import type { Language } from '@yiqiao/contracts/envelope';
import type { Entry } from '@yiqiao/domain/ledger';
import { uniqueKey } from '@yiqiao/domain/members';
import type { AccountMail } from '../platform/mail-template.js';
import { AccountMails } from './account-mails.js';
import type { Holdings } from './convert-family.js';
import { Sessions } from '../sessions/sessions.js';
import { Devices, type SignIn } from './devices.js';
import { FamilyConversions, type Recharge } from './family-conversions.js';
import { Identity, type IdentityKind } from './identity.entity.js';
import { type LoginFrom, LoginLogs } from './login-logs.js';
import { MainAccounts, type NewMainAccount, taken } from './main-accounts.js';
import { Member } from './member.entity.js';
import { MemberPasswords } from './member-passwords.js';
import { type NewSubAccount, SubAccounts } from './sub-accounts.js';

export type { Holdings } from './convert-family.js';
export type { Recharge } from './family-conversions.js';
export type { Member } from './member.entity.js';
export { mailboxKeyOf } from './canonical-mailbox.js';

/** The front door of the members feature. */
@Injectable()
export class Members {
  constructor(
    private readonly em: EntityManager,
    private readonly mainAccounts: MainAccounts,
    private readonly subAccounts: SubAccounts,
    private readonly loginLogs: LoginLogs,
    private readonly devices: Devices,
    private readonly mails: AccountMails,
    private readonly conversions: FamilyConversions,
    private readonly passwords: MemberPasswords,
    private readonly sessions: Sessions,
  ) {}

  /** The member with this username or address; null when there is none. */
  async findByAccount(account: string): Promise<Member | null> {
    const em = this.em.fork();
    // An address contains @, a username never does.
    const kind: IdentityKind = account.includes('@') ? 'email' : 'username';
    const identity = await em.findOne(Identity, { kind, uniqueKey: uniqueKey(account) });
    return identity && em.findOne(Member, { id: identity.userId, closedAt: null });
  }

  find(userId: number): Promise<Member | null> {
    return this.em.fork().findOne(Member, { id: userId, closedAt: null });
  }

  /** The member's address, or its main account's. Null after log-off. */
  async mailboxOf(member: { familyId: number }): Promise<string | null> {
    const identity = await this.em.fork().findOne(Identity, { kind: 'email', userId: member.familyId });
    return identity?.shown ?? null;
  }

  /** The member's username. Null after log-off. */
  async usernameOf(userId: number): Promise<string | null> {
    const identity = await this.em.fork().findOne(Identity, { kind: 'username', userId });
    return identity?.shown ?? null;
  }

  async isFree(kind: IdentityKind, name: string): Promise<boolean> {
    return (await this.em.fork().count(Identity, { kind, uniqueKey: uniqueKey(name) })) === 0;
  }

  /** Throws USERNAME_TAKEN or EMAIL_TAKEN, naming both fields when both are. Only `createMain` is safe against races. */
  async requireFree(names: Record<IdentityKind, string>): Promise<void> {
    const kinds = ['username', 'email'] as const;
    const free = await Promise.all(kinds.map((kind) => this.isFree(kind, names[kind])));
    const occupied = kinds.filter((_, i) => !free[i]);
    if (occupied.length > 0) throw taken(occupied);
  }

  /** Whether the member may sign in: a disabled main account keeps its sub-accounts out as well. */
  async isEnabled(em: EntityManager, { enabled, familyId, parentId }: Member): Promise<boolean> {
    if (!enabled || parentId === null) return enabled;
    return (await em.count(Member, { id: familyId, enabled: true })) > 0;
  }

  /**
   * Enables or disables a member, whose lock the caller's transaction holds; with a main account its sub-accounts are signed out, too. What
   * a main account has set for them stays.
   */
  async setEnabled(em: EntityManager, { id, parentId }: Member, enabled: 0 | 1): Promise<void> {
    const children = parentId === null ? await this.subAccounts.lockedIdsOf(em, id) : [];
    await this.subAccounts.setEnabled(em, [id], enabled);
    if (enabled === 0) await this.sessions.endAll(em, children, 'disabled');
    else await this.sessions.clearDisabled(em, children);
  }

  /** Creates a main account in the caller's transaction and returns its id. Throws USERNAME_TAKEN or EMAIL_TAKEN. */
  createMain(em: EntityManager, account: NewMainAccount): Promise<number> {
    return this.mainAccounts.create(em, account);
  }

  /** Adds a sub-account to the family of `main` in the caller's transaction and returns its id. Throws USERNAME_TAKEN. */
  createSub(em: EntityManager, main: Member, account: NewSubAccount): Promise<number> {
    return this.subAccounts.create(em, main, account);
  }

  /** The member as it is now, locked until the caller's transaction ends; null after log-off. */
  lock(em: EntityManager, userId: number): Promise<Member | null> {
    return em.findOne(Member, { id: userId, closedAt: null }, { lockMode: LockMode.PESSIMISTIC_WRITE, refresh: true });
  }

  /**
   * Verifies the member's `password` and returns its hash, which the caller compares again under the member's lock. Throws `wrong`,
   * LOGIN_LOCKED after too many wrong ones, SESSION_CLOSED.
   */
  verifyPassword(userId: number, password: string, wrong: 'WRONG_PASSWORD' | 'WRONG_OLD_PASSWORD'): Promise<string> {
    return this.passwords.verify(userId, password, wrong);
  }

  /** In the caller's transaction: sets the password, ends every session and records the event that notifies the owner. */
  setPassword(em: EntityManager, userId: number, passwordHash: string): Promise<void> {
    return this.passwords.change(em, userId, passwordHash);
  }

  /** Grants an invited new member its reward, once per mailbox, in the caller's transaction. */
  async giveInviteReward(em: EntityManager, userId: number): Promise<void> {
    await this.mainAccounts.giveInviteReward(em, userId);
  }

  /** The same for a reward that an operator has released, regardless of the inviter's daily limit. Returns whether it was granted. */
  releaseInviteReward(em: EntityManager, userId: number): Promise<boolean> {
    return this.mainAccounts.giveInviteReward(em, userId, true);
  }

  /**
   * Credits a package to a main account: quota, time and member group, after converting the family to the package's channel and mode; in the
   * caller's transaction, once per `cmdId`. Returns the recharge's entry. Throws NOT_FOUND unless `userId` is an open main account,
   * QUOTA_TOO_LARGE.
   */
  recharge(em: EntityManager, recharge: Recharge): Promise<Entry> {
    return this.conversions.recharge(em, recharge);
  }

  /** What the account holds before and after the recharge, which changes nothing yet. Throws QUOTA_TOO_LARGE, NOT_FOUND like `recharge`. */
  previewRecharge(recharge: Recharge): Promise<{ before: Holdings; after: Holdings }> {
    return this.conversions.preview(this.em.fork(), recharge);
  }

  /** Moves a main account from the member group `from` to `to`, if it still is in `from`; the caller's transaction holds its lock. */
  async changeGroup(em: EntityManager, userId: number, group: { from: number; to: number }): Promise<void> {
    await em.nativeUpdate(Member, { id: userId, memberGroupId: group.from }, { memberGroupId: group.to });
  }

  /** Records a login, its device and its language. The caller's transaction holds the member's lock. */
  async recordLogin(
    em: EntityManager,
    member: Member,
    from: LoginFrom & Partial<SignIn> & { language?: Language },
  ): Promise<void> {
    await this.loginLogs.record(em, member, from);
    // Before the language changes: the owner is told in the owner's, not in that of a stranger who knows the password.
    const { ip, clientType, userAgent, language = member.language } = from;
    if (userAgent !== undefined) await this.devices.record(em, member, { ip, clientType, userAgent });
    if (language !== member.language) await em.nativeUpdate(Member, { id: member.id }, { language });
  }

  /** Records a mail to this member, in the language of its last sign-in; nothing for a sub-account or a closed account. */
  sendMail(em: EntityManager, userId: number, compose: (language: Language) => AccountMail): Promise<void> {
    return this.mails.send(em, userId, compose);
  }
}
