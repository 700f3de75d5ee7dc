import type { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { isSameTariff, purchased, type Purchase, type Tariff } from '@yiqiao/domain/conversion';
import { Refusal } from '@yiqiao/domain/errors';
import type { Entry } from '@yiqiao/domain/ledger';
import { type AccountView, Ledger, type Posting, type Rule } from '../ledger/ledger.js';
import { uuid7 } from '../platform/uuid7.js';
import { commandIdOf } from '../platform/command-id.js';
import { convertFamily, type FamilyQuota, type Holdings, holdingsOf, posted, quotaOf } from './convert-family.js';
import { lockMain } from './lock-main.js';
import { Member } from './member.entity.js';
import { priceIn, ConversionPrices, type FamilyPrices } from './conversion-prices.js';

/**
 * A purchase for a main account: the snapshot of the package, who pays for it, and the command id under which it is applied once.
 * `tranChannelId` null keeps the member's channel; `minutePrice` in micro-yuan; `amount` in fen, 0 when an operator grants it.
 */
export type Recharge = {
  userId: number;
  purchase: Purchase & { tranChannelId: number | null; minutePrice: number };
  amount: number;
  orderId: number | null;
  managerId: number | null;
  cmdId: string;
};

/** Converts a whole family from one tariff to another, in the caller's transaction, under the main account's lock. */
@Injectable()
export class FamilyConversions {
  constructor(
    private readonly ledger: Ledger,
    private readonly prices: ConversionPrices,
  ) {}

  /** Throws SAME_CHANNEL when the family is on this channel now; only `changeChannel` is safe against races. */
  async requireOther(mainId: number, channelId: number): Promise<void> {
    const { tranChannelId } = await this.ledger.balanceOf(mainId);
    if (tranChannelId === channelId) throw new Refusal('SAME_CHANNEL');
  }

  /** MATRIX. Returns the family's quota afterwards, and the price. Throws SAME_CHANNEL, QUOTA_TOO_LARGE, NOT_FOUND. */
  async changeChannel(
    em: EntityManager,
    mainId: number,
    tranChannelId: number,
  ): Promise<{ quota: FamilyQuota; charPrice: number }> {
    await lockMain(em, mainId);
    const { accounts, from, prices } = await this.prices.of(em, mainId);
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
   * (decisions §4). A `cmdId` that was applied before changes nothing. Returns the recharge's entry. Throws NOT_FOUND.
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
    // A repeated command must not undo a later change of group.
    if (applied) await em.nativeUpdate(Member, { id: userId }, { memberGroupId: purchase.memberGroupId });
    return entry;
  }

  /**
   * What the main account holds before and after the recharge. Throws QUOTA_TOO_LARGE when the recharge would exceed the limits of the
   * family's accounts, LEDGER_READ_ONLY while nothing could be credited, NOT_FOUND. Changes and locks nothing.
   */
  async preview(em: EntityManager, recharge: Recharge): Promise<{ before: Holdings; after: Holdings }> {
    const { accounts, from, now, rule } = await this.#planned(em, recharge);
    if (accounts.some(({ readOnly }) => readOnly)) throw new Refusal('LEDGER_READ_ONLY');
    const after = posted(accounts, rule(accounts, now), { cmdId: recharge.cmdId, now });
    return { before: holdingsOf(accounts, from), after: holdingsOf(after, from) };
  }

  /** The family before a recharge, the accounts that it moves, and the rule for their postings. */
  async #planned(
    em: EntityManager,
    recharge: Recharge,
  ): Promise<Omit<FamilyPrices, 'prices'> & { userIds: number[]; rule: Rule }> {
    const { userId, purchase, cmdId } = recharge;
    const { accounts, from, prices, now: at } = await this.prices.of(em, userId);
    const tranChannelId = purchase.tranChannelId ?? from.tranChannelId;
    const { billingMode, minutePrice, referencePrice } = purchase;
    const charPrice = priceIn(prices, tranChannelId);
    const to: Tariff = { billingMode, tranChannelId, charPrice, minutePrice, referencePrice };
    // Sub-accounts change only with the channel.
    const userIds = from.tranChannelId === tranChannelId ? [userId] : accounts.map((account) => account.userId);
    const rule: Rule = (locked, now) => {
      const matrixId = commandIdOf(`matrix:${cmdId}`);
      const conversion = isSameTariff(from, to) ? [] : convertFamily(locked, { type: 'SYS_MATRIX', from, to }, now);
      const expireAt = expiryAfter(conversion, locked, userId);
      const refs = {
        orderId: recharge.orderId,
        managerId: recharge.managerId,
        memberGroupId: purchase.memberGroupId,
        rechargeTranChannelId: tranChannelId,
        rechargeBillingMode: billingMode,
      };
      const movement = {
        type: 'RECHARGE_ORDER_BY_MEMBER_GROUP',
        ...purchased(purchase, { expireAt, charPrice }, now),
        amount: recharge.amount,
        refs,
      } as const;
      return [...conversion.map((posting) => ({ ...posting, cmdId: matrixId })), { userId, movement }];
    };
    return { accounts, from, now: at, userIds, rule };
  }
}

/** The main account's expiry after the conversion. */
function expiryAfter(conversion: Posting[], accounts: readonly AccountView[], mainId: number): number | null {
  const converted = conversion.find(({ userId }) => userId === mainId)?.movement.expireAt;
  if (converted !== undefined) return converted;
  return accounts.find(({ userId }) => userId === mainId)?.state.expireAt ?? null;
}
