import type { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { isSameTariff, purchased, type Purchase, type Tariff } from '@yiqiao/domain/conversion';
import { Refusal } from '@yiqiao/domain/errors';
import { post, type Entry } from '@yiqiao/domain/ledger';
import { type AccountView, Ledger, type Posting, type Rule } from '../ledger/ledger.js';
import { uuid7 } from '../platform/uuid7.js';
import { commandIdOf } from '../platform/command-id.js';
import { convertFamily, type FamilyQuota, quotaOf } from './convert-family.js';
import { lockMain } from './lock-main.js';
import { Member } from './member.entity.js';
import { priceIn, Tariffs } from './tariffs.js';

/**
 * A purchase for a main account: the snapshot of what is bought, who pays for it and under which command it is applied once.
 * `tranChannelId` null keeps the member's channel; `minutePrice` in micro-yuan; `amount` in fen, 0 when an operator gives it.
 */
export type Recharge = {
  userId: number;
  purchase: Purchase & { tranChannelId: number | null; minutePrice: number };
  amount: number;
  orderId: number | null;
  managerId: number | null;
  cmdId: string;
};

/** What moves a whole family from tariff to tariff. Everything in the caller's transaction, under the main account's lock. */
@Injectable()
export class FamilyConversions {
  constructor(
    private readonly ledger: Ledger,
    private readonly tariffs: Tariffs,
  ) {}

  /** Throws SAME_CHANNEL when the family is on this channel now; only `changeChannel` is proof against a race. */
  async requireOther(mainId: number, channelId: number): Promise<void> {
    const { tranChannelId } = await this.ledger.balanceOf(mainId);
    if (tranChannelId === channelId) throw new Refusal('SAME_CHANNEL');
  }

  /** MATRIX. Answers what everybody has then, and by which price. Throws SAME_CHANNEL, QUOTA_TOO_LARGE, NOT_FOUND. */
  async changeChannel(
    em: EntityManager,
    mainId: number,
    tranChannelId: number,
  ): Promise<{ quota: FamilyQuota; charPrice: number }> {
    await lockMain(em, mainId);
    const { accounts, from, prices } = await this.tariffs.of(em, mainId);
    if (from.tranChannelId === tranChannelId) throw new Refusal('SAME_CHANNEL');
    const charPrice = priceIn(prices, tranChannelId);
    const change = { type: 'MATRIX', from, to: { ...from, tranChannelId, charPrice } } as const;
    const family = { userIds: accounts.map(({ userId }) => userId) };
    const rule = (locked: readonly AccountView[], now: number): Posting[] => convertFamily(locked, change, now);
    await this.ledger.move(em, family, { rule, command: { cmdId: uuid7() } });
    const after = await this.ledger.view(em, family);
    return { quota: quotaOf(after.accounts), charPrice };
  }

  /**
   * A package of another channel or mode converts the family first (SYS_MATRIX); then come the recharge and the new member group
   * (decisions §4). A `cmdId` that was applied before changes nothing. Answers the recharge's entry. Throws NOT_FOUND.
   */
  async recharge(em: EntityManager, recharge: Recharge): Promise<Entry> {
    const { userId, purchase, cmdId } = recharge;
    await lockMain(em, userId);
    const { userIds, rule } = await this.#planned(em, recharge);
    let applied = false;
    const applying = (locked: readonly AccountView[], now: number): Posting[] => {
      applied = true;
      return rule(locked, now);
    };
    const entries = await this.ledger.move(em, { userIds }, { rule: applying, command: { cmdId } });
    const entry = entries.find((written) => written.cmdId === cmdId);
    if (!entry) throw new Error('a recharge left no entry');
    // A repetition must not take the member back from a group joined since.
    if (applied) await em.nativeUpdate(Member, { id: userId }, { memberGroupId: purchase.memberGroupId });
    return entry;
  }

  /** Throws QUOTA_TOO_LARGE when the family could not hold, as it stands, what the recharge would make of it. Changes and locks nothing. */
  async requireRoom(em: EntityManager, recharge: Recharge): Promise<void> {
    const { userIds, rule } = await this.#planned(em, recharge);
    const { accounts, now } = await this.ledger.view(em, { userIds });
    const states = new Map(accounts.map(({ userId, familyId, state }) => [userId, { familyId, state: { ...state } }]));
    for (const { userId, movement, cmdId = recharge.cmdId } of rule(accounts, now)) {
      const account = states.get(userId);
      if (account)
        post(account.state, movement, { userId, familyId: account.familyId, typeSeq: 1, cmdId, createdAt: now });
    }
  }

  /** Which accounts a recharge moves, and how. */
  async #planned(em: EntityManager, recharge: Recharge): Promise<{ userIds: number[]; rule: Rule }> {
    const { userId, purchase, cmdId } = recharge;
    const { accounts, from, prices } = await this.tariffs.of(em, userId);
    const tranChannelId = purchase.tranChannelId ?? from.tranChannelId;
    const { billingMode, minutePrice, referencePrice } = purchase;
    const charPrice = priceIn(prices, tranChannelId);
    const to: Tariff = { billingMode, tranChannelId, charPrice, minutePrice, referencePrice };
    // Sub-accounts are touched by another channel alone.
    const userIds = from.tranChannelId === tranChannelId ? [userId] : accounts.map((account) => account.userId);
    const rule: Rule = (locked, now) => {
      const matrixId = commandIdOf(`matrix:${cmdId}`);
      const conversion = isSameTariff(from, to) ? [] : convertFamily(locked, { type: 'SYS_MATRIX', from, to }, now);
      const expireAt = expiryAfter(conversion, locked, userId);
      const refs = {
        ...{ orderId: recharge.orderId, managerId: recharge.managerId, memberGroupId: purchase.memberGroupId },
        ...{ rechargeTranChannelId: tranChannelId, rechargeBillingMode: billingMode },
      };
      const movement = {
        type: 'RECHARGE_ORDER_BY_MEMBER_GROUP',
        ...purchased(purchase, { expireAt, charPrice }, now),
        amount: recharge.amount,
        refs,
      } as const;
      return [...conversion.map((posting) => ({ ...posting, cmdId: matrixId })), { userId, movement }];
    };
    return { userIds, rule };
  }
}

/** When the main account expires once it is converted. */
function expiryAfter(conversion: Posting[], accounts: readonly AccountView[], mainId: number): number | null {
  const converted = conversion.find(({ userId }) => userId === mainId)?.movement.expireAt;
  if (converted !== undefined) return converted;
  return accounts.find(({ userId }) => userId === mainId)?.state.expireAt ?? null;
}
