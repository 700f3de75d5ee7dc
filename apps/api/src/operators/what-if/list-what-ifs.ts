import { EntityManager } from '@mikro-orm/postgresql';
import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import type { Answer, Input } from '@yiqiao/contracts/endpoint';
import type { compareWhatIfs, getWhatIf, listWhatIfs } from '@yiqiao/contracts/operator/what-if';
import { Refusal } from '@yiqiao/domain/errors';
import { Member } from '../../members/member.entity.js';
import { Clock } from '../../platform/clock.js';
import { WhatIf } from './what-if.entity.js';

type Row = Answer<typeof listWhatIfs>['rows'][number];
type Run = Answer<typeof getWhatIf>;

export class ListWhatIfs extends Query<Answer<typeof listWhatIfs>> {
  constructor(readonly request: Input<typeof listWhatIfs>) {
    super();
  }
}

@QueryHandler(ListWhatIfs)
export class ListWhatIfsHandler implements IQueryHandler<ListWhatIfs> {
  constructor(
    private readonly em: EntityManager,
    private readonly clock: Clock,
  ) {}

  async execute({ request: { pageNum, pageSize } }: ListWhatIfs): Promise<Answer<typeof listWhatIfs>> {
    const page = { limit: pageSize, offset: (pageNum - 1) * pageSize };
    const [runs, total] = await this.em.fork().findAndCount(WhatIf, {}, { orderBy: { id: 'desc' }, ...page });
    return { rows: runs.map((run) => rowOf(run, this.clock)), total };
  }
}

export class GetWhatIf extends Query<Run> {
  constructor(readonly id: number) {
    super();
  }
}

@QueryHandler(GetWhatIf)
export class GetWhatIfHandler implements IQueryHandler<GetWhatIf> {
  constructor(
    private readonly em: EntityManager,
    private readonly clock: Clock,
  ) {}

  async execute({ id }: GetWhatIf): Promise<Run> {
    const em = this.em.fork();
    const run = await found(em, id);
    return {
      ...factsOf(run, this.clock),
      baseline: run.baseline,
      result: run.result && (await this.#named(em, run.result)),
    };
  }

  async #named(em: EntityManager, result: NonNullable<WhatIf['result']>): Promise<Run['result']> {
    const { gains, loses, dry, conversions } = result;
    const ids = [...gains, ...loses, ...dry, ...conversions].flatMap((row) =>
      'userId' in row ? [row.userId, row.familyId] : [row.familyId],
    );
    const members = await em.find(Member, { id: { $in: [...new Set(ids)] } }, { fields: ['id', 'nickname'] });
    const names = new Map(members.map(({ id, nickname }) => [id, nickname]));
    const nameOf = (id: number): string | null => names.get(id) ?? null;
    const at = (ms: number): string => this.clock.toWire(new Date(ms));
    return {
      ...result,
      gains: gains.map((row) => ({ ...row, name: nameOf(row.familyId) })),
      loses: loses.map((row) => ({ ...row, name: nameOf(row.familyId) })),
      dry: dry.map((row) => ({ ...row, at: at(row.at), name: nameOf(row.userId) })),
      conversions: conversions.map((row) => ({ ...row, at: at(row.at), name: nameOf(row.userId) })),
    };
  }
}

export class CompareWhatIfs extends Query<Answer<typeof compareWhatIfs>> {
  constructor(
    readonly first: number,
    readonly second: number,
  ) {
    super();
  }
}

@QueryHandler(CompareWhatIfs)
export class CompareWhatIfsHandler implements IQueryHandler<CompareWhatIfs> {
  constructor(
    private readonly em: EntityManager,
    private readonly clock: Clock,
  ) {}

  async execute({ first, second }: CompareWhatIfs): Promise<Answer<typeof compareWhatIfs>> {
    const em = this.em.fork();
    const [one, other] = [rowOf(await found(em, first), this.clock), rowOf(await found(em, second), this.clock)];
    const [a, b] = [one.summary, other.summary];
    const difference = a &&
      b && {
        amount: b.amount.wouldBe - a.amount.wouldBe,
        charged: b.charged.wouldBe - a.charged.wouldBe,
        vendorCost: b.vendorCost - a.vendorCost,
        margin: b.margin.wouldBe - a.margin.wouldBe,
        dryCount: b.dryCount - a.dryCount,
        gains: b.affected.gains - a.affected.gains,
        loses: b.affected.loses - a.affected.loses,
      };
    return { first: one, second: other, difference };
  }
}

async function found(em: EntityManager, id: number): Promise<WhatIf> {
  const run = await em.findOne(WhatIf, { id });
  if (!run) throw new Refusal('NOT_FOUND');
  return run;
}

function factsOf(run: WhatIf, clock: Clock): Omit<Row, 'baseline' | 'summary'> {
  const { id, fromAt, toAt, changes, state, startedBy, entries, families } = run;
  const wire = (at: Date | null): string | null => at && clock.toWire(at);
  const seconds = run.activeMs / 1_000;
  return {
    ...{ id, changes, state, startedBy, entries, families, seconds },
    from: clock.toWire(fromAt),
    to: clock.toWire(toAt),
    createdAt: clock.toWire(run.createdAt),
    startedAt: wire(run.startedAt),
    finishedAt: wire(run.finishedAt),
    total: run.entriesTotal,
    familiesTotal: run.familiesTotal,
    perSecond: Math.round(entries / Math.max(0.001, seconds)),
  };
}

function rowOf(run: WhatIf, clock: Clock): Row {
  const { baseline, result } = run;
  const summary = result && {
    amount: result.amount,
    charged: result.charged,
    vendorCost: result.vendorCost,
    margin: result.margin,
    dryCount: result.dryCount,
    affected: result.affected,
  };
  const short = baseline && {
    charged: baseline.charged,
    wouldBe: baseline.wouldBe,
    difference: baseline.difference,
    differenceCount: baseline.differenceCount,
  };
  return { ...factsOf(run, clock), baseline: short, summary };
}
