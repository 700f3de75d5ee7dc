import type { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { CHANNELS, DEFAULT_CHANNEL } from '@yiqiao/domain/channels';
import { type LifeChange, minutesWorth, type Tariff } from '@yiqiao/domain/conversion';
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
    const from: Tariff = { billingMode, tranChannelId, charPrice, minutePrice: 1 };
    if (billingMode === 'char') return { accounts, from, prices, now };
    return { accounts, from: { ...from, ...(await this.#ofMinutes(em, mainId)) }, prices, now };
  }

  /** docs/decisions/0009: read from what changed the account's time since it entered time mode. */
  async #ofMinutes(em: EntityManager, mainId: number): Promise<Pick<Tariff, 'minutePrice' | 'worth'>> {
    const rows = await em.execute<LifeRow[]>(LIFE, [mainId, mainId]);
    const worth = minutesWorth(rows.map(lifeChange));
    if (worth) return { minutePrice: 1, worth };
    const { memberGroupId } = await em.findOneOrFail(Member, { id: mainId });
    return { minutePrice: (await this.plans.group(em, memberGroupId)).minutePrice };
  }
}

/** Channels are never deleted, so an id without a price is a bug. */
export function priceIn(prices: Map<number, number>, tranChannelId: number): number {
  const price = prices.get(tranChannelId);
  if (price === undefined) throw new Error(`channel ${tranChannelId} has no price`);
  return price;
}

/** Times in ms. `price`: of the package that the entry names. */
type LifeRow = { at: number; before: number | null; after: number | null; type: number; price: number | null };

const { RECHARGE_ORDER_BY_MEMBER_GROUP, SYS_MATRIX, SYS_ADJUST, MATRIX } = ENTRY_TYPES;

function lifeChange({ at, before, after, type, price }: LifeRow): LifeChange {
  const ms = (time: number | null): number | null => (time === null ? null : Number(time));
  const life = { at: Number(at), before: ms(before), after: ms(after) };
  // An adjustment that names a package takes it back, or gives it again (docs/decisions/0014).
  if (price !== null) return { ...life, by: 'package', price };
  return { ...life, by: type === SYS_MATRIX.code || type === MATRIX.code ? 'channel' : 'other' };
}

const [CHAR, TIME] = [1, 2];

const ms = (column: string): string => `(date_part('epoch', ${column}) * 1000)::bigint`;

const LIFE = `
SELECT ${ms('e.created_at')} AS at, ${ms('e.before_expire_at')} AS before, ${ms('e.last_expire_at')} AS after,
  e.log_type AS type, g.minute_price AS price
FROM account_log e LEFT JOIN member_group g ON g.id = e.member_group_id
WHERE e.user_id = ? AND e.before_expire_at IS DISTINCT FROM e.last_expire_at
  AND e.log_type IN (${[RECHARGE_ORDER_BY_MEMBER_GROUP, SYS_MATRIX, SYS_ADJUST, MATRIX].map(({ code }) => code).join(', ')})
  AND e.seq > coalesce((
    SELECT max(seq) FROM account_log
    WHERE user_id = ? AND log_type = ${SYS_MATRIX.code} AND before_billing_mode = ${CHAR} AND last_billing_mode = ${TIME}), 0)
ORDER BY e.seq`;
