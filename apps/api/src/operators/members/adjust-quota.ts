import { EntityManager } from '@mikro-orm/postgresql';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { Refusal } from '@yiqiao/domain/errors';
import type { Entry, Movement } from '@yiqiao/domain/ledger';
import { DAY_MS, MINUTE_MS } from '@yiqiao/domain/limits';
import { type AccountView, Ledger, type Posting } from '../../ledger/ledger.js';
import { type ChangeBy, MemberChange, type QuotaChange } from './member-change.js';

/** What is given, or taken when negative. */
export type Adjustment = { charNum: number; voiceNum: number; imageNum: number; days: number };

/**
 * Gives or takes quota and days (SYS_ADJUST), never below zero, once per command id. Throws NOT_FOUND, QUOTA_NOT_ENOUGH, QUOTA_TOO_LARGE,
 * EXPIRY_OF_MAIN for days of a sub-account, IDEMPOTENCY_KEY_REUSED.
 */
export class AdjustQuota extends Command<QuotaChange> {
  constructor(
    readonly userId: number,
    readonly adjustment: Adjustment,
    readonly by: ChangeBy,
  ) {
    super();
  }
}

@CommandHandler(AdjustQuota)
export class AdjustQuotaHandler implements ICommandHandler<AdjustQuota> {
  constructor(
    private readonly em: EntityManager,
    private readonly ledger: Ledger,
    private readonly change: MemberChange,
  ) {}

  execute({ userId, adjustment, by }: AdjustQuota): Promise<QuotaChange> {
    return this.em.fork().transactional((em) => this.apply(em, userId, adjustment, by));
  }

  /** The same in the transaction of `em`. */
  apply(em: EntityManager, userId: number, adjustment: Adjustment, by: ChangeBy): Promise<QuotaChange> {
    return this.change.apply(em, { userId, action: 'quota.adjust', by }, async (member, { managerId }) => {
      if (adjustment.days !== 0 && !member.isMain()) throw new Refusal('EXPIRY_OF_MAIN');
      const rule = ([account]: readonly AccountView[], now: number): Posting[] =>
        account ? [{ userId, movement: { ...movementOf(adjustment, account, now), refs: { managerId } } }] : [];
      const [entry] = await this.ledger.move(em, { userIds: [userId] }, { rule, command: { cmdId: by.cmdId } });
      if (!entry || !isSame(entry, adjustment)) throw new Refusal('IDEMPOTENCY_KEY_REUSED');
    });
  }
}

const DAY_MINUTES = DAY_MS / MINUTE_MS;

/** Added days count from now when the account has expired, as with a recharge; taken days count from its expiry. */
function movementOf(
  { charNum, voiceNum, imageNum, days }: Adjustment,
  { state }: AccountView,
  now: number,
): Omit<Movement, 'refs'> {
  const quota = { charChange: charNum, voiceChange: voiceNum, imageChange: imageNum };
  if (days === 0) return { type: 'SYS_ADJUST', ...quota };
  const expireAt = state.expireAt ?? now;
  const from = days > 0 ? Math.max(now, expireAt) : expireAt;
  return { type: 'SYS_ADJUST', ...quota, minChange: days * DAY_MINUTES, expireAt: Math.max(1, from + days * DAY_MS) };
}

const isSame = (entry: Entry, { charNum, voiceNum, imageNum, days }: Adjustment): boolean =>
  entry.charChange === charNum &&
  entry.voiceChange === voiceNum &&
  entry.imageChange === imageNum &&
  entry.minChange === days * DAY_MINUTES;
