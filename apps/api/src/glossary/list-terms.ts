import { EntityManager } from '@mikro-orm/postgresql';
import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import type { Answer, Input } from '@yiqiao/contracts/endpoint';
import type { listTerms } from '@yiqiao/contracts/glossary';
import { Clock } from '../platform/clock.js';
import { Glossary } from './glossary.js';
import { matching, readTerms, wireRow } from './term-rows.js';

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
    const found = matching(familyId, filter, this.glossary);
    const [sums] = await em.execute<Sums[]>(
      `SELECT (SELECT count(*) FROM glossary_term WHERE ${found.condition}) AS total,
         (SELECT count(*) FROM glossary_term WHERE family_id = ?) AS count,
         (SELECT version FROM glossary WHERE family_id = ?) AS version`,
      [...found.parameters, familyId, familyId],
    );
    const rows = await readTerms(em, found, { count: pageSize, offset: (pageNum - 1) * pageSize });
    return {
      rows: rows.map((row) => wireRow(row, this.clock)),
      total: Number(sums?.total ?? 0),
      count: Number(sums?.count ?? 0),
      version: Number(sums?.version ?? 0),
    };
  }
}

type Sums = { readonly total: number; readonly count: number; readonly version: number | null };
