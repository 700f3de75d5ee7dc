import { Injectable, Logger, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { Ledger } from '../ledger/ledger.js';
import { serializeError } from '../platform/logger.js';
import { CoalescedReads } from '../platform/coalesced-reads.js';
import { frameOf } from './event-stream.js';
import { Streams } from './streams.js';

const EVERY_MS = 1_000;
/** Looking takes at most a twentieth of the time, however many are watched; but nobody waits longer than this for a look. */
const REST = 20;
const LONGEST_MS = 5_000;

const ACCOUNT = frameOf('account', {});

/**
 * Tells the streams of this process whenever what their member sees of its account has moved, whatever moved it and in which
 * process: a translation, a distribution, an operator. It looks at the balances instead of being told, so that the ledger writer
 * does nothing for it; while nobody signed in listens, it asks nothing.
 */
@Injectable()
export class AccountWatch implements OnApplicationBootstrap, OnApplicationShutdown {
  readonly #log = new Logger('AccountWatch');
  /** What each watched member's account was like when it was last looked at. */
  readonly #seen = new Map<number, string>();
  // After a restart all streams come back at once.
  readonly #first: CoalescedReads<number, string>;
  #timer: NodeJS.Timeout | undefined;
  #over = false;

  constructor(
    private readonly streams: Streams,
    private readonly ledger: Ledger,
  ) {
    this.#first = new CoalescedReads((userIds) => this.ledger.fingerprintsOf(userIds));
  }

  onApplicationBootstrap(): void {
    this.#later(EVERY_MS);
  }

  onApplicationShutdown(): void {
    this.#over = true;
    clearTimeout(this.#timer);
  }

  /**
   * From the moment that this answers, every movement of the member's account is told to its streams. Never throws: while the
   * database is away nothing is known, and the first look that succeeds tells.
   */
  async begin(userId: number): Promise<void> {
    if (this.#seen.has(userId)) return;
    try {
      const fingerprint = await this.#first.get(userId);
      // Whoever looked meanwhile knows better.
      if (fingerprint !== undefined && !this.#seen.has(userId)) this.#seen.set(userId, fingerprint);
    } catch (error) {
      this.#log.debug({ msg: 'the account of a stream could not be read', error: serializeError(error) });
    }
  }

  #later(ms: number): void {
    if (this.#over) return;
    this.#timer = setTimeout(() => void this.#look(), ms).unref();
  }

  async #look(): Promise<void> {
    const began = performance.now();
    const watched = this.#watched();
    try {
      if (watched.size > 0) this.#compare(await this.ledger.fingerprintsOf([...watched]));
    } catch (error) {
      this.#log.debug({ msg: 'the accounts of the streams could not be read', error: serializeError(error) });
    }
    const still = this.#watched();
    for (const userId of this.#seen.keys()) if (!still.has(userId)) this.#seen.delete(userId);
    this.#later(Math.min(LONGEST_MS, Math.max(EVERY_MS, (performance.now() - began) * REST)));
  }

  #compare(fingerprints: ReadonlyMap<number, string>): void {
    const moved = new Set<number>();
    for (const [userId, fingerprint] of fingerprints) {
      if (this.#seen.get(userId) === fingerprint) continue;
      this.#seen.set(userId, fingerprint);
      moved.add(userId);
    }
    if (moved.size === 0) return;
    for (const stream of this.streams.all())
      if (stream.reader.caller && moved.has(stream.reader.caller.userId)) stream.send(ACCOUNT);
  }

  #watched(): Set<number> {
    return new Set(this.streams.all().flatMap(({ reader }) => (reader.caller ? [reader.caller.userId] : [])));
  }
}
