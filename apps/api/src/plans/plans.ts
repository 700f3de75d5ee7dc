import { EntityManager, LockMode } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import type { ChannelCode } from '@yiqiao/domain/channels';
import { billingModeOf } from '@yiqiao/domain/ledger';
import type { ChannelPrice, PlanVersion } from '@yiqiao/domain/plans';
import type { Author } from '../platform/manager-actions.js';
import { type Availability, type ChannelOffer, ChannelOffers } from './channel-offers.js';
import { MemberGroup } from './member-group.entity.js';
import { seedPlans } from './seed-plans.js';
import { TranChannel, type TranChannel as Channel } from './tran-channel.entity.js';

export type { MemberGroup } from './member-group.entity.js';
export type { TranChannel as Channel } from './tran-channel.entity.js';
export type { Availability, ChannelOffer } from './channel-offers.js';

type VersionRow = Omit<PlanVersion, 'billingMode'> & { billingMode: number };

// For the triggers that record versions, until the transaction ends.
const AUTHOR = `SELECT set_config('yiqiao.manager_id', ?, true), set_config('yiqiao.reason', ?, true)`;

const EFFECTIVE_MS = `(date_part('epoch', effective_at) * 1000)::bigint AS "effectiveAt"`;

const VERSIONS = `
SELECT id, member_group_id AS "memberGroupId", billing_mode AS "billingMode", num, sale_price AS "salePrice",
  minute_price AS "minutePrice", voice_num AS "voiceNum", image_num AS "imageNum", tran_channel_id AS "tranChannelId",
  reference_channel_id AS "referenceChannelId", ${EFFECTIVE_MS}
FROM plan_version`;

const versionOf = ({ billingMode, ...row }: VersionRow): PlanVersion => ({
  ...row,
  billingMode: billingModeOf(billingMode) ?? 'char',
  ...{ id: Number(row.id), num: Number(row.num), effectiveAt: Number(row.effectiveAt) },
});

/** The price list: member groups and the channels they are used with. Both are rows that operators may change. */
@Injectable()
export class Plans {
  readonly #offers = new ChannelOffers();

  constructor(private readonly em: EntityManager) {}

  /** Adds what the price list lacks; changes nothing that is there. Runs before every start. */
  seed(): Promise<void> {
    return seedPlans(this.em.fork());
  }

  /**
   * The group with this id, on the connection of `em`: a transaction that waited for a second connection could wait for ever.
   * Members point at groups by foreign key, so an unknown id is a bug and throws.
   */
  group(em: EntityManager, id: number): Promise<MemberGroup> {
    return em.findOneOrFail(MemberGroup, { id });
  }

  /** Every group, on sale or not, in the operator's order. */
  groups(em: EntityManager): Promise<MemberGroup[]> {
    return em.findAll(MemberGroup, { orderBy: { position: 'asc', id: 'asc' } });
  }

  /** Whoever runs a channel says here whether it works now. */
  announce(code: ChannelCode, availability: () => Promise<Availability>): void {
    this.#offers.announce(code, availability);
  }

  /** Every channel with its price and whether it can be used now, by id, switched off ones included. */
  channelOffers(em: EntityManager = this.em.fork()): Promise<ChannelOffer[]> {
    return this.#offers.list(em);
  }

  /**
   * Micro-yuan per character of each channel, by id, on the connection of `em`. Asks no channel whether it works. Inside a transaction the
   * prices stay until its end: a change waits, so that an entry's time tells which price it used.
   */
  async channelPrices(em: EntityManager): Promise<Map<number, number>> {
    const locking = em.isInTransaction() ? 'FOR SHARE' : '';
    const rows = await em.execute<{ id: number; price: number }[]>(
      `SELECT id, price FROM tran_channel ORDER BY id ${locking}`,
    );
    return new Map(rows.map(({ id, price }) => [id, price]));
  }

  /**
   * What is bought of the group now: its version, and what a character costs through its reference channel. Throws RangeError for an
   * unknown id, on the connection of `em`.
   */
  async current(em: EntityManager, groupId: number): Promise<PlanVersion & { referencePrice: number }> {
    const [row] = await em.execute<VersionRow[]>(
      `${VERSIONS} WHERE member_group_id = ? ORDER BY effective_at DESC LIMIT 1`,
      [groupId],
    );
    const version = row && versionOf(row);
    const referencePrice = version && (await this.channelPrices(em)).get(version.referenceChannelId);
    if (!version || referencePrice === undefined) throw new RangeError(`plan ${groupId} has no version`);
    return { ...version, referencePrice };
  }

  /** Every price that a channel ever had, on the connection of `em`. */
  async priceHistory(em: EntityManager): Promise<ChannelPrice[]> {
    const rows = await em.execute<ChannelPrice[]>(
      `SELECT tran_channel_id AS "tranChannelId", price, ${EFFECTIVE_MS} FROM channel_price ORDER BY id`,
    );
    return rows.map((row) => ({ ...row, effectiveAt: Number(row.effectiveAt) }));
  }

  /** Every version of the group, on the connection of `em`; oldest first. */
  async versions(em: EntityManager, groupId: number): Promise<PlanVersion[]> {
    const rows = await em.execute<VersionRow[]>(`${VERSIONS} WHERE member_group_id = ? ORDER BY effective_at`, [
      groupId,
    ]);
    return rows.map(versionOf);
  }

  /** The group, locked until the transaction of `em` ends; null when there is none. */
  findGroup(em: EntityManager, id: number): Promise<MemberGroup | null> {
    return em.findOne(MemberGroup, { id }, { lockMode: LockMode.PESSIMISTIC_WRITE });
  }

  /** By id or code, locked until the transaction of `em` ends; null when there is none. */
  findChannel(em: EntityManager, which: string): Promise<Channel | null> {
    const where = /^\d{1,9}$/.test(which) ? { id: Number(which) } : { code: which };
    return em.findOne(TranChannel, where, { lockMode: LockMode.PESSIMISTIC_WRITE });
  }

  /** In the transaction of `em`; the version bears the author. Values that the schema refuses are a bug of the caller. */
  async setGroup(
    em: EntityManager,
    { id, ...change }: { id: number } & Partial<MemberGroup>,
    author: Author,
  ): Promise<void> {
    await em.execute(AUTHOR, [String(author.managerId), author.reason ?? '']);
    await em.nativeUpdate(MemberGroup, { id }, change);
  }

  async setChannel(
    em: EntityManager,
    { id, ...change }: { id: number } & Partial<Omit<Channel, 'code'>>,
    author: Author,
  ): Promise<void> {
    await em.execute(AUTHOR, [String(author.managerId), author.reason ?? '']);
    await em.nativeUpdate(TranChannel, { id }, change);
  }
}
