import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import type { Answer } from '@yiqiao/contracts/endpoint';
import type { getDataConfig } from '@yiqiao/contracts/site';
import { Refusal } from '@yiqiao/domain/errors';
import { Site } from './site.js';

type Found = Answer<typeof getDataConfig>;

export class GetDataConfig extends Query<Found> {
  constructor(readonly id: string) {
    super();
  }
}

/** A private document is NOT_FOUND (decisions §9). */
@QueryHandler(GetDataConfig)
export class GetDataConfigHandler implements IQueryHandler<GetDataConfig> {
  constructor(private readonly site: Site) {}

  async execute({ id }: GetDataConfig): Promise<Found> {
    const found = await this.site.find(id);
    if (!found?.public) throw new Refusal('NOT_FOUND');
    return { id, valued: JSON.stringify(found.valued) };
  }
}
