import type { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { CLIENT_TYPES, type ClientType } from '@yiqiao/domain/members';
import { Clock } from '../platform/clock.js';
import { readUserAgent } from '../platform/user-agent.js';
import { LoginLog } from './login-log.entity.js';

export type LoginFrom = { ip: string; clientType: ClientType; userAgent?: string };

/** Records when and from where members signed in. */
@Injectable()
export class LoginLogs {
  constructor(private readonly clock: Clock) {}

  /** Records a login. The caller's transaction holds the member's lock, so that two logins do not count one day twice. */
  async record(em: EntityManager, member: { id: number; familyId: number }, from: LoginFrom): Promise<void> {
    const last = await this.last(em, member.id);
    const now = this.clock.now();
    const { browser, system } = readUserAgent(from.userAgent ?? '');
    await em.insert(LoginLog, {
      userId: member.id,
      familyId: member.familyId,
      loginIp: from.ip,
      clientType: CLIENT_TYPES[from.clientType].code,
      browser,
      system,
      loggedInAt: now,
      sumDay: sumDay(last && { sumDay: last.sumDay, daysSinceLast: this.clock.daysBetween(last.loggedInAt, now) }),
    });
  }

  last(em: EntityManager, userId: number): Promise<LoginLog | null> {
    return em.findOne(LoginLog, { userId }, { orderBy: { loggedInAt: 'desc', id: 'desc' } });
  }
}

/**
 * Consecutive calendar days with a login, today included. `daysSinceLast` is the number of calendar days (APP_TIMEZONE)
 * since the last login, null before the first one; a clock set back counts as the same day (decisions §3).
 */
export function sumDay(last: { sumDay: number; daysSinceLast: number } | null): number {
  if (!last) return 1;
  if (last.daysSinceLast <= 0) return last.sumDay;
  return last.daysSinceLast === 1 ? last.sumDay + 1 : 1;
}
