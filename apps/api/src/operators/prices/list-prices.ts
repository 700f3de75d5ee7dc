import { EntityManager } from '@mikro-orm/postgresql';
import { Controller } from '@nestjs/common';
import type { Answer, Input as InputOf } from '@yiqiao/contracts/endpoint';
import type { Language } from '@yiqiao/contracts/envelope';
import { type IQueryHandler, Query, QueryBus, QueryHandler } from '@nestjs/cqrs';
import { listPrices, listPriceVersions } from '@yiqiao/contracts/operator/prices';
import { billingModeOf } from '@yiqiao/domain/ledger';
import { Clock } from '../../platform/clock.js';
import { Client, type ClientInfo, Endpoint, Input } from '../../platform/endpoint.js';
import { Plans } from '../../plans/plans.js';
import { ListPriceVersions } from './list-price-versions.js';

type Prices = Answer<typeof listPrices>;

export class ListPrices extends Query<Prices> {
  constructor(readonly language: Language) {
    super();
  }
}

/** The price list, with what was sold of it and the requests that would change it. */
@QueryHandler(ListPrices)
export class ListPricesHandler implements IQueryHandler<ListPrices> {
  constructor(
    private readonly em: EntityManager,
    private readonly plans: Plans,
    private readonly clock: Clock,
  ) {}

  async execute({ language }: ListPrices): Promise<Prices> {
    const em = this.em.fork();
    const [channels, groups, sold, requests] = await Promise.all([
      em.execute<ChannelRow[]>(CHANNELS),
      this.plans.groups(em),
      em.execute<{ id: number; sold: number }[]>(SOLD),
      em.execute<{ id: number; target: string }[]>(REQUESTS),
    ]);
    const named = <T extends { name: string; enName: string }>(row: T): string =>
      language === 'en' ? row.enName : row.name;
    const requestFor = (target: string): number | null => requests.find((row) => row.target === target)?.id ?? null;
    return {
      channels: channels.map(({ id, code, price, enabled, since, ...names }) => ({
        ...{ id, code, price, enabled },
        name: named(names),
        since: this.clock.toWire(new Date(since)),
        request: requestFor(`channel:${code}`),
      })),
      plans: groups.map((group) => ({
        id: group.id,
        name: named(group),
        billingMode: billingModeOf(group.billingMode) ?? 'char',
        num: group.num,
        voiceNum: group.voiceNum,
        imageNum: group.imageNum,
        salePrice: group.salePrice,
        minutePrice: group.minutePrice,
        referenceChannelId: group.referenceChannelId,
        tranChannelId: group.tranChannelId,
        onSale: group.onSale,
        sold: sold.find((row) => row.id === group.id)?.sold ?? 0,
        request: requestFor(`plan:${group.id}`),
      })),
    };
  }
}

@Controller()
export class PricesController {
  constructor(private readonly queries: QueryBus) {}

  @Endpoint(listPrices)
  list(@Client() { language }: ClientInfo): Promise<Prices> {
    return this.queries.execute(new ListPrices(language));
  }

  @Endpoint(listPriceVersions)
  versions(
    @Input(listPriceVersions) request: InputOf<typeof listPriceVersions>,
    @Client() { language }: ClientInfo,
  ): Promise<Answer<typeof listPriceVersions>> {
    return this.queries.execute(new ListPriceVersions(request, language));
  }
}

type ChannelRow = {
  id: number;
  code: string;
  name: string;
  enName: string;
  price: number;
  enabled: boolean;
  since: Date;
};

const CHANNELS = `
SELECT id, code, name, en_name AS "enName", price, enabled,
  (SELECT max(effective_at) FROM channel_price p WHERE p.tran_channel_id = tran_channel.id) AS since
FROM tran_channel ORDER BY id`;
const SOLD = `
SELECT member_group_id AS id, count(*)::int AS sold FROM recharge_order
WHERE paid_at > now() - interval '30 days' GROUP BY member_group_id`;
const REQUESTS = `SELECT id, target_id AS target FROM operator_request WHERE kind = 'price.change' AND state = 'open'`;
