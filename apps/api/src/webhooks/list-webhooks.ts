import { EntityManager } from '@mikro-orm/postgresql';
import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import type { Answer, Input } from '@yiqiao/contracts/endpoint';
import type { listWebhookDeliveries, listWebhooks } from '@yiqiao/contracts/webhooks';
import { WebhookDelivery, WebhookEndpoint } from './webhook.entity.js';
import { Webhooks } from './webhooks.js';

export class ListWebhooks extends Query<Answer<typeof listWebhooks>> {
  constructor(
    readonly familyId: number,
    readonly paging: Input<typeof listWebhooks>,
  ) {
    super();
  }
}

@QueryHandler(ListWebhooks)
export class ListWebhooksHandler implements IQueryHandler<ListWebhooks> {
  constructor(
    private readonly em: EntityManager,
    private readonly webhooks: Webhooks,
  ) {}

  async execute({ familyId, paging: { pageNum, pageSize } }: ListWebhooks): Promise<Answer<typeof listWebhooks>> {
    const [rows, total] = await this.em
      .fork()
      .findAndCount(
        WebhookEndpoint,
        { familyId },
        { orderBy: { id: 'desc' }, limit: pageSize, offset: (pageNum - 1) * pageSize },
      );
    return { rows: rows.map((row) => this.webhooks.rowOf(row)), total };
  }
}

/** The log of one endpoint. Throws NOT_FOUND, also for another family's. */
export class ListWebhookDeliveries extends Query<Answer<typeof listWebhookDeliveries>> {
  constructor(
    readonly familyId: number,
    readonly input: Input<typeof listWebhookDeliveries>,
  ) {
    super();
  }
}

@QueryHandler(ListWebhookDeliveries)
export class ListWebhookDeliveriesHandler implements IQueryHandler<ListWebhookDeliveries> {
  constructor(
    private readonly em: EntityManager,
    private readonly webhooks: Webhooks,
  ) {}

  async execute({ familyId, input }: ListWebhookDeliveries): Promise<Answer<typeof listWebhookDeliveries>> {
    const { webhookId, pageNum, pageSize, state, type } = input;
    const { id: endpointId } = await this.webhooks.find(familyId, webhookId);
    const where = { endpointId, familyId, ...(state && { state }), ...(type && { type }) };
    const [rows, total] = await this.em.fork().findAndCount(WebhookDelivery, where, {
      orderBy: { id: 'desc' },
      limit: pageSize,
      offset: (pageNum - 1) * pageSize,
    });
    return { rows: rows.map((row) => this.webhooks.deliveryOf(row)), total };
  }
}
