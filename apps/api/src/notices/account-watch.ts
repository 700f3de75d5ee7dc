import { Injectable, Logger, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { Ledger } from '../ledger/ledger.js';
import { serializeError } from '../platform/logger.js';
import { CoalescedReads } from '../platform/coalesced-reads.js';
import { frameOf } from './event-stream.js';
import { Streams } from './streams.js';

const CHECK_MS = 1_000;
/** Checks take at most a twentieth of the time, but run at least this often. */
const PAUSE_FACTOR = 20;
const MAX_CHECK_MS = 5_000;

const ACCOUNT = frameOf('account', {});

/**
 * Sends an event to the streams of a member whose account has changed, whatever changed it and in which process: a translation, a
 * distribution, an operator. Polls the balances, so that the ledger writer need not publish; without signed-in streams it does not poll.
 */
@Injectable()
export class AccountWatch implements OnApplicationBootstrap, OnApplicationShutdown {
  readonly #log = new Logger('AccountWatch');
  /** The last fingerprint of each watched member's account. */
  readonly #seen = new Map<number, string>();
  // Coalesced, because after a restart all streams reconnect at once.
  readonly #first: CoalescedReads<number, string>;
  #timer: NodeJS.Timeout | undefined;
  #isClosed = false;

  constructor(
    private readonly streams: Streams,
    private readonly ledger: Ledger,
  ) {
    this.#first = new CoalescedReads((userIds) => this.ledger.fingerprintsOf(userIds));
  }

  onApplicationBootstrap(): void {
    this.#scheduleCheck(CHECK_MS);
  }

  onApplicationShutdown(): void {
    this.#isClosed = true;
    clearTimeout(this.#timer);
  }

  /**
   * The account's fingerprint: what changes it from here on is sent to the member's streams. Null without the database; then the first
   * successful check sends an event.
   */
  async begin(userId: number): Promise<string | null> {
    const known = this.#seen.get(userId);
    if (known !== undefined) return known;
    try {
      const fingerprint = await this.#first.get(userId);
      // A check in the meantime is newer.
      if (fingerprint !== undefined && !this.#seen.has(userId)) this.#seen.set(userId, fingerprint);
      return this.#seen.get(userId) ?? null;
    } catch (error) {
      this.#log.debug({ msg: 'the account of a stream could not be read', error: serializeError(error) });
      return null;
    }
  }

  #scheduleCheck(ms: number): void {
    if (this.#isClosed) return;
    this.#timer = setTimeout(() => void this.#check(), ms).unref();
  }

  async #check(): Promise<void> {
    const began = performance.now();
    const watched = this.#watched();
    try {
      if (watched.size > 0) this.#compare(await this.ledger.fingerprintsOf([...watched]));
    } catch (error) {
      this.#log.debug({ msg: 'the accounts of the streams could not be read', error: serializeError(error) });
    }
    const still = this.#watched();
    for (const userId of this.#seen.keys()) if (!still.has(userId)) this.#seen.delete(userId);
    this.#scheduleCheck(Math.min(MAX_CHECK_MS, Math.max(CHECK_MS, (performance.now() - began) * PAUSE_FACTOR)));
  }

  #compare(fingerprints: ReadonlyMap<number, string>): void {
    const changed = new Set<number>();
    for (const [userId, fingerprint] of fingerprints) {
      if (this.#seen.get(userId) === fingerprint) continue;
      this.#seen.set(userId, fingerprint);
      changed.add(userId);
    }
    if (changed.size === 0) return;
    for (const stream of this.streams.all())
      if (stream.reader.caller && changed.has(stream.reader.caller.userId)) stream.send(ACCOUNT);
  }

  #watched(): Set<number> {
    return new Set(this.streams.all().flatMap(({ reader }) => (reader.caller ? [reader.caller.userId] : [])));
  }
}
