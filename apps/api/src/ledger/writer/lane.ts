import { setImmediate as afterCallers, setTimeout as sleep } from 'node:timers/promises';
import { Refusal } from '@yiqiao/domain/errors';
import pg from 'pg';
import { isOutage } from '../../platform/outage.js';
import { applyBatch, type Verdict } from './batch.js';
import type { Command, Outcome } from './commands.js';
import { failpoint } from '../../platform/failpoint.js';
import { FairQueue } from './fair-queue.js';
import { KnownAccounts } from './known-accounts.js';
import { LockedOut } from './locked-out.js';

/** How much a lane takes on. Times in ms. */
export type LaneLimits = {
  /** Commands in one commit. */
  batch: number;
  /** Commands of one account before the others have their turn. */
  share: number;
  /** Commands waiting; beyond it callers are told to come back. */
  queue: number;
  /** How long a command may wait for a database that is away before its caller is told so. */
  patience: { open: number; close: number };
};

type Waiting = {
  id: string;
  userId: number;
  command: Command;
  giveUpAt: number;
  resolve: (outcome: Outcome) => void;
  reject: (error: unknown) => void;
};

const BUSY_SECONDS = 2;
const FIRST_PAUSE = 50;
const LONGEST_PAUSE = 1_000;
/** While only commands that wait for a lock are left. */
const LOCKED_PAUSE = 50;
/** SQLSTATE of a statement that took too long, and of one that waited too long for a lock that another transaction keeps. */
const STATEMENT_TIMEOUT = '57014';
const LOCK_TIMEOUT = '55P03';

export const busy = (): Refusal => new Refusal('SERVICE_BUSY', { retryAfterSeconds: BUSY_SECONDS });

/** One connection on which commands share commits: those that arrive while a batch is under way become the next one. */
export class Lane {
  readonly #queue: FairQueue<Waiting>;
  readonly #known = new KnownAccounts();
  readonly #lockedOut = new LockedOut<Waiting>();
  #client: pg.Client | undefined;
  #running: Promise<void> | undefined;
  #closed = false;

  constructor(
    private readonly connection: pg.ClientConfig,
    private readonly limits: LaneLimits,
  ) {
    this.#queue = new FairQueue(limits.share);
  }

