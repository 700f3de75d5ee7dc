import { EntityManager, LockMode } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { type ChannelCode, CHANNEL_CODES, CHANNELS } from '@yiqiao/domain/channels';
import { billingModeOf, billingModeCode } from '@yiqiao/domain/ledger';
import type { ChannelPrice, PlanVersion } from '@yiqiao/domain/plans';
import { FIRST_PLANS } from '@yiqiao/domain/first-plans';
import type { Author } from '../platform/manager-actions.js';
import { type Availability, type ChannelOffer, ChannelOffers } from './channel-offers.js';
import { MemberGroup } from './member-group.entity.js';
import { ChannelPriceRecord, PlanVersionRecord } from './price-history.entity.js';
import { TranChannel, type TranChannel as Channel } from './tran-channel.entity.js';

export type { MemberGroup } from './member-group.entity.js';
export type { TranChannel as Channel } from './tran-channel.entity.js';
export type { Availability, ChannelOffer } from './channel-offers.js';

/** Names the author to the triggers that record versions. Raw SQL: settings of the transaction. */
const setAuthor = async (em: EntityManager, { managerId, reason }: Author): Promise<void> => {
  const settings = `SELECT set_config('yiqiao.manager_id', ?, true), set_config('yiqiao.reason', ?, true)`;
  await em.execute(settings, [String(managerId), reason ?? '']);
};

const versionOf = (record: PlanVersionRecord): PlanVersion => ({
  id: record.id,
  memberGroupId: record.memberGroupId,
  billingMode: billingModeOf(record.billingMode) ?? 'char',
  num: record.num,
  salePrice: record.salePrice,
  minutePrice: record.minutePrice,
  voiceNum: record.voiceNum,
  imageNum: record.imageNum,
  tranChannelId: record.tranChannelId,
  referenceChannelId: record.referenceChannelId,
  effectiveAt: record.effectiveAt.getTime(),
});

/** Rows that a transaction is about to change are locked until its end. */
const lockOf = (em: EntityManager): LockMode => (em.isInTransaction() ? LockMode.PESSIMISTIC_WRITE : LockMode.NONE);

/** The price list: member groups and translation channels, which operators may change. */
@Injectable()
export class Plans {
  readonly #offers = new ChannelOffers();

  constructor(private readonly em: EntityManager) {}

  /** Adds missing rows of the price list. Runs before every start. */
  seed(): Promise<void> {
    return seedPlans(this.em.fork());
  }

  /**
   * The group with this id, on the connection of `em`, because a transaction that waits for a second connection could deadlock. Throws for
   * an unknown id: members refer to groups by foreign key.
   */
  group(em: EntityManager, id: number): Promise<MemberGroup> {
    return em.findOneOrFail(MemberGroup, { id });
  }

  /** Every group, on sale or not, in the operator's order. */
  groups(em: EntityManager): Promise<MemberGroup[]> {
    return em.findAll(MemberGroup, { orderBy: { position: 'asc', id: 'asc' } });
  }

  /** Registers the availability check of a channel. */
  announce(code: ChannelCode, availability: () => Promise<Availability>): void {
    this.#offers.announce(code, availability);
  }

  /** Every channel with its price and whether it can be used now, by id, switched off ones included. */
  channelOffers(em: EntityManager = this.em.fork()): Promise<ChannelOffer[]> {
    return this.#offers.list(em);
  }

  /**
   * Micro-yuan per character of each channel, by id, on the connection of `em`, without checking availability. Inside a transaction the
   * prices are locked until its end, so that an entry's time determines its price.
   */
  async channelPrices(em: EntityManager): Promise<Map<number, number>> {
    const channels = await em.findAll(TranChannel, {
      fields: ['id', 'price'],
      orderBy: { id: 'asc' },
      lockMode: em.isInTransaction() ? LockMode.PESSIMISTIC_READ : LockMode.NONE,
      disableIdentityMap: true,
    });
    return new Map(channels.map(({ id, price }) => [id, price]));
  }

