import type { AppConnection } from '../../platform/database.js';
import { failpoint } from '../../platform/failpoint.js';
import { observe } from '../../platform/telemetry/instruments.js';
import { step } from '../../platform/telemetry/tracing.js';
import { BatchConnection, type BatchLimits } from './batch-connection.js';
import type { Command, Held, Hold, Note, Outcome, Release, Released, Settle, Settled } from './commands.js';

export type WriterOptions = BatchLimits & { connections: number };

export const WRITER_DEFAULTS: WriterOptions = {
  connections: 1,
  batch: 512,
  share: 64,
  queue: 4_096,
  deadlines: { open: 10_000, close: 30_000 },
  timeZone: 'Asia/Shanghai',
};

/**
 * The hot path of the ledger: commands of many callers share commits. An account always uses the same connection, so its commands are
 * applied in order of arrival. Correctness rests on row locks, not on connections, so several processes may write.
 */
export class LedgerWriter {
  readonly #connections: BatchConnection[];

  /** `connection` uses the application's role. It connects on first use. */
  constructor(connection: AppConnection, options: Partial<WriterOptions> = {}) {
    const { connections, ...limits } = { ...WRITER_DEFAULTS, ...options };
    this.#connections = Array.from({ length: connections }, () => new BatchConnection(connection, limits));
    observe((note) => {
      const waiting = this.#connections.reduce((sum, one) => sum + one.waiting, 0);
      note('yiqiao.ledger.queue.length', waiting);
    });
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

  /** Accepts nothing new and finishes what is queued. */
  async close(): Promise<void> {
    await Promise.all(this.#connections.map((connection) => connection.close()));
  }

  #push(command: Command): Promise<Outcome> {
    const connection = this.#connections[command.userId % this.#connections.length];
    if (!connection) throw new RangeError(`no connection for user ${command.userId}`);
    return step(`ledger ${command.do}`, {}, () => connection.push(command));
  }
}