  /** Answers when the command is committed. Rejects with its Refusal, or SERVICE_BUSY when the outcome is not known. */
  push(command: Command): Promise<Outcome> {
    if (this.#closed || this.#queue.size + this.#lockedOut.size >= this.limits.queue) return Promise.reject(busy());
    const { open, close } = this.limits.patience;
    const patience = command.do === 'hold' || command.do === 'note' ? open : close;
    return new Promise((resolve, reject) => {
      const { id, userId } = command;
      this.#queue.push({ id, userId, command, giveUpAt: Date.now() + patience, resolve, reject });
      this.#running ??= this.#run();
    });
  }

  /** Takes nothing new, finishes what it has, and lets the connection go. */
  async close(): Promise<void> {
    this.#closed = true;
    await this.#running;
    await this.#client?.end().catch(() => undefined);
  }

  async #run(): Promise<void> {
    do {
      // Callers that the last batch answered are given the chance to be in the next one.
      await afterCallers();
      await this.#deliver(this.#lockedOut.admit(this.#queue.take(this.limits.batch)));
      if (this.#lockedOut.size > 0) await this.#lookForUnlocked();
    } while (this.#queue.size + this.#lockedOut.size > 0);
    this.#running = undefined;
  }

  /** Whoever is free again waits its turn once more; for the others somebody says after a while that it takes too long. */
  async #lookForUnlocked(): Promise<void> {
    if (this.#queue.size === 0) await sleep(LOCKED_PAUSE);
    this.#lockedOut.keep(giveUpLate);
    // Without a connection the next look finds out.
    const free = await this.#connected()
      .then((client) => this.#lockedOut.back(client))
      .catch(() => []);
    for (const waiting of free) this.#queue.push(waiting);
  }

  /** Never throws: every command of the batch is answered here, whatever happens. */
  async #deliver(batch: Waiting[]): Promise<void> {
    for (let pause = FIRST_PAUSE; batch.length > 0; pause = Math.min(pause * 2, LONGEST_PAUSE)) {
      try {
        const verdicts = await applyBatch(
          await this.#connected(),
          batch.map((waiting) => waiting.command),
          this.#known,
        );
        failpoints(batch);
        batch.forEach((waiting, i) => this.#answer(waiting, verdicts[i]));
        return;
      } catch (error) {
        if (this.#client && isSqlState(error, LOCK_TIMEOUT)) {
          await this.#lockedOut.find(this.#client, batch).catch(() => undefined);
          batch = giveUpLate(this.#lockedOut.admit(batch));
          continue;
        }
        if (this.#client && (isTooSlow(error) || !isOutage(error))) return this.#divide(giveUpLate(batch), error);
        batch = giveUpLate(batch);
        giveUpLate(this.#queue.remove((waiting) => waiting.giveUpAt <= Date.now()));
        if (batch.length > 0) await sleep(pause);
      }
    }
  }

  #answer(waiting: Waiting, verdict: Verdict | undefined): void {
    if (!verdict) waiting.reject(new Error('a batch left a command without a verdict'));
    else if ('instead' in verdict) this.#queue.push({ ...waiting, command: verdict.instead });
    else if ('refusal' in verdict) waiting.reject(verdict.refusal);
    else waiting.resolve(verdict.outcome);
  }

  /** One bad command must fail alone: halve until it is found. */
  async #divide(batch: Waiting[], error: unknown): Promise<void> {
    if (isTooSlow(error)) return this.#divideByAccount(batch);
    const [only] = batch;
    if (batch.length === 1 && only) return only.reject(error);
    const middle = batch.length >> 1;
    await this.#deliver(batch.slice(0, middle));
    await this.#deliver(batch.slice(middle));
  }

  /** What takes so long belongs to an account: only its own commands wait in vain, and only once. */
  async #divideByAccount(batch: Waiting[]): Promise<void> {
    const groups = [...Map.groupBy(batch, ({ command }) => command.userId).values()];
    if (groups.length === 1) return batch.forEach((waiting) => waiting.reject(busy()));
    for (const group of groups) await this.#deliver(group);
  }

  async #connected(): Promise<pg.Client> {
    if (this.#client) return this.#client;
    const client = new pg.Client({ ...this.connection, pipeline: true, query_timeout: 15_000 });
    const forget = (): void => {
      if (this.#client === client) this.#client = undefined;
      this.#known.clear();
    };
    client.on('error', forget).on('end', forget);
    await client.connect();
    await client.query(SESSION);
    this.#client = client;
    return client;
  }
}

// A plan made for a table that is still empty would scan it when it has grown: these statements only ever follow keys.
const SESSION = `SET enable_seqscan = off; SET enable_hashjoin = off; SET enable_mergejoin = off; SET jit = off;
SET plan_cache_mode = force_generic_plan; SET statement_timeout = '5s'; SET lock_timeout = '1s'; SET idle_in_transaction_session_timeout = '10s'`;

/** Refuses those whose time is up and returns the others. */
function giveUpLate(batch: Waiting[]): Waiting[] {
  const now = Date.now();
  return batch.filter((waiting) => waiting.giveUpAt > now || waiting.reject(busy()) !== undefined);
}

const isSqlState = (error: unknown, state: string): boolean =>
  error instanceof Error && 'code' in error && error.code === state;

const isTooSlow = (error: unknown): boolean => isSqlState(error, STATEMENT_TIMEOUT);

function failpoints(batch: Waiting[]): void {
  if (batch.some(({ command }) => command.do === 'hold')) failpoint('after-hold-commit');
  if (batch.some(({ command }) => command.do === 'settle')) failpoint('after-settle-commit');
}
