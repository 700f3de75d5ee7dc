import type pg from 'pg';
import type { Command, Held, Hold, Note, Outcome, Release, Released, Settle, Settled } from './commands.js';
import { failpoint } from '../../platform/failpoint.js';
import { Lane, type LaneLimits } from './lane.js';

export type WriterOptions = LaneLimits & { lanes: number };

export const WRITER_DEFAULTS: WriterOptions = {
  lanes: 1,
  batch: 512,
  share: 64,
  queue: 4_096,
  patience: { open: 10_000, close: 30_000 },
};

/**
 * The hot path of the ledger: commands of many callers share commits. An account always meets the same lane, so its commands
 * are applied in the order in which they came; correctness rests on row locks, not on lanes, so several processes may write.
 */
export class LedgerWriter {
  readonly #lanes: Lane[];

  /** `connection` works as the application's role; connections are made when first needed. */
  constructor(connection: pg.ClientConfig, options: Partial<WriterOptions> = {}) {
    const { lanes, ...limits } = { ...WRITER_DEFAULTS, ...options };
    this.#lanes = Array.from({ length: lanes }, () => new Lane(connection, limits));
  }

  hold(command: Hold): Promise<Held> {
    return this.#push({ do: 'hold', ...command }) as Promise<Held>;
  }

  settle(command: Settle): Promise<Settled> {
    failpoint('before-settle');
    return this.#push({ do: 'settle', ...command }) as Promise<Settled>;
  }

  release(command: Release): Promise<Released> {
    return this.#push({ do: 'release', ...command }) as Promise<Released>;
  }

  async note(command: Note): Promise<void> {
    await this.#push({ do: 'note', ...command });
  }

  /** Takes nothing new, finishes what it has. */
  async close(): Promise<void> {
    await Promise.all(this.#lanes.map((lane) => lane.close()));
  }

  #push(command: Command): Promise<Outcome> {
    const lane = this.#lanes[command.userId % this.#lanes.length];
    if (!lane) throw new RangeError(`no lane for user ${command.userId}`);
    return lane.push(command);
  }
}
