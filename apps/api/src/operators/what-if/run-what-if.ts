import { Logger, type OnModuleDestroy } from '@nestjs/common';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { emptyTally, isSound, type Tally } from '@yiqiao/domain/what-if-tally';
import type pg from 'pg';
import { replayWhatIf, type SpanSize } from '../../ledger/what-if/replay-what-if.js';
import { Config } from '../../platform/config.js';
import { appConnection, openPool, OPERATOR_ROLE } from '../../platform/database.js';
import { Live } from '../../platform/live.js';
import { serializeError } from '../../platform/logger.js';
import { isOutage } from '../../platform/outage.js';
import { uuid7 } from '../../platform/uuid7.js';
import { tellOperators } from '../operator-streams.js';
import { baselineOf, changesOf, type Kept, resultOf } from './what-if-result.js';

/** Carries out a run, or goes on with one whose worker has ended. Of several workers the last one that takes it over carries it out. */
export class RunWhatIf extends Command<void> {
  constructor(readonly whatIfId: number) {
    super();
  }
}

/** Three of the replay, and one for its progress. */
const CONNECTIONS = 4;
const BEAT_MS = 1_000;

class Stopping extends Error {}
/** Somebody stopped the run, or another worker has taken it over. */
class RunEnded extends Error {}

type Claimed = {
  from_at: Date;
  to_at: Date;
  changes: Parameters<typeof changesOf>[0];
  kept: Kept | null;
  active_ms: string;
};

@CommandHandler(RunWhatIf)
export class RunWhatIfHandler implements ICommandHandler<RunWhatIf>, OnModuleDestroy {
  readonly #log = new Logger('WhatIf');
  readonly #stopping = new AbortController();

  constructor(
    private readonly config: Config,
    private readonly live: Live,
  ) {}

  /** Before the queue waits for its jobs: the next worker goes on. */
  onModuleDestroy(): void {
    this.#stopping.abort(new Stopping('the worker stops'));
  }

  async execute({ whatIfId: id }: RunWhatIf): Promise<void> {
    const pool = openPool({ ...appConnection(this.config, 'yiqiao-what-if', OPERATOR_ROLE), max: CONNECTIONS });
    const runner = uuid7();
    try {
      const { rows } = await pool.query<Claimed>(CLAIM, [id, runner]);
      const [claimed] = rows;
      if (!claimed) return;
      await this.#carryOut(pool, { id, runner, claimed });
    } catch (error) {
      if (error instanceof RunEnded) return;
      // Another worker, or this one when the database is back, goes on behind the last family.
      if (error instanceof Stopping || isOutage(error)) throw error;
      this.#log.error({ msg: 'a what-if failed', run: id, error: serializeError(error) });
      await pool.query(END, [id, runner, 'failed', null, null]);
    } finally {
      await pool.end();
      void tellOperators(this.live, 'whatIf', { id });
    }
  }

  async #carryOut(
    pool: pg.Pool,
    { id, runner, claimed }: { id: number; runner: string; claimed: Claimed },
  ): Promise<void> {
    const changes = changesOf(claimed.changes);
    const tally: Tally = claimed.kept?.tally ?? emptyTally();
    const ended = new AbortController();
    const begun = performance.now();
    const latest: { size: SpanSize | null; kept: string | null } = { size: null, kept: null };
    const activeMs = (): number => Math.round(Number(claimed.active_ms) + performance.now() - begun);
    const write = async (): Promise<void> => {
      const { entries = 0, families = 0 } = latest.size ?? {};
      const values = [tally.entries, tally.families, entries, families, latest.kept];
      const { rowCount } = await pool.query(BEAT, [id, runner, activeMs(), ...values]);
      if (rowCount === 0) ended.abort(new RunEnded('the run has ended'));
    };
    let beating: Promise<void> | undefined;
    const beat = (): Promise<void> =>
      (beating ??= write()
        .then(
          () => void tellOperators(this.live, 'whatIf', { id }),
          () => undefined,
        )
        .finally(() => (beating = undefined)));
    const timer = setInterval(() => void beat(), BEAT_MS);
    try {
      await replayWhatIf(pool, {
        span: {
          from: claimed.from_at.getTime(),
          to: claimed.to_at.getTime(),
          after: claimed.kept?.familyId ?? 0,
        },
        changes,
        tally,
        signal: AbortSignal.any([this.#stopping.signal, ended.signal]),
        onSize: (size) => (latest.size ??= sizeBefore(size, claimed.kept)),
        onFamily: (familyId) => (latest.kept = JSON.stringify({ familyId, tally } satisfies Kept)),
      });
    } finally {
      clearInterval(timer);
      await beating;
      await write().catch(() => undefined);
    }
    const sound = isSound(tally);
    const result = sound ? JSON.stringify(await resultOf(pool, tally, changes)) : null;
    const state = sound ? 'done' : 'unsound';
    await pool.query(END, [id, runner, state, JSON.stringify(baselineOf(tally)), result]);
    this.#log.log({ msg: 'what-if', run: id, entries: tally.entries, state });
  }
}

/** With what an earlier worker has replayed. */
const sizeBefore = ({ entries, families }: SpanSize, kept: Kept | null): SpanSize => ({
  entries: entries + (kept?.tally.entries ?? 0),
  families: families + (kept?.tally.families ?? 0),
});

const CLAIM = `
UPDATE what_if SET state = 'running', runner = $2, started_at = coalesce(started_at, clock_timestamp())
WHERE id = $1 AND finished_at IS NULL RETURNING from_at, to_at, changes, kept, active_ms`;
const BEAT = `
UPDATE what_if SET active_ms = $3, entries = $4, families = $5, entries_total = greatest(entries_total, $6, $4),
  families_total = greatest(families_total, $7, $5), kept = coalesce($8::jsonb, kept)
WHERE id = $1 AND runner = $2 AND state = 'running'`;
const END = `
UPDATE what_if SET state = $3, finished_at = clock_timestamp(), baseline = $4, result = $5, kept = CASE WHEN $3 = 'failed' THEN kept END
WHERE id = $1 AND runner = $2 AND state = 'running'`;
