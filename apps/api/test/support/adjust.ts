import { EntityManager } from '@mikro-orm/postgresql';
import { Ledger } from '../../src/ledger/ledger.js';
import { uuid7 } from '../../src/platform/uuid7.js';
import type { TestApi } from './api.js';
import { giveReason } from './operator.js';
import type { TestMember } from './test-members.js';

type Change = { charChange?: number; voiceChange?: number; expireAt?: number };

/** An adjustment with its operator and reason, so that the final audit accepts it. `expireAt`: milliseconds since 1970. */
export async function adjust(api: TestApi, { session: { userId } }: TestMember, change: Change): Promise<void> {
  const cmdId = uuid7();
  const refs = { managerId: await giveReason(api.db, { cmdId, userId }) };
  const ledger = api.app.get(Ledger, { strict: false });
  const em = api.app.get(EntityManager).fork();
  await em.transactional((inside) => ledger.post(inside, userId, { type: 'SYS_ADJUST', ...change, refs }, { cmdId }));
}
