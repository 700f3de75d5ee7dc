import { EntityManager } from '@mikro-orm/postgresql';
import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import type { Answer, Input } from '@yiqiao/contracts/endpoint';
import type { getAuditRun, getLedgerStatus, listAuditRuns } from '@yiqiao/contracts/operator/audits';
import { Refusal } from '@yiqiao/domain/errors';
import { Clock } from '../../platform/clock.js';
import { Config } from '../../platform/config.js';
import { AuditRun } from './audit-run.entity.js';
import { lastResult, nextNightly, nightlyDepth } from './audit-runs.js';

type Row = Answer<typeof listAuditRuns>['rows'][number];

export class ListAuditRuns extends Query<Answer<typeof listAuditRuns>> {
  constructor(readonly request: Input<typeof listAuditRuns>) {
    super();
  }
}

@QueryHandler(ListAuditRuns)
export class ListAuditRunsHandler implements IQueryHandler<ListAuditRuns> {
  constructor(
    private readonly em: EntityManager,
    private readonly clock: Clock,
  ) {}

  async execute({ request: { pageNum, pageSize } }: ListAuditRuns): Promise<Answer<typeof listAuditRuns>> {
    const page = { limit: pageSize, offset: (pageNum - 1) * pageSize };
    const [runs, total] = await this.em.fork().findAndCount(AuditRun, {}, { orderBy: { id: 'desc' }, ...page });
    return { rows: runs.map((run) => rowOf(run, this.clock)), total };
  }
}

export class GetAuditRun extends Query<Answer<typeof getAuditRun>> {
  constructor(readonly id: number) {
    super();
  }
}

@QueryHandler(GetAuditRun)
export class GetAuditRunHandler implements IQueryHandler<GetAuditRun> {
  constructor(
    private readonly em: EntityManager,
    private readonly clock: Clock,
  ) {}

  async execute({ id }: GetAuditRun): Promise<Answer<typeof getAuditRun>> {
    const run = await this.em.fork().findOne(AuditRun, { id });
    if (!run) throw new Refusal('NOT_FOUND');
    const { phase = null, memory = null, at = null } = run.state === 'running' ? run.progress : {};
    return { ...rowOf(run, this.clock), phase, memory, at, differences: run.differences };
  }
}

/** What the whole ledger was found to be last, what is being audited, and what a difference has stopped. */
export class GetLedgerStatus extends Query<Answer<typeof getLedgerStatus>> {}

@QueryHandler(GetLedgerStatus)
export class GetLedgerStatusHandler implements IQueryHandler<GetLedgerStatus> {
  constructor(
    private readonly em: EntityManager,
    readonly clock: Clock,
    readonly config: Config,
  ) {}

  async execute(): Promise<Answer<typeof getLedgerStatus>> {
    const em = this.em.fork();
    const running = await em.findOne(AuditRun, { scope: 'all', finishedAt: null }, { orderBy: { id: 'desc' } });
    const last = await lastResult(em);
    const lastFull = last?.depth === 'full' ? last : await lastResult(em, 'full');
    const next = nextNightly(this.config.env.AUDIT_AT, this.clock);
    const closed = await em.execute<Closed[]>(READ_ONLY);
    return {
      running: running && rowOf(running, this.clock),
      last: last && rowOf(last, this.clock),
      lastFull: lastFull && rowOf(lastFull, this.clock),
      next,
      nextDepth: next === null ? null : await nightlyDepth(em, next.slice(0, 10), this),
      readOnly: closed.map(({ family_id, run_id, account, seq, since, name, what }) => ({
        familyId: Number(family_id),
        name,
        runId: Number(run_id),
        account: Number(account),
        seq: seq === null ? null : Number(seq),
        what,
        since: this.clock.toWire(new Date(since)),
      })),
    };
  }
}

type Closed = Record<'family_id' | 'run_id' | 'account', number> & {
  seq: number | null;
  what: string;
  since: string;
  name: string | null;
};

// Raw: it belongs to the ledger and has no entity.
const READ_ONLY = `
SELECT r.family_id, r.run_id, r.account, r.seq, r.what, r.since, m.nickname AS name
FROM family_read_only r LEFT JOIN member m ON m.id = r.family_id WHERE r.lifted_at IS NULL ORDER BY r.id LIMIT 100`;

function rowOf(run: AuditRun, clock: Clock): Row {
  const { id, scope, userId, state, startedBy, entries, entriesTotal, accounts, accountsTotal, families } = run;
  const seconds = run.activeMs / 1_000;
  const averagePerSecond = Math.round(entries / Math.max(0.001, seconds));
  const isRunning = state === 'running';
  const wire = (at: Date | null): string | null => at && clock.toWire(at);
  return {
    id,
    depth: run.depth,
    anchored: run.anchored,
    scope,
    userId,
    state,
    startedBy,
    createdAt: clock.toWire(run.createdAt),
    startedAt: wire(run.startedAt),
    finishedAt: wire(run.finishedAt),
    entries,
    total: entriesTotal,
    accounts,
    accountsTotal,
    families,
    familiesTotal: run.familiesTotal,
    orders: run.orders,
    seconds,
    perSecond: (isRunning ? run.progress.perSecond : undefined) ?? averagePerSecond,
    averagePerSecond,
    remainingSeconds:
      isRunning && averagePerSecond > 0 ? Math.ceil(Math.max(0, entriesTotal - entries) / averagePerSecond) : null,
    differenceCount: run.differences.length,
    firstDifference: run.differences[0] ?? null,
  };
}
