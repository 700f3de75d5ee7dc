import { spawn } from 'node:child_process';
import path from 'node:path';
import { EntityManager } from '@mikro-orm/postgresql';
import { type BeforeApplicationShutdown, Logger } from '@nestjs/common';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { Clock } from '../platform/clock.js';
import { Config } from '../platform/config.js';
import { backupValues } from './settings.js';

/** Has the newest backup restored beside the product, once a night, within an hour of its time: a worker that was away then makes up for it. */
export class StartDrill extends Command<void> {}

const LATE_MS = 3_600_000;
const PROGRAM = path.resolve(import.meta.dirname, '../operator.js');

/** A drill takes minutes, processor time and memory: it is a process of its own, and writes what it found into the action log. */
@CommandHandler(StartDrill)
export class StartDrillHandler implements ICommandHandler<StartDrill>, BeforeApplicationShutdown {
  readonly #log = new Logger('Drill');
  #running: ReturnType<typeof spawn> | undefined;
  /** Of the drill that was started last, in ms: one that could not even write that it failed is not started again at once. */
  #startedFor = 0;

  constructor(
    private readonly em: EntityManager,
    private readonly clock: Clock,
    private readonly config: Config,
  ) {}

  async execute(): Promise<void> {
    const values = backupValues(this.config);
    if (!values || values.BACKUP_DRILL_AT === 'off' || this.#running) return;
    const now = this.clock.now();
    const due = this.clock.fromWire(`${this.clock.day(now)} ${values.BACKUP_DRILL_AT}:00`);
    const late = now.getTime() - due.getTime();
    if (late < 0 || late > LATE_MS || this.#startedFor === due.getTime()) return;
    if (await this.#isDone(due)) return;
    this.#startedFor = due.getTime();
    const child = spawn(process.execPath, ['--max-semi-space-size=8', PROGRAM, 'drill'], {
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    this.#running = child;
    child.once('error', (error) => this.#log.error({ msg: 'a drill could not be started', reason: error.message }));
    child.once('close', (code) => {
      this.#running = undefined;
      if (code !== 0) this.#log.error({ msg: 'the restore drill failed', code });
    });
  }

  beforeApplicationShutdown(): void {
    this.#running?.kill();
  }

  /** Raw: the columns of the action log are generated from its body. */
  async #isDone(due: Date): Promise<boolean> {
    const sql = `SELECT 1 FROM operator_action WHERE action = 'backup.drill' AND done_at >= ? LIMIT 1`;
    return (await this.em.fork().execute<object[]>(sql, [due])).length > 0;
  }
}
