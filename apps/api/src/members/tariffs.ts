import type { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { CHANNELS, DEFAULT_CHANNEL } from '@yiqiao/domain/channels';
import { minuteValue, type Tariff } from '@yiqiao/domain/conversion';
import { ENTRY_TYPES } from '@yiqiao/domain/ledger';
import { type AccountView, Ledger } from '../ledger/ledger.js';
import { Plans } from '../plans/plans.js';
import { Member } from './member.entity.js';
import { SubAccounts } from './sub-accounts.js';

/** A family with the tariff it is on, at one moment (`now`: ms of the database's clock). */
export type FamilyTariff = { accounts: AccountView[]; from: Tariff; prices: Map<number, number>; now: number };

/** By which prices a family pays: its channel's, and in time mode its package's (decisions §4). */
@Injectable()
export class Tariffs {
  constructor(
    private readonly plans: Plans,
    private readonly ledger: Ledger,
    private readonly subAccounts: SubAccounts,
  ) {}

  /**
   * The living accounts of the family and its tariff. A tariff changes only under the lock of the main account's row: whoever holds
   * that lock may rely on it until the end of the transaction.
   */
  async of(em: EntityManager, mainId: number): Promise<FamilyTariff> {
    const userIds = [mainId, ...(await this.subAccounts.idsOf(em, mainId))];
    const { accounts, now } = await this.ledger.view(em, { userIds });
    const main = accounts.find(({ userId }) => userId === mainId);
    if (!main) throw new Error(`member ${mainId} has no account`);
    const prices = await this.plans.channelPrices(em);
    const { billingMode } = main.state;
    const tranChannelId = main.state.tranChannelId ?? CHANNELS[DEFAULT_CHANNEL].id;
    const charPrice = priceIn(prices, tranChannelId);
    const minutePrice = billingMode === 'time' ? await this.#minutePrice(em, { mainId, charPrice, prices }) : 1;
    return { accounts, from: { billingMode, tranChannelId, charPrice, minutePrice }, prices, now };
  }

  /** docs/decisions/0009: read from the packages that were bought since the account entered time mode. */
  async #minutePrice(
    em: EntityManager,
    { mainId, charPrice, prices }: { mainId: number; charPrice: number; prices: Map<number, number> },
  ): Promise<number> {
    const rows = await em.execute<{ minute_price: number; channel: number }[]>(BOUGHT, [mainId, mainId]);
    const bought = rows.map(({ minute_price: minutePrice, channel }) => ({
      minutePrice,
      charPrice: priceIn(prices, channel),
    }));
    if (bought.length > 0) return minuteValue(bought, charPrice);
    const { memberGroupId } = await em.findOneOrFail(Member, { id: mainId });
    return (await this.plans.group(em, memberGroupId)).minutePrice;
  }
}

/** Channels are never deleted, so an id without a price is a bug. */
export function priceIn(prices: Map<number, number>, tranChannelId: number): number {
  const price = prices.get(tranChannelId);
  if (price === undefined) throw new Error(`channel ${tranChannelId} has no price`);
  return price;
}

const [CHAR, TIME] = [1, 2];

const BOUGHT = `
SELECT DISTINCT g.minute_price, e.last_tran_channel_id AS channel
FROM account_log e JOIN member_group g ON g.id = e.member_group_id
WHERE e.user_id = ? AND e.log_type = ${ENTRY_TYPES.RECHARGE_ORDER_BY_MEMBER_GROUP.code} AND e.recharge_billing_mode = ${TIME}
  AND e.seq > coalesce((
    SELECT max(seq) FROM account_log
    WHERE user_id = ? AND log_type = ${ENTRY_TYPES.SYS_MATRIX.code} AND before_billing_mode = ${CHAR} AND last_billing_mode = ${TIME}), 0)`;
