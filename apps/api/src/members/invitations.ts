import { randomInt } from 'node:crypto';
import type { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { ENTRY_TYPES } from '@yiqiao/domain/ledger';
import { DAY_MS, INVITES_PER_DAY } from '@yiqiao/domain/limits';
import { Clock } from '../platform/clock.js';
import { lockKey } from '../platform/database.js';
import { InviteHold } from './invite-hold.entity.js';

/** An invited member and its inviter. */
type Invitation = { userId: number; inviterId: number };

/** Counts rewarded invitations and holds excess rewards for an operator (docs/decisions/0041). */
@Injectable()
export class Invitations {
  constructor(private readonly clock: Clock) {}

  /** Rewarded invitations of this member, deleted accounts included; `since`: only the rewards after this moment. */
  async count(em: EntityManager, inviterId: number, since = new Date(0)): Promise<number> {
    const [row] = await em.execute<{ count: number }[]>(REWARDED, [inviterId, since]);
    return Number(row?.count);
  }

  /** Serialises the rewards of one inviter until the end of the caller's transaction. */
  lock(em: EntityManager, { inviterId }: Invitation): Promise<void> {
    return lockKey(em, `invite:${inviterId}`);
  }

  /** Whether the reward of this member is held for an operator; permanent once true, also when refused. Under the lock. */
  async isHeld(em: EntityManager, { userId, inviterId }: Invitation): Promise<boolean> {
    if ((await em.count(InviteHold, { userId })) > 0) return true;
    const now = this.clock.now();
    const recent = await this.count(em, inviterId, new Date(now.getTime() - DAY_MS));
    if (recent < INVITES_PER_DAY) return false;
    await em.insert(InviteHold, { userId, inviterId, heldAt: now });
    return true;
  }
}

// Raw: a report over the ledger.
const REWARDED = `
SELECT count(*) AS count
FROM member m JOIN account_log e ON e.user_id = m.id AND e.log_type = ${ENTRY_TYPES.INVITE_REWARD.code}
WHERE m.inviter_id = ? AND e.created_at > ?`;

// Without 0 O 1 I L: people read invite codes to each other.
const CODE_ALPHABET = 'ABCDEFGHJKMNPQRSTUVWXYZ23456789';
const CODE_LENGTH = 10;

export const newInviteCode = (): string =>
  Array.from({ length: CODE_LENGTH }, () => CODE_ALPHABET[randomInt(CODE_ALPHABET.length)]).join('');

/** Normalises a typed or copied code for the lookup. */
export const normalizeInviteCode = (code: string): string => code.trim().toUpperCase();

/** Whether a normalised text has the form of a code. */
export const isInviteCode = (text: string): boolean =>
  text.length === CODE_LENGTH && [...text].every((letter) => CODE_ALPHABET.includes(letter));
