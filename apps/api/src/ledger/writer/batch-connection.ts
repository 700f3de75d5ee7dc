import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import { Refusal } from '@yiqiao/domain/errors';
import pg from 'pg';
import type { AppConnection } from '../../platform/database.js';
import { failpoint } from '../../platform/failpoint.js';
import { isOutage, isReadOnlyServer } from '../../platform/outage.js';
import { record } from '../../platform/telemetry/instruments.js';
import { AccountCache } from './account-cache.js';
import { applyBatch } from './apply-batch.js';
import type { CommandResult } from './apply-commands.js';
import type { Command, Outcome } from './commands.js';
import { FairQueue } from './fair-queue.js';
import { LockWaiters } from './lock-waiters.js';

/** Limits of one connection. Times in ms. */
export type BatchLimits = {
  /** Commands in one commit. */
  batch: number;
  /** Commands of one account before the other accounts get their turn. */
  share: number;
  /** Commands waiting; beyond it callers get SERVICE_BUSY. */
  queue: number;
  /** How long a command may wait for an unreachable database: commands that begin something (`open`), and those that end it (`close`). */
  deadlines: { open: number; close: number };
  /** Of the days and months of caps. */
  timeZone: string;
};

type Pending = {
  id: string;
  userId: number;
  command: Command;
  deadline: number;
  /** When it was pushed, ms of performance.now(). */
  since: number;
  resolve: (outcome: Outcome) => void;
  reject: (error: unknown) => void;
};

const BUSY_SECONDS = 2;
const FIRST_PAUSE = 50;
const LONGEST_PAUSE = 200;
/** Between two attempts while every pending command waits for a lock. */
const LOCK_POLL_MS = 50;
/** SQLSTATEs. */
const STATEMENT_TIMEOUT = '57014';
const LOCK_TIMEOUT = '55P03';

export const busy = (): Refusal => new Refusal('SERVICE_BUSY', { retryAfterSeconds: BUSY_SECONDS });

/** One connection on which commands share commits: those that arrive while a batch is under way form the next batch. */
export class BatchConnection {
  readonly #queue: FairQueue<Pending>;
  readonly #cache = new AccountCache();
  readonly #lockWaiters = new LockWaiters<Pending>();
  #client: pg.Client | undefined;
  #connecting: Promise<pg.Client> | undefined;
  #running: Promise<void> | undefined;
  #closed = false;

  constructor(
    private readonly connection: AppConnection,
    private readonly limits: BatchLimits,
  ) {
    this.#queue = new FairQueue(limits.share);
  }

