import type { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { Ledger } from '../ledger/ledger.js';
import { Clock } from '../platform/clock.js';
import { claimName, nextId } from './main-accounts.js';
import { Member } from './member.entity.js';

export type NewSubAccount = { username: string; nickname: string; passwordHash: string };

/** Adds members to a family. A sub-account has a balance of its own; group, channel and expiry are its main account's (decisions §3). */
@Injectable()
export class SubAccounts {
  constructor(
    private readonly ledger: Ledger,
    private readonly clock: Clock,
  ) {}

  /** Answers the new id; everything in the transaction of `em`. Throws USERNAME_TAKEN. */
  async create(em: EntityManager, main: Member, account: NewSubAccount): Promise<number> {
    const id = await nextId(em);
    await em.insert(Member, {
      id,
      familyId: main.id,
      parentId: main.id,
      nickname: account.nickname,
      passwordHash: account.passwordHash,
      memberGroupId: main.memberGroupId,
      autoDistribution: main.autoDistribution,
      enabled: true,
      registeredAt: this.clock.now(),
    });
    await claimName(em, { kind: 'username', shown: account.username, userId: id, familyId: main.id });
    await this.ledger.open(em, { userId: id, familyId: main.id });
    return id;
  }
}
