import { EntityManager } from '@mikro-orm/postgresql';
import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import type { Answer, Input } from '@yiqiao/contracts/endpoint';
import type { listTerms } from '@yiqiao/contracts/glossary';
import { Clock } from '../platform/clock.js';
import { GlossaryTerm, GlossaryVersion } from './glossary.entity.js';
import { Glossary } from './glossary.js';
import { termFilter, whereOf, wireRow } from './term-rows.js';

export class ListTerms extends Query<Answer<typeof listTerms>> {
  constructor(
    readonly familyId: number,
    readonly input: Input<typeof listTerms>,
  ) {
    super();
  }
}

@QueryHandler(ListTerms)
export class ListTermsHandler implements IQueryHandler<ListTerms> {
  constructor(
    private readonly em: EntityManager,
    private readonly glossary: Glossary,
    private readonly clock: Clock,
  ) {}

  async execute({ familyId, input }: ListTerms): Promise<Answer<typeof listTerms>> {
    const em = this.em.fork();
    const { pageNum, pageSize, ...filter } = input;
    const where = whereOf(termFilter(familyId, filter, this.glossary));
    const page = { orderBy: { id: 'desc' }, limit: pageSize, offset: (pageNum - 1) * pageSize } as const;
    // The version first: rows that are newer than it says are fetched once more, older ones would stay.
    const version = await em.findOne(GlossaryVersion, { familyId });
    const [terms, total] = await em.findAndCount(GlossaryTerm, where, page);
    const count = await em.count(GlossaryTerm, { familyId });
    return { rows: terms.map((term) => wireRow(term, this.clock)), total, count, version: version?.version ?? 0 };
  }
}
