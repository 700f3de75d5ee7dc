import type { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { CHANNELS, DEFAULT_CHANNEL } from '@yiqiao/domain/channels';
import { type LifeChange, minutesWorth, type Tariff } from '@yiqiao/domain/conversion';
import { codesWhere } from '@yiqiao/domain/entry-rules';
import { ENTRY_TYPES } from '@yiqiao/domain/ledger';
import { type AccountView, Ledger, priceAtSql } from '../ledger/ledger.js';
import { Plans } from '../plans/plans.js';
import { Member } from './member.entity.js';
import { SubAccounts } from './sub-accounts.js';

/** The accounts of a family and the prices they pay, at one moment (`now`: ms of the database's clock). */
export type FamilyPrices = { accounts: AccountView[]; from: Tariff; prices: Map<number, number>; now: number };

/** The prices at which a family's quota is converted: its channel's, and in time mode its package's (decisions §4). */
@Injectable()
export class ConversionPrices {
  constructor(
    private readonly plans: Plans,
    private readonly ledger: Ledger,
    private readonly subAccounts: SubAccounts,
  ) {}

  /**
   * The open accounts of the family and its current tariff. A tariff changes only under the lock of the main account's row, so it is stable
   * for a transaction that holds the lock.
   */
  async of(em: EntityManager, mainId: number): Promise<FamilyPrices> {
    const userIds = [mainId, ...(await this.subAccounts.idsOf(em, mainId))];
    const { accounts, now } = await this.ledger.view(em, { userIds });
    const main = accounts.find(({ userId }) => userId === mainId);
    if (!main) throw new Error(`member ${mainId} has no account`);
    const prices = await this.plans.channelPrices(em);
    const { billingMode } = main.state;
    const tranChannelId = main.state.tranChannelId ?? CHANNELS[DEFAULT_CHANNEL].id;
    const charPrice = priceIn(prices, tranChannelId);
    const from: Tariff = { billingMode, tranChannelId, charPrice, minutePrice: 1, referencePrice: charPrice };
    if (billingMode === 'char') return { accounts, from, prices, now };
    return { accounts, from: { ...from, ...(await this.#ofMinutes(em, mainId, prices)) }, prices, now };
  }

  /** docs/decisions/0009: from the entries that changed the account's time since it entered time mode, at the prices of their moments. */
  async #ofMinutes(em: EntityManager, mainId: number, prices: Map<number, number>): Promise<Partial<Tariff>> {
    const rows = (await em.execute<LifeRow[]>(LIFE, [mainId, mainId])).map(numbered);
    const lives = rows.map((row): LifeChange => {
      const { at, before, after, type, since, minutePrice, referencePrice, charPrice, priceBefore, priceAfter } = row;
      if (row.memberGroupId === null && (type === SYS_MATRIX.code || type === MATRIX.code)) {
        const prices = priceBefore === null || priceAfter === null ? null : ([priceBefore, priceAfter] as const);
        return { at, before, after, by: 'channel', prices };
      }
      if (row.memberGroupId === null) return { at, before, after, by: 'other' };
      if (minutePrice === null || referencePrice === null || charPrice === null)
        throw new Error(`plan ${row.memberGroupId} or its channel had no price at ${since}`);
      // An adjustment that names a package takes it back or grants it again (docs/decisions/0014).
      return { at, before, after, by: 'package', since, price: { minutePrice, referencePrice, charPrice } };
    });
    const worth = minutesWorth(lives);
    if (worth) return { worth };
    const { memberGroupId } = await em.findOneOrFail(Member, { id: mainId });
    const { minutePrice, referenceChannelId } = await this.plans.group(em, memberGroupId);
    return { minutePrice, referencePrice: priceIn(prices, referenceChannelId) };
  }
}

/** Channels are never deleted, so a missing price is a bug. */
export function priceIn(prices: Map<number, number>, tranChannelId: number): number {
  const price = prices.get(tranChannelId);
  if (price === undefined) throw new Error(`channel ${tranChannelId} has no price`);
  return price;
}

/**
 * Times in ms. `since`: when the package was credited. Its prices come from the order's snapshot, or for a plan granted by an operator from
 * the plan version of that moment; `charPrice` is the price of the channel it was credited on. All are null for entries without a package.
 * `priceBefore` and `priceAfter`: the prices per character before and after a change of channel.
 */
type LifeRow = {
  at: number;
  before: number | null;
  after: number | null;
  type: number;
  memberGroupId: number | null;
  minutePrice: number | null;
  referencePrice: number | null;
  charPrice: number | null;
  since: number;
  priceBefore: number | null;
  priceAfter: number | null;
};

const { RECHARGE_ORDER_BY_MEMBER_GROUP, SYS_MATRIX, MATRIX } = ENTRY_TYPES;
/** Entry types that change time; consumption, the most frequent, does not. */
const CHANGING_TIME = codesWhere(({ must, may }) => [...must, ...may].includes('minutes'));

/** bigints arrive as text. */
function numbered(row: LifeRow): LifeRow {
  const ms = (time: number | null): number | null => (time === null ? null : Number(time));
  return {
    ...row,
    at: Number(row.at),
    before: ms(row.before),
    after: ms(row.after),
    since: Number(row.since),
  };
}

const [CHAR, TIME] = [1, 2];

const ms = (column: string): string => `(date_part('epoch', ${column}) * 1000)::bigint`;

const priceThen = (channel: string): string => `LATERAL ${priceAtSql(channel, 'arrived.at')}`;

const priceThrough = (side: 'before' | 'last'): string =>
  `CASE WHEN e.log_type IN (${SYS_MATRIX.code}, ${MATRIX.code}) THEN ${priceAtSql(`e.${side}_tran_channel_id`, 'e.created_at')} END`;

// Raw: a report over the ledger with lateral joins.
const LIFE = `
SELECT ${ms('e.created_at')} AS at, ${ms('e.before_expire_at')} AS before, ${ms('e.last_expire_at')} AS after,
  e.log_type AS type, e.member_group_id AS "memberGroupId", coalesce(o.minute_price, v.minute_price) AS "minutePrice",
  coalesce(o.reference_price, reference.price) AS "referencePrice", own.price AS "charPrice", ${ms('arrived.at')} AS since,
  ${priceThrough('before')} AS "priceBefore", ${priceThrough('last')} AS "priceAfter"
FROM account_log e LEFT JOIN recharge_order o ON o.id = e.order_id
LEFT JOIN account_log r ON r.order_id = e.order_id AND r.log_type = ${RECHARGE_ORDER_BY_MEMBER_GROUP.code}
CROSS JOIN LATERAL (SELECT coalesce(r.created_at, e.created_at) AS at, coalesce(r.last_tran_channel_id, e.last_tran_channel_id) AS channel)
  AS arrived
LEFT JOIN ${priceThen('arrived.channel')} AS own ON e.member_group_id IS NOT NULL
LEFT JOIN LATERAL (SELECT minute_price, reference_channel_id FROM plan_version v
  WHERE v.member_group_id = e.member_group_id AND v.effective_at <= arrived.at ORDER BY v.effective_at DESC LIMIT 1) AS v ON o.id IS NULL
LEFT JOIN ${priceThen('v.reference_channel_id')} AS reference ON o.id IS NULL
WHERE e.user_id = ? AND (e.before_expire_at IS DISTINCT FROM e.last_expire_at
    OR e.before_tran_channel_id IS DISTINCT FROM e.last_tran_channel_id)
  AND e.log_type IN (${CHANGING_TIME.join(', ')})
  AND e.seq > coalesce((
    SELECT max(seq) FROM account_log
    WHERE user_id = ? AND log_type = ${SYS_MATRIX.code} AND before_billing_mode = ${CHAR} AND last_billing_mode = ${TIME}), 0)
ORDER BY e.seq`;