  /**
   * The current version of the group and the price per character of its reference channel, on the connection of `em`. Throws RangeError
   * for an unknown id.
   */
  async current(em: EntityManager, groupId: number): Promise<PlanVersion & { referencePrice: number }> {
    const record = await em.findOne(
      PlanVersionRecord,
      { memberGroupId: groupId },
      { orderBy: { effectiveAt: 'desc' }, disableIdentityMap: true },
    );
    const version = record && versionOf(record);
    const referencePrice = version ? (await this.channelPrices(em)).get(version.referenceChannelId) : undefined;
    if (!version || referencePrice === undefined) throw new RangeError(`plan ${groupId} has no version`);
    return { ...version, referencePrice };
  }

  /** Every price that a channel ever had, on the connection of `em`. */
  async priceHistory(em: EntityManager): Promise<ChannelPrice[]> {
    const records = await em.find(ChannelPriceRecord, {}, { orderBy: { id: 'asc' } });
    return records.map(({ tranChannelId, price, effectiveAt }) => ({
      tranChannelId,
      price,
      effectiveAt: effectiveAt.getTime(),
    }));
  }

  /** Every version of the group, on the connection of `em`; oldest first. */
  async versions(em: EntityManager, groupId: number): Promise<PlanVersion[]> {
    const records = await em.find(PlanVersionRecord, { memberGroupId: groupId }, { orderBy: { effectiveAt: 'asc' } });
    return records.map(versionOf);
  }

  /** The group, locked until the transaction of `em`, if any, ends; null when there is none. */
  findGroup(em: EntityManager, id: number): Promise<MemberGroup | null> {
    return em.findOne(MemberGroup, { id }, { lockMode: lockOf(em), disableIdentityMap: true });
  }

  /** By id or code, locked until the transaction of `em`, if any, ends; null when there is none. */
  findChannel(em: EntityManager, which: string): Promise<Channel | null> {
    const where = /^\d{1,9}$/.test(which) ? { id: Number(which) } : { code: which };
    return em.findOne(TranChannel, where, { lockMode: lockOf(em), disableIdentityMap: true });
  }

  /** In the transaction of `em`; the author is recorded with the version. */
  async setGroup(
    em: EntityManager,
    { id, ...change }: { id: number } & Partial<MemberGroup>,
    author: Author,
  ): Promise<void> {
    await setAuthor(em, author);
    await em.nativeUpdate(MemberGroup, { id }, change);
  }

  async setChannel(
    em: EntityManager,
    { id, ...change }: { id: number } & Partial<Omit<Channel, 'code'>>,
    author: Author,
  ): Promise<void> {
    await setAuthor(em, author);
    await em.nativeUpdate(TranChannel, { id }, change);
  }
}

/** Adds missing channels and groups. Keeps what operators changed, so it runs at every start. */
async function seedPlans(em: EntityManager): Promise<void> {
  const channels = CHANNEL_CODES.map((code) => {
    const { id, name, enName, price } = CHANNELS[code];
    return { id, code, name, enName, price };
  });
  const groups = FIRST_PLANS.map((plan, position) => ({
    id: plan.id,
    name: plan.name,
    enName: plan.enName,
    tier: plan.tier,
    billingMode: billingModeCode(plan.mode),
    num: plan.num,
    salePrice: plan.price,
    minutePrice: plan.minutePrice,
    voiceNum: plan.voice,
    imageNum: plan.image,
    createChildUser: plan.createChildUser,
    tranChannelId: plan.channel,
    referenceChannelId: plan.reference,
    onSale: plan.onSale,
    position,
  }));
  // Any conflict: two processes that start at once may meet at the unique code, and not at the id.
  await em.createQueryBuilder(TranChannel).insert(channels).onConflict().ignore().execute('run');
  await em.createQueryBuilder(MemberGroup).insert(groups).onConflict().ignore().execute('run');
}
