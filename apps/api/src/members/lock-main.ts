import { type EntityManager, LockMode } from '@mikro-orm/postgresql';
import { Refusal } from '@yiqiao/domain/errors';
import { Member } from './member.entity.js';

/**
 * The main account, locked until the caller's transaction ends. Every change to the members of a family or to its tariff takes this lock
 * first and the ledger's account locks afterwards. Throws NOT_FOUND after log-off and for a sub-account.
 */
export async function lockMain(em: EntityManager, mainId: number): Promise<Member> {
  const main = await em.findOne(
    Member,
    { id: mainId, parentId: null, closedAt: null },
    { lockMode: LockMode.PESSIMISTIC_WRITE, refresh: true },
  );
  if (!main) throw new Refusal('NOT_FOUND');
  return main;
}
