import { EntityManager, raw } from '@mikro-orm/postgresql';
import { Command, CommandBus, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { Refusal } from '@yiqiao/domain/errors';
import { DAY_MS } from '@yiqiao/domain/limits';
import type { Depth } from '../../ledger/audit/audit.js';
import type { RunScope } from '../../ledger/audit-runs/recorded-run.js';
import { Clock } from '../../platform/clock.js';
import { Config } from '../../platform/config.js';
import { lockKey } from '../../platform/database.js';
import { Live } from '../../platform/live.js';
import { Outbox } from '../../platform/outbox.js';
import { ActionLog, type Actor } from '../action-log.js';
import { tellOperators } from '../operator-streams.js';
import { AuditRun } from './audit-run.entity.js';

/**
 * Has the worker audit these accounts. Returns the run; one over the same accounts that is under way is that run, and so is one over
 * everything of either depth.
 */
export class StartAuditRun extends Command<{ id: number }> {
  constructor(
    readonly what: RunScope & { depth: Depth },
    readonly actor: Actor,
  ) {
    super();
  }
}

@CommandHandler(StartAuditRun)
export class StartAuditRunHandler implements ICommandHandler<StartAuditRun> {
  constructor(
    private readonly em: EntityManager,
    private readonly actions: ActionLog,
    private readonly outbox: Outbox,
    private readonly live: Live,
  ) {}

  async execute({ what: run, actor }: StartAuditRun): Promise<{ id: number }> {
    const { scope, depth } = run;
    const userId = 'userId' in run ? run.userId : null;
    const id = await this.em.fork().transactional(async (em) => {
      await lockKey(em, 'audit runs');
      if (userId !== null) await mustExist(em, userId);
      await endSilentRuns(em);
      const same = { scope, userId, finishedAt: null, ...(scope === 'all' ? {} : { depth }) };
      const underWay = await em.findOne(AuditRun, same, { orderBy: { id: 'asc' } });
      if (underWay) return underWay.id;
      const made = await em.insert(AuditRun, { scope, userId, depth, startedBy: actor.actor });
      await this.outbox.record(em, { type: 'AuditRunRequested', runId: made });
      const target = { kind: 'audit', id: String(made) };
      await this.actions.record(em, actor, { action: 'audit.start', target, after: run });
      return made;
    });
    await tellOperators(this.live, 'audit', { id });
    return { id };
  }
}

/** Starts the run of the night, once, within an hour of its time: a worker that was away then makes up for it. */
export class StartNightlyAudit extends Command<void> {}

const LATE_MS = 3_600_000;

@CommandHandler(StartNightlyAudit)
export class StartNightlyAuditHandler implements ICommandHandler<StartNightlyAudit> {
  constructor(
    private readonly em: EntityManager,
    private readonly commands: CommandBus,
    readonly clock: Clock,
    readonly config: Config,
  ) {}

  async execute(): Promise<void> {
    const { AUDIT_AT: time } = this.config.env;
    if (time === 'off') return;
    const now = this.clock.now();
    const due = this.clock.fromWire(`${this.clock.day(now)} ${time}:00`);
    const late = now.getTime() - due.getTime();
    if (late < 0 || late > LATE_MS) return;
    const started = { startedBy: SYSTEM.actor, createdAt: { $gte: due } };
    if (await this.em.fork().findOne(AuditRun, started)) return;
    const depth = await nightlyDepth(this.em.fork(), this.clock.day(now), this);
    await this.commands.execute(new StartAuditRun({ scope: 'all', depth }, SYSTEM));
  }
}

const RESULT = { scope: 'all', state: { $in: ['whole', 'different'] } } as const;
const NEWEST = { orderBy: { id: 'desc' } } as const;

/** The last run over everything that came to a result; `depth`: of that depth. Undefined before the first. */
export async function lastResult(em: EntityManager, depth?: Depth): Promise<AuditRun | null> {
  return em.findOne(AuditRun, { ...RESULT, ...(depth ? { depth } : {}) }, NEWEST);
}

/** How deep the run of the night of `day` reads: everything when AUDIT_FULL_DAYS have passed since that was done, or without any anchor. */
export async function nightlyDepth(
  em: EntityManager,
  day: string,
  { clock, config }: { clock: Pick<Clock, 'day'>; config: Config },
): Promise<Depth> {
  const last = await lastResult(em, 'full');
  if (!last) return 'full';
  const days = (Date.parse(day) - Date.parse(clock.day(last.startedAt ?? last.createdAt))) / DAY_MS;
  if (days >= config.env.AUDIT_FULL_DAYS) return 'full';
  // Raw: it belongs to the ledger and has no entity.
  const [anchor] = await em.execute<object[]>('SELECT 1 FROM account_anchor LIMIT 1');
  return anchor ? 'anchors' : 'full';
}

/** When the next run of the night starts: today or tomorrow, on the wire; null for `off`. `time`: `HH:mm`. */
export function nextNightly(time: string, clock: Pick<Clock, 'now' | 'day' | 'fromWire'>): string | null {
  if (time === 'off') return null;
  const now = clock.now();
  const today = `${clock.day(now)} ${time}:00`;
  return clock.fromWire(today) > now ? today : `${clock.day(new Date(now.getTime() + DAY_MS))} ${time}:00`;
}

const SYSTEM: Actor = { actor: 'system' };

/** Stops a run; it can be resumed. Throws NOT_FOUND, AUDIT_RUN_OVER. */
export class CancelAuditRun extends Command<void> {
  constructor(
    readonly id: number,
    readonly actor: Actor,
  ) {
    super();
  }
}

@CommandHandler(CancelAuditRun)
export class CancelAuditRunHandler implements ICommandHandler<CancelAuditRun> {
  constructor(
    private readonly em: EntityManager,
    private readonly actions: ActionLog,
    private readonly live: Live,
  ) {}

  async execute({ id, actor }: CancelAuditRun): Promise<void> {
    await this.em.fork().transactional(async (em) => {
      await lockKey(em, 'audit runs');
      if (!(await em.findOne(AuditRun, { id }))) throw new Refusal('NOT_FOUND');
      // The process that works on it looks every second whether it still runs.
      const change = { state: 'cancelled' as const, finishedAt: raw<Date>('clock_timestamp()') };
      if ((await em.nativeUpdate(AuditRun, { id, finishedAt: null }, change)) === 0)
        throw new Refusal('AUDIT_RUN_OVER');
      await this.actions.record(em, actor, { action: 'audit.cancel', target: { kind: 'audit', id: String(id) } });
    });
    await tellOperators(this.live, 'audit', { id });
  }
}

/** Goes on after the last account that the run has proven. Throws NOT_FOUND, AUDIT_RUN_NOT_STOPPED, AUDIT_RUN_UNDER_WAY. */
export class ResumeAuditRun extends Command<void> {
  constructor(
    readonly id: number,
    readonly actor: Actor,
  ) {
    super();
  }
}

@CommandHandler(ResumeAuditRun)
export class ResumeAuditRunHandler implements ICommandHandler<ResumeAuditRun> {
  constructor(
    private readonly em: EntityManager,
    private readonly actions: ActionLog,
    private readonly outbox: Outbox,
    private readonly live: Live,
  ) {}

  async execute({ id, actor }: ResumeAuditRun): Promise<void> {
    await this.em.fork().transactional(async (em) => {
      await lockKey(em, 'audit runs');
      const run = await em.findOne(AuditRun, { id });
      if (!run) throw new Refusal('NOT_FOUND');
      if (run.state !== 'cancelled' && run.state !== 'failed') throw new Refusal('AUDIT_RUN_NOT_STOPPED');
      await endSilentRuns(em);
      const { scope, userId } = run;
      if (await em.findOne(AuditRun, { scope, userId, finishedAt: null })) throw new Refusal('AUDIT_RUN_UNDER_WAY');
      await em.nativeUpdate(AuditRun, { id }, { state: 'waiting', finishedAt: null });
      await this.outbox.record(em, { type: 'AuditRunRequested', runId: id });
      await this.actions.record(em, actor, { action: 'audit.resume', target: { kind: 'audit', id: String(id) } });
    });
    await tellOperators(this.live, 'audit', { id });
  }
}

async function mustExist(em: EntityManager, userId: number): Promise<void> {
  // Raw: the accounts belong to the ledger and have no entity.
  const [account] = await em.execute<object[]>('SELECT 1 FROM member_account WHERE user_id = ?', [userId]);
  if (!account) throw new Refusal('NOT_FOUND');
}

/** Runs of the command line whose process has ended without a word. Those of the worker are taken over by the next one. */
const endSilentRuns = (em: EntityManager): Promise<unknown> =>
  em.execute(
    `UPDATE audit_run SET state = 'failed', finished_at = clock_timestamp()
     WHERE finished_at IS NULL AND started_by LIKE 'cli:%' AND beat_at < clock_timestamp() - interval '1 minute'`,
  );
