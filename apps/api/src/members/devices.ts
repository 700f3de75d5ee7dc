import { isIPv4 } from 'node:net';
import { EntityManager, raw } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { type ClientType } from '@yiqiao/domain/members';
import { Clock } from '../platform/clock.js';
import { networkOf } from '../platform/rate-limits.js';
import { readUserAgent } from '../platform/user-agent.js';
import { Vault } from '../platform/vault.js';
import { AccountMails } from './account-mails.js';
import { MemberDevice } from './device.entity.js';
import type { Member } from './member.entity.js';

export type SignIn = { ip: string; clientType: ClientType; userAgent: string };

/**
 * The devices of main accounts, whose owners are mailed when a new one signs in. A device is a browser family, its system and the network
 * of its address: apps and API clients, which keep no cookies, are known again as well (docs/decisions/0047).
 */
@Injectable()
export class Devices {
  constructor(
    private readonly vault: Vault,
    private readonly clock: Clock,
    private readonly mails: AccountMails,
  ) {}

  /** Records the device of a sign-in. The first of a member is not announced. The caller's transaction holds the member's lock. */
  async record(em: EntityManager, member: Member, from: SignIn): Promise<void> {
    if (!member.isMain()) return;
    const { browser, system, family } = readUserAgent(from.userAgent);
    const userId = member.id;
    const lastSeenAt = this.clock.now();
    const described = [family, from.clientType, deviceNetwork(from.ip)].join('|');
    const digest = this.vault.hmac('device', `${userId}:${described}`);
    if ((await em.nativeUpdate(MemberDevice, { userId, digest }, { lastSeenAt })) > 0) return;
    const isFirst = (await em.count(MemberDevice, { userId })) === 0;
    await em.insert(MemberDevice, { userId, digest, familyId: member.familyId, lastSeenAt });
    if (!isFirst) await this.mails.newDevice(em, member, { browser, system, ...from });
  }
}

/** The /24 of an IPv4 address, which most providers keep for one customer longer than the address; the /64 of an IPv6 address. */
const deviceNetwork = (ip: string): string => (isIPv4(ip) ? ip.slice(0, ip.lastIndexOf('.')) : networkOf(ip));

/** Forgets devices that were not used for a year. A scheduled job runs it. */
export class PruneDevices extends Command<void> {}

@CommandHandler(PruneDevices)
export class PruneDevicesHandler implements ICommandHandler<PruneDevices> {
  constructor(private readonly em: EntityManager) {}

  async execute(): Promise<void> {
    await this.em.fork().nativeDelete(MemberDevice, { lastSeenAt: { $lt: raw(`now() - interval '1 year'`) } });
  }
}
