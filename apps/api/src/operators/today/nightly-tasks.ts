import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { DAY_MS } from '@yiqiao/domain/limits';
import type { Answer } from '@yiqiao/contracts/endpoint';
import type { getAuditRun } from '@yiqiao/contracts/operator/audits';
import type { getSystemDetails } from '@yiqiao/contracts/operator/system';
import { BACKUP_ACTION, DRILL_ACTION } from '../action-log.js';
import { AuditRun } from '../audits/audit-run.entity.js';
import { lastResult } from '../audits/audit-runs.js';
import { PaymentDifference, Reconciliation } from '../payments/reconciliation.entity.js';
import { Clock } from '../../platform/clock.js';
import { Config } from '../../platform/config.js';

type Task = Answer<typeof getSystemDetails>['nightly'][number];

const HOUR_MS = 3_600_000;
/** Once a day, and some hours for one that takes long. */
const LATE_MS = 26 * HOUR_MS;

type AuditState = Answer<typeof getAuditRun>['state'];
const AUDIT_STATES: Record<AuditState, Task['state']> = {
  waiting: 'running',
  running: 'running',
  whole: 'ok',
  different: 'differs',
  cancelled: 'failed',
  failed: 'failed',
};

const CLOSE = `
SELECT date::text, cut_at AS "cutAt", made_at AS "madeAt",
  (SELECT count(*)::int FROM close_anchor a WHERE a.n = c.n AND anchored_at IS NOT NULL) AS witnesses
FROM ledger_close c ORDER BY n DESC LIMIT 1`;
const BACKUP = `
SELECT good.at, good.bytes, good.seconds, CASE WHEN tried.n > coalesce(good.n, 0) THEN tried.at END AS "failedAt"
FROM (SELECT n, done_at AS at FROM operator_action WHERE action = ? ORDER BY n DESC LIMIT 1) tried
LEFT JOIN (
  SELECT n, done_at AS at, (body::jsonb #>> '{after,bytes}')::bigint AS bytes, (body::jsonb #>> '{after,seconds}')::int AS seconds
  FROM operator_action WHERE action = ? AND body::jsonb #> '{after,failed}' IS NULL ORDER BY n DESC LIMIT 1) good ON true`;
const DRILL = `
SELECT done_at AS at, (body::jsonb #>> '{after,seconds}')::int AS seconds, (body::jsonb #>> '{after,differences}')::int AS differences
FROM operator_action WHERE action = ? ORDER BY n DESC LIMIT 1`;

/** When what happens once a night was done last, and how it ended (operators §10). */
@Injectable()
export class NightlyTasks {
  constructor(
    private readonly clock: Clock,
    private readonly config: Config,
  ) {}

  async read(em: EntityManager): Promise<Task[]> {
    return Promise.all([
      this.#audit(em),
      this.#fullAudit(em),
      this.#close(em),
      this.#reconciliation(em),
      this.#backup(em),
      this.#drill(em),
    ]);
  }

  #age = (at: Date): number => Math.max(0, this.clock.now().getTime() - at.getTime());

