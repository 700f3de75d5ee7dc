import { EntityManager } from '@mikro-orm/postgresql';
import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import { CHANNELS, DEFAULT_CHANNEL } from '@yiqiao/domain/channels';
import { Refusal } from '@yiqiao/domain/errors';
import type { Answer } from '@yiqiao/contracts/endpoint';
import type { getUser } from '@yiqiao/contracts/user';
import { type Balance, Ledger, SpendingCaps } from '../ledger/ledger.js';
import { Clock } from '../platform/clock.js';
import { Plans } from '../plans/plans.js';
import { Identity } from './identity.entity.js';
import { Invitations } from './invitations.js';
import { LoginLogs } from './login-logs.js';
import { Member } from './member.entity.js';
import { remindersOf } from './reminders/reminder-settings.js';

type User = Answer<typeof getUser>;

export class GetUser extends Query<User> {
  constructor(readonly userId: number) {
    super();
  }
}

/** The signed-in member with the data of the overview (decisions §9). */
@QueryHandler(GetUser)
export class GetUserHandler implements IQueryHandler<GetUser> {
  constructor(
    private readonly em: EntityManager,
    private readonly plans: Plans,
    private readonly ledger: Ledger,
    private readonly caps: SpendingCaps,
    private readonly loginLogs: LoginLogs,
    private readonly invitations: Invitations,
    private readonly clock: Clock,
  ) {}

  async execute({ userId }: GetUser): Promise<User> {
    const em = this.em.fork();
    const member = await em.findOne(Member, { id: userId, closedAt: null });
    if (!member) throw new Refusal('SESSION_CLOSED');
    // Channel, expiry and member group of a sub-account are its main account's (decisions §3).
    const main = member.isMain() ? member : await em.findOneOrFail(Member, { id: member.familyId });
    const group = await this.plans.group(em, main.memberGroupId);
    // Before what it stands for: a change in between makes it too old, and the page reads once more.
    const accountVersion = (await this.ledger.fingerprintsOf([userId])).get(userId) ?? '';
    const balance = await this.ledger.balanceOf(userId);
    const names = await namesOf(em, userId);
    const lastLogin = await this.loginLogs.last(em, userId);
    return {
      userId,
      nickname: member.nickname ?? names.username,
      ...names,
      parentUserId: member.parentId,
      inviteCode: member.inviteCode,
      inviteCount: member.isMain() ? await this.invitations.count(em, userId) : 0,
      registerDateTime: this.clock.toWire(member.registeredAt),
      autoDistribution: member.autoDistribution ? 1 : 0,
      tranChannelId: balance.tranChannelId ?? CHANNELS[DEFAULT_CHANNEL].id,
      memberGroupId: group.id,
      // A sub-account always bills by character, whatever its main account's group says (decisions §3).
      memberGroup: { name: group.name, enName: group.enName, translationBillingMode: balance.billingMode },
      memberAccount: this.#quotaOf(balance),
      accountVersion,
      lastLoginLog: lastLogin && {
        loginDateTime: this.clock.toWire(lastLogin.loggedInAt),
        sumDay: lastLogin.sumDay,
      },
      createChildUser: member.isMain() && group.createChildUser,
      // A sub-account never leaves its main account's channel (decisions §4).
      channelFailover: member.isMain() && member.channelFailover ? 1 : 0,
      translationCache: member.translationCache ? 1 : 0,
      reminders: await remindersOf(em, { id: userId, isMain: member.isMain() }),
      enabled: member.enabled ? 1 : 0,
      caps: member.isMain() ? null : ((await this.caps.of([userId])).get(userId) ?? null),
    };
  }

  #quotaOf(balance: Balance): User['memberAccount'] {
    return { ...balance, expireDateTime: balance.expireAt && this.clock.toWire(balance.expireAt) };
  }
}

/** A sub-account has no address: its username serves as both (decisions §9). */
async function namesOf(em: EntityManager, userId: number): Promise<{ account: string; username: string }> {
  const identities = await em.find(Identity, { userId });
  const username = identities.find((i) => i.kind === 'username')?.shown ?? '';
  return { account: identities.find((i) => i.kind === 'email')?.shown ?? username, username };
}
