import { Logger, type OnModuleDestroy } from '@nestjs/common';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type pg from 'pg';
import { RecordedRun, RunEnded } from '../../ledger/audit-runs/recorded-run.js';
import { CloseKeys } from '../../ledger/closes/close-keys.js';
import { Config } from '../../platform/config.js';
import { appConnection, openPool, OPERATOR_ROLE } from '../../platform/database.js';
import { Live } from '../../platform/live.js';
import { serializeError } from '../../platform/logger.js';
import { Standby } from '../../platform/standby.js';
import { isOutage } from '../../platform/outage.js';
import { tellOperators } from '../operator-streams.js';

/** Carries out a run, or goes on with one whose worker has ended. Of several workers the last one that takes it over carries it out. */
export class RunAudit extends Command<void> {
  constructor(readonly runId: number) {
    super();
  }
}

/** Of the audit, and one for its progress. */
const READERS = 5;
const CONNECTIONS = READERS + 1;

class Stopping extends Error {}

@CommandHandler(RunAudit)
export class RunAuditHandler implements ICommandHandler<RunAudit>, OnModuleDestroy {
  readonly #log = new Logger('Audit');
  readonly #stopping = new AbortController();

  constructor(
    private readonly config: Config,
    private readonly live: Live,
    private readonly standby: Standby,
  ) {}

  /** Before the queue waits for its jobs: the next worker goes on. */
  onModuleDestroy(): void {
    this.#stopping.abort(new Stopping('the worker stops'));
  }

  async execute({ runId }: RunAudit): Promise<void> {
    const pool = openPool({ ...appConnection(this.config, 'yiqiao-audit', OPERATOR_ROLE), max: CONNECTIONS });
    const reading = await this.standby.pool('yiqiao-audit', READERS);
    try {
      const run = await RecordedRun.claim(pool, runId);
      if (!run || (await this.#carryOut(run, reading ?? pool, reading === null))) return;
      // The standby went away, or cancelled the audit to go on replaying: the primary goes on after the last account that was proven.
      const again = await RecordedRun.claim(pool, runId);
      if (again) await this.#carryOut(again, pool, true);
    } finally {
      await reading?.end();
      await pool.end();
    }
  }

  /** False when the standby failed, `mustEnd` says that there is no other place. */
  async #carryOut(run: RecordedRun, reading: pg.Pool, mustEnd: boolean): Promise<boolean> {
    const families = new Set<number>();
    const tell = (): void => {
      void tellOperators(this.live, 'audit', { id: run.id });
      for (const familyId of run.closedFamilies)
        if (!families.has(familyId)) {
          families.add(familyId);
          void tellOperators(this.live, 'readOnly', { familyId });
        }
    };
    try {
      const { entries, findings } = await run.audit({
        reading,
        timeZone: this.config.env.APP_TIMEZONE,
        keys: new CloseKeys(this.config),
        signal: this.#stopping.signal,
        onBeat: tell,
      });
      this.#log.log({ msg: 'audited', run: run.id, entries, differences: findings.length });
      return true;
    } catch (error) {
      if (error instanceof RunEnded) return true;
      if (!mustEnd && !(error instanceof Stopping)) {
        this.standby.lost();
        this.#log.warn({ msg: 'an audit goes on at the primary', run: run.id, error: serializeError(error) });
        return false;
      }
      // Another worker, or this one when the database is back, goes on after the last account that was proven.
      if (error instanceof Stopping || isOutage(error)) throw error;
      this.#log.error({ msg: 'an audit failed', run: run.id, error: serializeError(error) });
      await run.end('failed');
      tell();
      return true;
    }
  }
}
