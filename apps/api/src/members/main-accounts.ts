import type { EntityManager, QueryResult } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { CHANNELS, DEFAULT_CHANNEL } from '@yiqiao/domain/channels';
import { Refusal } from '@yiqiao/domain/errors';
import { DAY_MS, INVITE_REWARD_CHARS, PACKAGE_DAYS } from '@yiqiao/domain/limits';
import { uniqueKey } from '@yiqiao/domain/members';
import { TRIAL_GROUP_ID } from '@yiqiao/domain/plans';
import { type AccountView, Ledger, type Posting } from '../ledger/ledger.js';
import { Clock } from '../platform/clock.js';
import { Outbox } from '../platform/outbox.js';
import { Plans } from '../plans/plans.js';
import { commandIdOf } from '../platform/command-id.js';
import { Identity, type IdentityKind } from './identity.entity.js';
import { Invitations, isInviteCode, newInviteCode, normalizeInviteCode } from './invitations.js';
import { MailboxGifts } from './mailbox-gifts.js';
import { Member } from './member.entity.js';

export type NewMainAccount = {
  username: string;
  email: string;
  nickname: string;
  passwordHash: string;
  inviteCode: string | undefined;
};

const TAKEN = {
  username: { path: 'username', code: 'USERNAME_TAKEN' },
  email: { path: 'account', code: 'EMAIL_TAKEN' },
} as const;

/** The refusal for names that are taken; `kinds` is not empty. */
export const taken = (kinds: readonly IdentityKind[]): Refusal =>
  new Refusal(kinds.includes('username') ? 'USERNAME_TAKEN' : 'EMAIL_TAKEN', { errors: kinds.map((k) => TAKEN[k]) });

/** Creates main accounts with their names, ledger accounts and trial quota (decisions §3). */
@Injectable()
export class MainAccounts {
  constructor(
    private readonly plans: Plans,
    private readonly ledger: Ledger,
    private readonly gifts: MailboxGifts,
    private readonly invites: Invitations,
    private readonly clock: Clock,
    private readonly outbox: Outbox,
  ) {}

  /** Returns the new id; everything in the transaction of `em`. Throws USERNAME_TAKEN or EMAIL_TAKEN, also against concurrent transactions. */
  async create(em: EntityManager, account: NewMainAccount): Promise<number> {
    const inviter = await inviterOf(em, account.inviteCode);
    const id = await nextId(em);
    await em.insert(Member, {
      id,
      familyId: id,
      nickname: account.nickname,
      passwordHash: account.passwordHash,
      inviteCode: newInviteCode(),
      inviterId: inviter?.id ?? null,
      memberGroupId: TRIAL_GROUP_ID,
      autoDistribution: false,
      channelFailover: false,
      translationCache: false,
      enabled: true,
      registeredAt: this.clock.now(),
    });
    // Always in this order, so that concurrent registrations cannot deadlock.
    await claimName(em, { kind: 'username', shown: account.username, userId: id, familyId: id });
    await claimName(em, { kind: 'email', shown: account.email, userId: id, familyId: id });
    await this.#openWithTrial(em, { userId: id, email: account.email });
    await this.outbox.record(em, { type: 'MemberRegistered', userId: id, invited: inviter !== null });
    return id;
  }

  /** A mailbox that already had a trial joins the trial group without quota (decisions §3). */
  async #openWithTrial(em: EntityManager, member: { userId: number; email: string }): Promise<void> {
    const { userId, email } = member;
    const { num: charNum, voiceNum, imageNum } = await this.plans.group(em, TRIAL_GROUP_ID);
    await this.ledger.open(em, { userId, familyId: userId });
    const fresh = await this.gifts.claim(em, { gift: 'trial', userId, quota: { charNum, voiceNum, imageNum } }, email);
    const quota = fresh ? { charChange: charNum, voiceChange: voiceNum, imageChange: imageNum } : {};
    const rule = (_: readonly AccountView[], now: number): Posting[] => {
      const expireAt = now + PACKAGE_DAYS * DAY_MS;
      const tranChannelId = CHANNELS[DEFAULT_CHANNEL].id;
      const refs = { memberGroupId: TRIAL_GROUP_ID };
      return [{ userId, movement: { type: 'OTHER', ...quota, expireAt, tranChannelId, refs } }];
    };
    const command = { cmdId: commandIdOf(`trial:${userId}`) };
    await this.ledger.move(em, { userIds: [userId] }, { rule, command });
  }

  /**
   * Grants an invited NEW member its reward unless the mailbox had one before, under this account or an earlier one. Claim and entry share the
   * transaction of `em`, so a repeated call grants nothing. A reward beyond an inviter's daily limit is held until an operator calls again
   * with `released`. Returns whether it was granted now.
   */
  async giveInviteReward(em: EntityManager, userId: number, released = false): Promise<boolean> {
    const invited = await em.findOne(Member, { id: userId, inviterId: { $ne: null }, closedAt: null });
    const mailbox = invited && (await em.findOne(Identity, { kind: 'email', userId }));
    if (!mailbox || invited.inviterId === null) return false;
    const invitation = { userId, inviterId: invited.inviterId };
    await this.invites.lock(em, invitation);
    if (await this.gifts.wasGiven(em, 'invite', mailbox.shown)) return false;
    if (!released && (await this.invites.isHeld(em, invitation))) return false;
    const gift = { gift: 'invite', userId, quota: { charNum: INVITE_REWARD_CHARS, voiceNum: 0, imageNum: 0 } } as const;
    if (!(await this.gifts.claim(em, gift, mailbox.shown))) return false;
    const movement = { type: 'INVITE_REWARD', charChange: INVITE_REWARD_CHARS } as const;
    await this.ledger.post(em, userId, movement, { cmdId: commandIdOf(`invite:${userId}`) });
    return true;
  }
}

/** An unknown code does not block registration (decisions §3). */
const inviterOf = (em: EntityManager, code: string | undefined): Promise<Member | null> => {
  const inviteCode = normalizeInviteCode(code ?? '');
  return isInviteCode(inviteCode) ? em.findOne(Member, { inviteCode, closedAt: null }) : Promise.resolve(null);
};

/** The id is needed before the insert, because a main account's family id is its own id. Raw: sequences are unknown to the ORM. */
export const nextId = async (em: EntityManager): Promise<number> => {
  const [row] = await em.execute<{ id: number }[]>("SELECT nextval(pg_get_serial_sequence('member', 'id')) AS id");
  return Number(row?.id);
};

/** The primary key decides between concurrent transactions; the loser waits for the winner and is then refused. */
export const claimName = async (
  em: EntityManager,
  name: { kind: IdentityKind; shown: string; userId: number; familyId: number },
): Promise<void> => {
  const { affectedRows } = await em
    .createQueryBuilder(Identity)
    .insert({ ...name, uniqueKey: uniqueKey(name.shown) })
    .onConflict(['kind', 'uniqueKey'])
    .ignore()
    .execute<QueryResult>('run');
  if (affectedRows === 0) throw taken([name.kind]);
};
