import type pg from 'pg';
import { type Actor, appendAction } from '../../platform/action-chain.js';
import { uuid7 } from '../../platform/uuid7.js';
import type { CloseKeys } from '../closes/close-keys.js';
import {
  type AuditProgress,
  type AuditResult,
  auditLedger,
  type Depth,
  type Finding,
  FINDINGS_DEFAULT,
  type Proven,
  type Scope,
} from '../audit/audit.js';
import { RunDifferences } from './run-differences.js';
import { transactional } from './transactional.js';

export type RunScope = { scope: 'all' } | { scope: 'family' | 'account'; userId: number };

type RunRow = { id: number; scope: RunScope; depth: Depth; proven: Proven | null; activeMs: number };

/**
 * `reading`: where the ledger is read, five connections; by default where the run is recorded. `keys`: of anchors. `onBeat`: after progress was
 * written, about once a second.
 */
type Options = {
  reading?: pg.Pool | undefined;
  timeZone: string;
  keys: CloseKeys;
  limit?: number;
  /** Where to go on; by default where the run itself was. */
  before?: Proven | null;
  signal?: AbortSignal;
  onProgress?: (progress: AuditProgress) => void;
  onBeat?: () => void;
};

/** Somebody stopped the run, or another process has taken it over. */
export class RunEnded extends Error {}

type Counts = Record<'entries' | 'accounts' | 'families' | 'anchored', number>;
const NOTHING: Counts = { entries: 0, accounts: 0, families: 0, anchored: 0 };
/** Between two records of the progress. */
const BEAT_MS = 1_000;
/** Over so many of them the rate is measured. */
const RATE_BEATS = 5;

/** A run of the audit that records its progress and its result, and makes the families in which it finds a difference read-only. */
export class RecordedRun {
  readonly #runner: string;
  readonly #ended = new AbortController();
  #before: Proven | null = null;
  #latest: AuditProgress | null = null;
  #phase: 'accounts' | 'orders' | 'members' = 'accounts';
  #started = performance.now();
  #beating: Promise<void> | undefined;
  #samples: { at: number; entries: number }[] = [];
  #totals = { entries: 0, accounts: 0, families: 0 };
  readonly #differences: RunDifferences;
  #recorded = 0;

  private constructor(
    private readonly pool: pg.Pool,
    private readonly row: RunRow,
    runner: string,
  ) {
    this.#runner = runner;
    this.#differences = new RunDifferences(pool, row.id);
  }

  get id(): number {
    return this.row.id;
  }

  get closedFamilies(): ReadonlySet<number> {
    return this.#differences.closed;
  }

  /** Takes over a run that waits or whose process has ended. Null if it is over. `pool`: six connections of the operators' role. */
  static async claim(pool: pg.Pool, id: number): Promise<RecordedRun | null> {
    const runner = uuid7();
    const { rows } = await pool.query<Claimed>(
      `UPDATE audit_run SET state = 'running', runner = $2, beat_at = clock_timestamp(), started_at = coalesce(started_at, clock_timestamp())
       WHERE id = $1 AND finished_at IS NULL RETURNING scope, user_id, depth, proven, active_ms`,
      [id, runner],
    );
    const [row] = rows;
    if (!row) return null;
    const scope: RunScope =
      row.scope === 'all' ? { scope: row.scope } : { scope: row.scope, userId: Number(row.user_id) };
    const { depth, proven } = row;
    return new RecordedRun(pool, { id, scope, depth, proven, activeMs: Number(row.active_ms) }, runner);
  }

