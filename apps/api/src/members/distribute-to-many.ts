import { EntityManager } from '@mikro-orm/postgresql';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { Answer } from '@yiqiao/contracts/endpoint';
import type { distributeToMany } from '@yiqiao/contracts/sub-accounts';
import { Refusal } from '@yiqiao/domain/errors';
import type { Entry, Quota } from '@yiqiao/domain/ledger';
import { distribution, shareOf, type ShareMode } from '@yiqiao/domain/movements';
import { type AccountView, Ledger, type Posting } from '../ledger/ledger.js';
import { commandIdOf } from '../platform/command-id.js';
import { Idempotency } from '../platform/idempotency.js';
import { RateLimits } from '../platform/rate-limits.js';
import { firstChannel, freeOf, usable, viewOf } from './distribute.js';
import { lockMain } from './lock-main.js';
import { type Several, SubAccounts } from './sub-accounts.js';

type Distributed = Answer<typeof distributeToMany>;

export class DistributeToMany extends Command<Distributed> {
  constructor(
    readonly mainId: number,
    readonly several: Several,
    readonly share: { mode: ShareMode; amount: Quota },
    readonly request: { route: string; idempotencyKey: string | undefined },
  ) {
    super();
  }
}

/** Gives several sub-accounts the same amount, or tops them up to it: all or nothing, each by its own pair of entries. */
@CommandHandler(DistributeToMany)
export class DistributeToManyHandler implements ICommandHandler<DistributeToMany> {
  constructor(
    private readonly em: EntityManager,
    private readonly ledger: Ledger,
    private readonly subAccounts: SubAccounts,
    private readonly idempotency: Idempotency,
    private readonly limits: RateLimits,
  ) {}

  async execute({ mainId, several, share, request }: DistributeToMany): Promise<Distributed> {
    await this.limits.take('distributionRate', `distribution:${mainId}`);
    if (Object.values(share.amount).every((n) => n === 0)) throw new Refusal('NOTHING_TO_CHANGE');
    const { route, idempotencyKey: key } = request;
    return this.idempotency.once({ userId: mainId, route, key, body: { several, share } }, (cmdId) =>
      this.em.fork().transactional(async (em) => {
        // Nobody joins or leaves the family until this is written.
        await lockMain(em, mainId);
        const childIds = await this.subAccounts.select(em, mainId, several);
        const idOf = (childId: number): string => commandIdOf(`share:${cmdId}:${childId}`);
        const rule = (accounts: readonly AccountView[]): Posting[] => {
          const shares = childIds
            .map((childId) => ({
              childId,
              change: shareOf(share.mode, share.amount, freeOf(viewOf(accounts, childId))),
            }))
            .filter(({ change }) => Object.values(change).some((n) => n > 0));
          if (shares.length === 0) throw new Refusal('NOTHING_TO_CHANGE');
          requireFreeForAll(
            freeOf(viewOf(accounts, mainId)),
            shares.map(({ change }) => change),
          );
          return shares.flatMap(({ childId, change }, at) => {
            const [main, child] = distribution({ mainId, childId }, change);
            const movement = { ...child.movement, ...firstChannel(accounts, { mainId, userId: childId }) };
            const pair = at === 0 ? cmdId : idOf(childId);
            return [
              { ...main, cmdId: pair },
              { ...child, movement, cmdId: pair },
            ];
          });
        };
        const command = { cmdId, otherIds: childIds.map(idOf) };
        const entries = await this.ledger.move(em, { userIds: [mainId, ...childIds] }, { rule, command });
        const { accounts } = await this.ledger.view(em, { userIds: [mainId] });
        return { ...receivedOf(entries, mainId), main: usable(accounts, mainId) };
      }),
    );
  }
}

/** Throws BATCH_QUOTA_NOT_ENOUGH with the first quantity of which the main account has too little. */
function requireFreeForAll(free: Quota, changes: readonly Quota[]): void {
  for (const quantity of ['charNum', 'voiceNum', 'imageNum'] as const) {
    const needed = changes.reduce((sum, change) => sum + change[quantity], 0);
    if (needed > 0 && needed > free[quantity])
      throw new Refusal('BATCH_QUOTA_NOT_ENOUGH', { data: { side: 'main', quantity, needed, free: free[quantity] } });
  }
}

function receivedOf(entries: readonly Entry[], mainId: number): Pick<Distributed, 'count' | 'moved'> {
  const received = entries.filter(({ userId }) => userId !== mainId);
  const sum = (of: (entry: Entry) => number): number => received.reduce((total, entry) => total + of(entry), 0);
  return {
    count: received.length,
    moved: {
      charNum: sum((entry) => entry.charChange),
      voiceNum: sum((entry) => entry.voiceChange),
      imageNum: sum((entry) => entry.imageChange),
    },
  };
}