  #task(
    name: Task['name'],
    done: { at: Date; seconds?: number; date?: string; count?: number } | null,
    state: Task['state'],
  ): Task {
    return {
      name,
      at: done && this.clock.toWire(done.at),
      ageSeconds: done && Math.round(this.#age(done.at) / 1_000),
      seconds: done?.seconds ?? null,
      date: done?.date ?? null,
      count: done?.count ?? null,
      failedAt: null,
      state,
    };
  }

  /** The newest run over everything: the worker's whatever became of it, one that somebody started once it has a result. */
  async #audit(em: EntityManager): Promise<Task> {
    const run = await em
      .fork()
      .findOne(
        AuditRun,
        { scope: 'all', $or: [{ startedBy: 'system' }, { state: { $in: ['whole', 'different'] } }] },
        { orderBy: { id: 'desc' } },
      );
    if (!run) return this.#task('audit', null, 'unknown');
    const at = run.startedAt ?? run.createdAt;
    const done = { at, seconds: Math.round(run.activeMs / 1_000), count: run.differences.length };
    const isLate = this.#age(at) > LATE_MS;
    const state = AUDIT_STATES[run.state as AuditState];
    return this.#task('audit', done, state === 'ok' && isLate ? 'late' : state);
  }

  /** The last run that read every entry, whoever started it. */
  async #fullAudit(em: EntityManager): Promise<Task> {
    const run = await lastResult(em.fork(), 'full');
    if (!run) return this.#task('fullAudit', null, 'unknown');
    const at = run.startedAt ?? run.createdAt;
    const done = { at, seconds: Math.round(run.activeMs / 1_000), count: run.differences.length };
    const isLate = this.#age(at) > LATE_MS + (this.config.env.AUDIT_FULL_DAYS - 1) * DAY_MS;
    return this.#task('fullAudit', done, run.state === 'different' ? 'differs' : isLate ? 'late' : 'ok');
  }

  async #close(em: EntityManager): Promise<Task> {
    type Row = { date: string; cutAt: Date; madeAt: Date; witnesses: number };
    const [close] = await em.fork().execute<Row[]>(CLOSE);
    if (!close) return this.#task('close', null, 'unknown');
    const { date, madeAt, cutAt, witnesses } = close;
    // The day after its own is over as well, for an hour.
    const isLate = this.#age(cutAt) > 25 * HOUR_MS;
    return this.#task('close', { at: madeAt, date, count: witnesses }, isLate ? 'late' : 'ok');
  }

  async #reconciliation(em: EntityManager): Promise<Task> {
    const own = em.fork();
    const [run] = await own.find(Reconciliation, {}, { orderBy: { id: 'desc' }, limit: 1 });
    if (!run) return this.#task('reconciliation', null, 'unknown');
    const open = await own.count(PaymentDifference, { closedAt: null });
    const seconds = Math.round(((run.finishedAt ?? this.clock.now()).getTime() - run.startedAt.getTime()) / 1_000);
    const isLate = this.#age(run.startedAt) > LATE_MS;
    const ended = run.state === 'failed' ? 'failed' : open > 0 ? 'differs' : isLate ? 'late' : 'ok';
    return this.#task(
      'reconciliation',
      { at: run.startedAt, seconds, count: open },
      run.state === 'running' ? 'running' : ended,
    );
  }

  /** The last full copy; or a backup by other means, as the command line recorded it. One that failed since does not make it younger. */
  async #backup(em: EntityManager): Promise<Task> {
    type Row = { at: Date | null; bytes: number | null; seconds: number | null; failedAt: Date | null };
    const [backup] = await em.fork().execute<Row[]>(BACKUP, [BACKUP_ACTION, BACKUP_ACTION]);
    if (!backup) return this.#task('backup', null, 'unknown');
    const { at, bytes, seconds, failedAt } = backup;
    const size = { ...(bytes === null ? {} : { count: bytes }), ...(seconds === null ? {} : { seconds }) };
    const done = at && { at, ...size };
    if (failedAt) return { ...this.#task('backup', done, 'failed'), failedAt: this.clock.toWire(failedAt) };
    return this.#task('backup', done, at && this.#age(at) > LATE_MS ? 'late' : 'ok');
  }

  /** The last restore of the newest backup beside the product. Without a count of differences it could not be restored. */
  async #drill(em: EntityManager): Promise<Task> {
    type Row = { at: Date; seconds: number | null; differences: number | null };
    const [drill] = await em.fork().execute<Row[]>(DRILL, [DRILL_ACTION]);
    if (!drill) return this.#task('drill', null, 'unknown');
    const { at, seconds, differences } = drill;
    const done = { at, ...(seconds === null ? {} : { seconds }), count: differences ?? 0 };
    if (differences === null) return this.#task('drill', done, 'failed');
    return this.#task('drill', done, differences > 0 ? 'differs' : this.#age(at) > LATE_MS ? 'late' : 'ok');
  }
}