  /** Begins a run of the command line. Null while another whole run is under way. */
  static async begin(
    pool: pg.Pool,
    { scope, depth }: { scope: RunScope; depth: Depth },
    actor: Actor,
  ): Promise<RecordedRun | null> {
    const runner = uuid7();
    const id = await transactional(pool, async (execute) => {
      // The process of such a run has ended without a word.
      await execute(
        `UPDATE audit_run SET state = 'failed', finished_at = clock_timestamp()
         WHERE scope = 'all' AND finished_at IS NULL AND beat_at < clock_timestamp() - interval '1 minute'`,
        [],
      );
      const userId = 'userId' in scope ? scope.userId : null;
      const [made] = await execute<{ id: number }>(
        `INSERT INTO audit_run (scope, user_id, depth, state, started_by, started_at, runner)
         VALUES (?, ?, ?, 'running', ?, clock_timestamp(), ?)
         ON CONFLICT (scope) WHERE scope = 'all' AND finished_at IS NULL DO NOTHING RETURNING id`,
        [scope.scope, userId, depth, actor.actor, runner],
      );
      if (!made) return null;
      const target = { kind: 'audit', id: String(made.id) };
      await appendAction(execute, actor, { action: 'audit.start', target, after: { ...scope, depth }, at: new Date() });
      return Number(made.id);
    });
    return id === null ? null : new RecordedRun(pool, { id, scope, depth, proven: null, activeMs: 0 }, runner);
  }

