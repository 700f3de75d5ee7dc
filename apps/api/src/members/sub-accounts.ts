import { type EntityManager, LockMode, raw } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { Refusal } from '@yiqiao/domain/errors';
import { CHILDREN_OF_FILTER } from '@yiqiao/domain/limits';
import { type Caps, Ledger, SpendingCaps } from '../ledger/ledger.js';
import { Clock } from '../platform/clock.js';
import { Sessions } from '../sessions/sessions.js';
import { claimName, nextId } from './main-accounts.js';
import { findByName } from './find-by-name.js';
import { Member } from './member.entity.js';

export type NewSubAccount = {
  username: string;
  nickname: string;
  passwordHash: string;
  enabled?: 0 | 1;
  caps?: Caps | undefined;
};

export type ChildChange = { nickname?: string; enabled?: 0 | 1; caps?: Caps | undefined };

/** A sub-account and its main account: every change names both, so that other families' accounts are out of reach. */
export type ChildOf = { mainId: number; userId: number };

/** Some sub-accounts of a family: those with these ids, or all whose name or nickname contains `account`. */
export type Several = { childrenIds?: readonly number[] | undefined; account?: string | undefined };

/** Sub-accounts have their own balance; group, channel and expiry are their main account's (decisions §3). */
@Injectable()
export class SubAccounts {
  constructor(
    private readonly ledger: Ledger,
    private readonly spendingCaps: SpendingCaps,
    private readonly sessions: Sessions,
    private readonly clock: Clock,
  ) {}

  /** Returns the new id; everything in the transaction of `em`, which holds the lock of `main`. Throws USERNAME_TAKEN. */
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
      channelFailover: false,
      translationCache: false,
      enabled: account.enabled !== 0,
      registeredAt: this.clock.now(),
    });
    await claimName(em, { kind: 'username', shown: account.username, userId: id, familyId: main.id });
    await this.ledger.open(em, { userId: id, familyId: main.id });
    if (account.caps) await this.spendingCaps.set(em, { userId: id, familyId: main.id }, account.caps);
    return id;
  }

  /** Applies changes of the main account. Disabling signs the sub-account out at once. Throws NOT_FOUND. */
  async edit(em: EntityManager, child: ChildOf, change: ChildChange): Promise<void> {
    const { nickname, enabled, caps } = change;
    // Without a change this still locks the row.
    const columns = {
      nickname: nickname ?? raw<string>('nickname'),
      enabled: enabled === undefined ? raw<boolean>('enabled') : enabled === 1,
    };
    const changed = await em.nativeUpdate(
      Member,
      { id: child.userId, parentId: child.mainId, closedAt: null },
      columns,
    );
    if (changed === 0) throw new Refusal('NOT_FOUND');
    if (caps) await this.spendingCaps.set(em, { userId: child.userId, familyId: child.mainId }, caps);
    // After the update, which waited for sign-ins in progress: their sessions end here, too.
    if (enabled === 0) await this.sessions.endAll(em, [child.userId], 'disabled');
    if (enabled === 1) await this.sessions.clearDisabled(em, [child.userId]);
  }

  /** Blocks the deletion of the sub-account until the caller's transaction ends. Throws NOT_FOUND. */
  async hold(em: EntityManager, { mainId, userId }: ChildOf): Promise<void> {
    const found = await em.findOne(
      Member,
      { id: userId, parentId: mainId, closedAt: null },
      { fields: ['id'], lockMode: LockMode.PESSIMISTIC_READ, disableIdentityMap: true },
    );
    if (!found) throw new Refusal('NOT_FOUND');
  }

  /** The open sub-accounts of `mainId`, ascending; stable in a transaction that holds the main account's lock. */
  async idsOf(em: EntityManager, mainId: number): Promise<number[]> {
    const rows = await em
      .createQueryBuilder(Member)
      .select('id')
      .where({ familyId: mainId, parentId: mainId, closedAt: null })
      .orderBy({ id: 'asc' })
      .execute<{ id: number }[]>();
    return rows.map((row) => Number(row.id));
  }

  /**
   * The ids of `several`, ascending; stable in a transaction that holds the main account's lock. Throws NOT_FOUND with the ids that are no
   * sub-accounts of `mainId`, or TOO_MANY_SUB_ACCOUNTS.
   */
  async select(em: EntityManager, mainId: number, { childrenIds, account = '' }: Several): Promise<number[]> {
    if (childrenIds === undefined) {
      const { ids, total } = await findByName(em, { mainId, text: account, limit: CHILDREN_OF_FILTER, offset: 0 });
      if (total > CHILDREN_OF_FILTER)
        throw new Refusal('TOO_MANY_SUB_ACCOUNTS', { data: { most: CHILDREN_OF_FILTER, count: total } });
      if (total === 0) throw new Refusal('NOT_FOUND');
      return ids.sort((a, b) => a - b);
    }
    const wanted = [...new Set(childrenIds)].sort((a, b) => a - b);
    const rows = await em
      .createQueryBuilder(Member)
      .select('id')
      .where({ id: { $in: wanted }, familyId: mainId, parentId: mainId, closedAt: null })
      .execute<{ id: number }[]>();
    const found = new Set(rows.map((row) => Number(row.id)));
    const missing = wanted.filter((userId) => !found.has(userId));
    if (missing.length > 0) throw new Refusal('NOT_FOUND', { data: { userIds: missing } });
    return wanted;
  }

  /** Enables or disables these sub-accounts, which the caller has locked. Returns how many were not so before. */
  async setEnabled(em: EntityManager, userIds: readonly number[], enabled: 0 | 1): Promise<number> {
    const others = { id: { $in: [...userIds] }, enabled: enabled === 0 };
    const changed = await em.nativeUpdate(Member, others, { enabled: enabled === 1 });
    if (enabled === 0) await this.sessions.endAll(em, userIds, 'disabled');
    else await this.sessions.clearDisabled(em, userIds);
    return changed;
  }

  /** The same, or those of `among`, each locked, which waits for operations in progress on them, like a distribution (`hold`). */
  async lockedIdsOf(em: EntityManager, mainId: number, among?: readonly number[]): Promise<number[]> {
    // Raw: the ORM has no FOR NO KEY UPDATE, which lets rows that refer to the member be inserted.
    const rows = await em.execute<{ id: number }[]>(
      `SELECT id FROM member WHERE family_id = ? AND parent_id = ? AND closed_at IS NULL
       ${among ? 'AND id = ANY (?::bigint[])' : ''} ORDER BY id FOR NO KEY UPDATE`,
      [mainId, mainId, ...(among ? [`{${among.join(',')}}`] : [])],
    );
    return rows.map((row) => Number(row.id));
  }
}
