import { EntityManager } from '@mikro-orm/postgresql';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { Answer } from '@yiqiao/contracts/endpoint';
import type { distributeAll } from '@yiqiao/contracts/sub-accounts';
import { Refusal } from '@yiqiao/domain/errors';
import type { Quota } from '@yiqiao/domain/ledger';
import { distribution } from '@yiqiao/domain/movements';
import { type AccountView, Ledger, type Posting } from '../ledger/ledger.js';
import { Idempotency } from '../platform/idempotency.js';
import { RateLimits } from '../platform/rate-limits.js';
import { type ChildOf, SubAccounts } from './sub-accounts.js';

type BothSides = Answer<typeof distributeAll>;

/**
 * The sub-account's signed change: positive is given by its main account, negative taken back. `takeBackAll`: the quantities that are taken
 * back to the last unit that is free.
 */
export class Distribute extends Command<BothSides> {
  constructor(
    readonly child: ChildOf,
    readonly change: Quota,
    readonly request: { route: string; idempotencyKey: string | undefined },
    readonly takeBackAll: readonly (keyof Quota)[] = [],
  ) {
    super();
  }
}

/** Moves quota between a main account and a sub-account; neither side below its free balance (decisions §4). */
@CommandHandler(Distribute)
export class DistributeHandler implements ICommandHandler<Distribute> {
  constructor(
    private readonly em: EntityManager,
    private readonly ledger: Ledger,
    private readonly subAccounts: SubAccounts,
    private readonly idempotency: Idempotency,
    private readonly limits: RateLimits,
  ) {}

  async execute({ child, change, takeBackAll, request }: Distribute): Promise<BothSides> {
    const { mainId, userId: childId } = child;
    await this.limits.take('distributionRate', `distribution:${mainId}`);
    if (isNothing(change) && takeBackAll.length === 0) throw new Refusal('NOTHING_TO_CHANGE');
    const { route, idempotencyKey: key } = request;
    const body = { childId, ...change, ...(takeBackAll.length > 0 && { takeBackAll }) };
    return this.idempotency.once({ userId: mainId, route, key, body }, (cmdId) =>
      this.em.fork().transactional(async (em) => {
        // A concurrent deletion waits and then returns this quota with the rest.
        await this.subAccounts.hold(em, child);
        const both = { userIds: [mainId, childId] };
        const rule = (accounts: readonly AccountView[]): Posting[] => {
          const free = freeOf(viewOf(accounts, childId));
          const all = Object.fromEntries(takeBackAll.map((quantity) => [quantity, 0 - free[quantity]]));
          const moved = { ...change, ...all };
          if (isNothing(moved)) throw new Refusal('NOTHING_TO_CHANGE');
          const [main, sub] = distribution({ mainId, childId }, moved);
          requireFree(viewOf(accounts, mainId), main.movement, 'main');
          requireFree(viewOf(accounts, childId), sub.movement, 'child');
          return [main, { ...sub, movement: { ...sub.movement, ...firstChannel(accounts, child) } }];
        };
        await this.ledger.move(em, both, { rule, command: { cmdId } });
        const { accounts } = await this.ledger.view(em, both);
        return { main: usable(accounts, mainId), child: usable(accounts, childId) };
      }),
    );
  }
}

const isNothing = (change: Quota): boolean => Object.values(change).every((n) => n === 0);

/** What translations in progress have not reserved. */
export const freeOf = ({ state, held }: AccountView): Quota => ({
  charNum: state.charNum - held.charNum,
  voiceNum: state.voiceNum - held.voiceNum,
  imageNum: state.imageNum - held.imageNum,
});

export const viewOf = (accounts: readonly AccountView[], userId: number): AccountView => {
  const found = accounts.find((account) => account.userId === userId);
  if (!found) throw new Refusal('NOT_FOUND');
  return found;
};

/** The first distribution records the channel of a sub-account, so that its log can show later changes. */
export function firstChannel(
  accounts: readonly AccountView[],
  { mainId, userId }: ChildOf,
): { tranChannelId?: number | null } {
  if (viewOf(accounts, userId).state.tranChannelId !== null) return {};
  return { tranChannelId: viewOf(accounts, mainId).state.tranChannelId };
}

/** Throws QUOTA_NOT_ENOUGH with the side that lacks quota. Quota held by translations in progress is not free. */
function requireFree({ state, held }: AccountView, movement: Posting['movement'], side: 'main' | 'child'): void {
  const { charChange = 0, voiceChange = 0, imageChange = 0 } = movement;
  // A balance that does not decrease cannot become insufficient.
  const lacks = (has: number, reserved: number, change: number): boolean => change < 0 && has - reserved + change < 0;
  if (
    lacks(state.charNum, held.charNum, charChange) ||
    lacks(state.voiceNum, held.voiceNum, voiceChange) ||
    lacks(state.imageNum, held.imageNum, imageChange)
  )
    throw new Refusal('QUOTA_NOT_ENOUGH', { data: { side } });
}

export const usable = (accounts: readonly AccountView[], userId: number): BothSides['main'] => {
  const { charNum, voiceNum, imageNum } = freeOf(viewOf(accounts, userId));
  return { usableCharNum: charNum, usableVoiceNum: voiceNum, usableImageNum: imageNum };
};