  /** Runs to the end. Throws RunEnded, or the reason of `signal`, with the progress recorded: then it may be claimed again. */
  async audit({
    reading = this.pool,
    timeZone,
    keys,
    limit = FINDINGS_DEFAULT,
    before,
    signal,
    onProgress,
    onBeat,
  }: Options): Promise<AuditResult> {
    const { pool, row } = this;
    this.#before = before ?? (await unchanged(pool, row.proven));
    const scope = await scopeOf(pool, row.scope);
    await this.#count(scope);
    const after = this.#before?.userId;
    this.#started = performance.now();
    const timer = setInterval(() => void this.#beat(onBeat), BEAT_MS);
    try {
      const result = await auditLedger(reading, {
        scope: after === undefined ? scope : { ...scope, after },
        timeZone,
        depth: row.depth,
        anchors: { keys, store: pool },
        limit,
        signal: signal ? AbortSignal.any([signal, this.#ended.signal]) : this.#ended.signal,
        onPhase: (phase) => (this.#phase = phase),
        onProgress: (progress) => {
          this.#latest = progress;
          onProgress?.(progress);
        },
      });
      this.#latest = result;
      clearInterval(timer);
      await this.#beating;
      await this.#finish(result);
      return result;
    } catch (error) {
      clearInterval(timer);
      await this.#beating;
      await this.#write().catch(() => undefined);
      throw error;
    } finally {
      onBeat?.();
    }
  }

  /** Ends it without a result: `cancelled`, or `failed` after an error of ours. */
  async end(state: 'cancelled' | 'failed'): Promise<void> {
    await this.pool.query(
      `UPDATE audit_run SET state = $3, finished_at = clock_timestamp() WHERE id = $1 AND runner = $2 AND finished_at IS NULL`,
      [this.id, this.#runner, state],
    );
  }

  async #count({ userIds }: Scope): Promise<void> {
    const { rows } = await this.pool.query<Record<'entries' | 'accounts' | 'families', string>>(
      `SELECT coalesce(sum(a.entry_seq - coalesce(n.seq, 0)), 0) AS entries, count(*) AS accounts, count(DISTINCT a.family_id) AS families
       FROM member_account a LEFT JOIN account_anchor n ON n.user_id = a.user_id AND $2
       WHERE $1::bigint[] IS NULL OR a.user_id = ANY ($1)`,
      [userIds ?? null, this.row.depth === 'anchors'],
    );
    for (const { entries, accounts, families } of rows)
      this.#totals = { entries: Number(entries), accounts: Number(accounts), families: Number(families) };
    await this.#write();
  }

  /** One at a time; without an answer of the database the next one tries again. */
  #beat(onBeat: (() => void) | undefined): Promise<void> {
    this.#beating ??= this.#write()
      .then(
        () => onBeat?.(),
        () => undefined,
      )
      .finally(() => (this.#beating = undefined));
    return this.#beating;
  }

  async #write(): Promise<void> {
    const { entries, accounts, families, anchored } = this.#done();
    const found = this.#latest?.found ?? [];
    const differences = found.length > this.#recorded ? await this.#found(found) : null;
    const at = this.#latest?.at ?? null;
    const progress = {
      phase: this.#phase,
      perSecond: this.#rate(entries),
      memory: Math.round(process.memoryUsage.rss() / 1e6),
      at: at && { account: at.userId, family: at.familyId, seq: at.seq },
    };
    const { rowCount } = await this.pool.query(
      `UPDATE audit_run SET beat_at = clock_timestamp(), active_ms = $3, entries = $4, accounts = $5, families = $6, entries_total = $7,
         accounts_total = $8, families_total = $9, progress = $10, proven = coalesce($11::jsonb, proven),
         differences = coalesce($12::jsonb, differences), anchored = $13
       WHERE id = $1 AND runner = $2 AND state = 'running'`,
      [
        this.id,
        this.#runner,
        this.#activeMs(),
        entries,
        accounts,
        families,
        Math.max(this.#totals.entries, entries),
        Math.max(this.#totals.accounts, accounts),
        Math.max(this.#totals.families, families),
        JSON.stringify(progress),
        JSON.stringify(this.#proven()),
        differences && JSON.stringify(differences),
        anchored,
      ],
    );
    if (differences) this.#recorded = found.length;
    if (rowCount === 0) this.#ended.abort(new RunEnded('the run has ended'));
  }

  async #finish({ findings, orders }: AuditResult): Promise<void> {
    const differences = await this.#found(findings);
    await this.#write();
    const { rowCount } = await this.pool.query(
      `UPDATE audit_run SET state = $3, finished_at = clock_timestamp(), orders = $4, differences = $5,
         families = CASE WHEN $6 THEN families ELSE families_total END
       WHERE id = $1 AND runner = $2 AND state = 'running'`,
      [
        this.id,
        this.#runner,
        findings.length > 0 ? 'different' : 'whole',
        orders,
        JSON.stringify(differences),
        findings.length >= FINDINGS_DEFAULT,
      ],
    );
    if (rowCount === 0) throw new RunEnded('the run has ended');
  }

  #found(findings: readonly Finding[]): Promise<object[]> {
    const { families } = this.#totals;
    return this.#differences.record(findings, this.row.scope.scope === 'all' ? families : null);
  }

  #done(): Counts {
    return this.#withBefore(this.#latest ?? NOTHING);
  }

  #proven(): Proven | null {
    const last = this.#latest?.last;
    return last ? { ...last, ...this.#withBefore(last) } : this.#before;
  }

  #withBefore({ entries, accounts, families, anchored }: Counts): Counts {
    const before = this.#before ?? NOTHING;
    return {
      entries: entries + before.entries,
      accounts: accounts + before.accounts,
      families: families + before.families,
      anchored: anchored + before.anchored,
    };
  }

  #activeMs(): number {
    return Math.round(this.row.activeMs + performance.now() - this.#started);
  }

  /** Entries per second over the last beats. */
  #rate(entries: number): number {
    const now = { at: performance.now(), entries };
    this.#samples = [...this.#samples.slice(-RATE_BEATS), now];
    const [first = now] = this.#samples;
    return now.at > first.at ? Math.round(((now.entries - first.entries) * 1_000) / (now.at - first.at)) : 0;
  }
}

type Claimed = {
  scope: 'all' | 'family' | 'account';
  user_id: string | null;
  depth: Depth;
  proven: Proven | null;
  active_ms: string;
};

async function scopeOf(pool: pg.Pool, run: RunScope): Promise<Scope> {
  if (run.scope === 'all') return {};
  if (run.scope === 'account') return { userIds: [run.userId] };
  const { rows } = await pool.query<{ user_id: string }>(
    `SELECT user_id FROM member_account WHERE family_id = (SELECT family_id FROM member_account WHERE user_id = $1) ORDER BY user_id`,
    [run.userId],
  );
  return { userIds: rows.map((row) => Number(row.user_id)) };
}

/** What an earlier run has proven, unless its last entry is another one now. */
export async function unchanged(pool: pg.Pool, proven: Proven | null): Promise<Proven | null> {
  if (!proven || proven.seq === 0) return proven;
  const { rows } = await pool.query<{ hash: string }>(
    `SELECT encode(hash, 'hex') AS hash FROM account_log WHERE user_id = $1 AND seq = $2`,
    [proven.userId, proven.seq],
  );
  return rows[0]?.hash === proven.head ? proven : null;
}