  /** Resolves when the command is committed. Rejects with its Refusal, or with SERVICE_BUSY when the outcome is unknown. */
  push(command: Command): Promise<Outcome> {
    if (this.#closed || this.#queue.size + this.#lockWaiters.size >= this.limits.queue) return Promise.reject(busy());
    const { open, close } = this.limits.deadlines;
    const deadline = Date.now() + (command.do === 'hold' || command.do === 'note' ? open : close);
    return new Promise((resolve, reject) => {
      const { id, userId } = command;
      this.#queue.push({ id, userId, command, deadline, since: performance.now(), resolve, reject });
      this.#running ??= this.#run();
    });
  }

  /** Commands that wait. */
  get waiting(): number {
    return this.#queue.size + this.#lockWaiters.size;
  }

  /** Accepts nothing new, finishes the queue and closes the connection. */
  async close(): Promise<void> {
    this.#closed = true;
    await this.#running;
    await this.#connecting?.catch(() => undefined);
    await this.#client?.end().catch(() => undefined);
  }

  async #run(): Promise<void> {
    do {
      // Yield once so that callers resolved by the last batch can join the next.
      await nextTurn();
      await this.#apply(this.#lockWaiters.admit(this.#queue.take(this.limits.batch)));
      if (this.#lockWaiters.size > 0) await this.#requeueUnlocked();
    } while (this.#queue.size + this.#lockWaiters.size > 0);
    this.#running = undefined;
  }

  /** Puts commands whose lock is gone back into the queue and rejects those past their deadline. */
  async #requeueUnlocked(): Promise<void> {
    if (this.#queue.size === 0) await sleep(LOCK_POLL_MS);
    this.#lockWaiters.keep(rejectExpired);
    // Without a connection there is nothing to look up; the next batch reports it.
    const unlocked = await this.#connected()
      .then((client) => this.#lockWaiters.takeUnlocked(client))
      .catch(() => []);
    for (const pending of unlocked) this.#queue.push(pending);
  }

  /** Never throws: every command of the batch is settled here. */
  async #apply(batch: Pending[]): Promise<void> {
    for (let pause = FIRST_PAUSE; batch.length > 0; pause = Math.min(pause * 2, LONGEST_PAUSE)) {
      try {
        const client = await this.#connected();
        const began = performance.now();
        const commands = batch.map((pending) => pending.command);
        const results = await applyBatch(client, commands, this.#cache);
        measure(batch, began);
        failpoints(batch);
        batch.forEach((pending, i) => this.#settle(pending, results[i]));
        return;
      } catch (error) {
        if (this.#client && isSqlState(error, LOCK_TIMEOUT)) {
          await this.#lockWaiters.findLocked(this.#client, batch).catch(() => undefined);
          batch = rejectExpired(this.#lockWaiters.admit(batch));
          continue;
        }
        if (this.#client && (isTooSlow(error) || !isOutage(error))) return this.#bisect(rejectExpired(batch), error);
        if (isReadOnlyServer(error)) this.#disconnect();
        batch = rejectExpired(batch);
        rejectExpired(this.#queue.remove((pending) => pending.deadline <= Date.now()));
        if (batch.length > 0) await sleep(pause);
      }
    }
  }

  #settle(pending: Pending, result: CommandResult | undefined): void {
    if (!result) pending.reject(new Error('a batch left a command without a result'));
    else if ('retry' in result) this.#queue.push({ ...pending, command: result.retry });
    else if ('refusal' in result) pending.reject(result.refusal);
    else pending.resolve(result.outcome);
  }

  /** Isolates the bad command by halving the batch, so that it fails alone. */
  async #bisect(batch: Pending[], error: unknown): Promise<void> {
    if (isTooSlow(error)) return this.#applyByAccount(batch);
    const [only] = batch;
    if (batch.length === 1 && only) return only.reject(error);
    const middle = batch.length >> 1;
    await this.#apply(batch.slice(0, middle));
    await this.#apply(batch.slice(middle));
  }

  /** A slow statement belongs to one account: only the commands of that account time out, and only once. */
  async #applyByAccount(batch: Pending[]): Promise<void> {
    const groups = [...Map.groupBy(batch, ({ command }) => command.userId).values()];
    if (groups.length === 1) return batch.forEach((pending) => pending.reject(busy()));
    for (const group of groups) await this.#apply(group);
  }

  #disconnect(): void {
    const client = this.#client;
    this.#client = undefined;
    this.#cache.clear();
    client?.end().catch(() => undefined);
  }

  async #connected(): Promise<pg.Client> {
    return this.#client ?? (this.#connecting ??= this.#connect().finally(() => (this.#connecting = undefined)));
  }

  /** After an outage everybody waits for this connection: it is there before the first command asks for it. */
  async #comeBack(): Promise<void> {
    while (!this.#closed && !this.#client) {
      await sleep(LONGEST_PAUSE, undefined, { ref: false });
      if (!this.#closed) await this.#connected().catch(() => undefined);
    }
  }

  async #connect(): Promise<pg.Client> {
    const client = new pg.Client({ ...this.connection, pipeline: true, query_timeout: 15_000 });
    const forget = (): void => {
      this.#cache.clear();
      if (this.#client !== client) return;
      this.#client = undefined;
      void this.#comeBack();
    };
    client.on('error', forget).on('end', forget);
    await client.connect();
    try {
      await this.connection.onConnect?.(client);
      await client.query(`${SESSION}; SET TimeZone = ${client.escapeLiteral(this.limits.timeZone)}`);
    } catch (error) {
      client.end().catch(() => undefined);
      throw error;
    }
    this.#client = client;
    return client;
  }
}

// These statements only follow keys, but a plan made while a table is empty would scan it once it has grown.
// A foreign row lock delays a batch by at most one second.
const SESSION = `SET enable_seqscan = off; SET enable_hashjoin = off; SET enable_mergejoin = off; SET jit = off;
SET plan_cache_mode = force_generic_plan; SET statement_timeout = '5s'; SET lock_timeout = '1s'; SET idle_in_transaction_session_timeout = '10s'`;

/** One figure for all that share the commit. The first has waited longest. */
function measure(batch: Pending[], began: number): void {
  record('yiqiao.ledger.batch.size', batch.length);
  record('yiqiao.ledger.batch.duration', (performance.now() - began) / 1_000);
  if (batch[0]) recordWait(batch[0], began);
}

/** Rejects commands past their deadline and returns the others. What was given up has waited as well, and longest of all. */
function rejectExpired(batch: Pending[]): Pending[] {
  const now = Date.now();
  const expired = batch.filter((pending) => pending.deadline <= now);
  if (expired[0]) recordWait(expired[0], performance.now());
  for (const pending of expired) pending.reject(busy());
  return batch.filter((pending) => pending.deadline > now);
}

const recordWait = ({ since }: Pending, until: number): void =>
  record('yiqiao.ledger.wait.duration', (until - since) / 1_000);

const isSqlState = (error: unknown, state: string): boolean =>
  error instanceof Error && 'code' in error && error.code === state;

const isTooSlow = (error: unknown): boolean => isSqlState(error, STATEMENT_TIMEOUT);

function failpoints(batch: Pending[]): void {
  if (batch.some(({ command }) => command.do === 'hold')) failpoint('after-hold-commit');
  if (batch.some(({ command }) => command.do === 'settle')) failpoint('after-settle-commit');
}
