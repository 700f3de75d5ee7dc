import type { EntityManager } from '@mikro-orm/postgresql';
import type { Entry, Movement } from '@yiqiao/domain/ledger';

/** A movement of one account. */
export type Posting = { userId: number; movement: Movement };

export declare function openAccount(em: EntityManager, account: { userId: number; familyId: number }): Promise<void>;
export declare function postMovements(
  em: EntityManager,
  postings: Posting[],
  command: { cmdId: string },
): Promise<Entry[]>;
