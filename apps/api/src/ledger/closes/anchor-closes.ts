import { EntityManager } from '@mikro-orm/postgresql';
import { Logger } from '@nestjs/common';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { CLOSE_FORMAT } from '@yiqiao/domain/closes';
import { Clock } from '../../platform/clock.js';
import { Config } from '../../platform/config.js';
import { closeSettings } from './close-keys.js';
import { publicRow, readCloses } from './close-rows.js';

/** Posts closes to the witnesses that have not accepted them yet (CLOSE_ANCHOR_URLS). Returns how many were accepted. */
export class AnchorCloses extends Command<number> {}

export const WITNESS_TIMEOUT_MS = 10_000;
/** After a failure a witness is tried again after a minute, then twice as long each time, up to an hour. */
const PAUSE_MS = 60_000;
const PAUSE_MAX_MS = 3_600_000;
/** Closes posted to one witness in one run. */
const AT_ONCE = 100;

@CommandHandler(AnchorCloses)
export class AnchorClosesHandler implements ICommandHandler<AnchorCloses> {
  readonly #log = new Logger('AnchorCloses');

  constructor(
    private readonly em: EntityManager,
    private readonly clock: Clock,
    private readonly config: Config,
  ) {}

  async execute(): Promise<number> {
    const witnesses = this.config.read(closeSettings).CLOSE_ANCHOR_URLS;
    const accepted = await Promise.all(witnesses.map((witness) => this.#anchor(witness)));
    return accepted.reduce((sum, n) => sum + n, 0);
  }

  /** In order, and no further than the first that is refused: a witness keeps an unbroken list. */
  async #anchor(witness: string): Promise<number> {
    const em = this.em.fork();
    const due = await em.execute<{ n: number; attempts: number; triedAt: Date | null }[]>(OPEN, [witness, AT_ONCE]);
    let accepted = 0;
    for (const { n, attempts, triedAt } of due) {
      const pause = attempts === 0 ? 0 : Math.min(PAUSE_MAX_MS, PAUSE_MS * 2 ** (attempts - 1));
      if (triedAt && this.clock.now().getTime() < triedAt.getTime() + pause) break;
      const problem = await this.#post(witness, n);
      const now = this.clock.now();
      await em.execute(RECORD, [n, witness, now, problem === null ? now : null, problem]);
      if (problem !== null) {
        this.#log.warn({ msg: 'a witness did not accept a close', witness, close: n, problem });
        break;
      }
      accepted++;
    }
    return accepted;
  }

  /** Null once it is accepted, else why not. */
  async #post(witness: string, n: number): Promise<string | null> {
    const [close] = await readCloses(this.em.fork(), 'WHERE n = ?', [n]);
    if (!close) return 'no such close';
    try {
      const response = await fetch(witness, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify({ format: CLOSE_FORMAT, ...publicRow(close) }),
        redirect: 'error',
        signal: AbortSignal.timeout(WITNESS_TIMEOUT_MS),
      });
      await response.body?.cancel();
      return response.ok ? null : `HTTP ${response.status}`;
    } catch (error) {
      return error instanceof Error ? `${error.name}: ${error.message}` : String(error);
    }
  }
}

const OPEN = `
SELECT c.n, coalesce(a.attempts, 0) AS attempts, a.tried_at AS "triedAt"
FROM ledger_close c LEFT JOIN close_anchor a ON a.n = c.n AND a.witness = ? WHERE a.anchored_at IS NULL ORDER BY c.n LIMIT ?`;

const RECORD = `
INSERT INTO close_anchor AS a (n, witness, attempts, tried_at, anchored_at, problem) VALUES (?, ?, 1, ?, ?, ?)
ON CONFLICT (n, witness) DO UPDATE SET attempts = a.attempts + 1, tried_at = excluded.tried_at, anchored_at = excluded.anchored_at,
  problem = excluded.problem`;
