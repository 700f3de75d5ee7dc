import { type BeforeApplicationShutdown, Injectable } from '@nestjs/common';
import { Refusal } from '@yiqiao/domain/errors';
import { Config } from '../platform/config.js';
import { ProcessReports } from '../platform/process-reports.js';
import { networkOf } from '../platform/rate-limits.js';
import { type Limit, SharedPlaces } from '../platform/shared-places.js';
import { Vault } from '../platform/vault.js';
import type { EventStream } from './event-stream.js';

const SECOND_MS = 1_000;
const RETRY_SECONDS = 5;

type Entry = { stream: EventStream; leave: () => void };

/** The open streams of this process, with their limits and heartbeat. */
@Injectable()
export class Streams implements BeforeApplicationShutdown {
  readonly #entries = new Map<string, Entry>();
  readonly #families = new Map<number, Set<EventStream>>();
  /** One group for each second of the heartbeat interval, to spread the work. */
  readonly #rounds: Set<EventStream>[];
  readonly #most: { all: number; perNetwork: number };
  #turn = 0;
  #timer: NodeJS.Timeout | undefined;
  #closing = false;

  constructor(
    { env }: Config,
    reports: ProcessReports,
    private readonly places: SharedPlaces,
    private readonly vault: Vault,
  ) {
    reports.countStreams(() => this.size);
    this.#rounds = Array.from({ length: env.STREAM_HEARTBEAT_SECONDS }, () => new Set());
    this.#most = { all: env.LIMIT_STREAMS, perNetwork: env.LIMIT_STREAMS_PER_IP };
  }

  get size(): number {
    return this.#entries.size;
  }

  all(): EventStream[] {
    return [...this.#entries.values()].map(({ stream }) => stream);
  }

  /** The streams of one family. */
  ofFamily(familyId: number): Iterable<EventStream> {
    return this.#families.get(familyId) ?? [];
  }

  /**
   * Adds the stream until it closes and ends an older one with the same key. Throws SERVICE_BUSY at this process's limit,
   * TOO_MANY_REQUESTS at the limit of the address, which all processes share.
   */
  async add(stream: EventStream): Promise<void> {
    const { key, address } = stream.reader;
    this.end(key);
    this.#mustHaveRoom();
    const network = this.vault.hmac('limit', networkOf(address)).slice(0, 32);
    const place = { key: `streams:${network}`, most: this.#most.perNetwork };
    if (!this.places.takeNow(place) && !(await this.places.enter(place)))
      throw new Refusal('TOO_MANY_REQUESTS', { retryAfterSeconds: RETRY_SECONDS });
    try {
      this.#mustHaveRoom();
    } catch (error) {
      this.places.leave(place);
      throw error;
    }
    this.end(key);
    const round = this.#rounds[this.#turn];
    round?.add(stream);
    this.#joinFamily(stream);
    this.#entries.set(key, { stream, leave: () => this.#release(stream, { place, round }) });
    this.#timer ??= setInterval(() => this.#beat(), SECOND_MS).unref();
    stream.onClose(() => this.#leave(stream));
  }

  /** Ends the stream with this key, unless its id is `except`. */
  end(key: string, except?: string): void {
    const entry = this.#entries.get(key);
    if (!entry || entry.stream.id === except) return;
    entry.leave();
    entry.stream.end();
  }

  /** Otherwise the server would wait for these connections. */
  beforeApplicationShutdown(): void {
    this.#closing = true;
    for (const key of [...this.#entries.keys()]) this.end(key);
  }

  #leave(stream: EventStream): void {
    const entry = this.#entries.get(stream.reader.key);
    if (entry?.stream === stream) entry.leave();
  }

  #mustHaveRoom(): void {
    if (this.#closing || this.#entries.size >= this.#most.all)
      throw new Refusal('SERVICE_BUSY', { retryAfterSeconds: RETRY_SECONDS });
  }

  #release(stream: EventStream, { place, round }: { place: Limit; round: Set<EventStream> | undefined }): void {
    this.#entries.delete(stream.reader.key);
    round?.delete(stream);
    this.#leaveFamily(stream);
    this.places.leave(place);
    if (this.#entries.size > 0) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  #joinFamily(stream: EventStream): void {
    const familyId = stream.reader.caller?.familyId;
    if (familyId === undefined) return;
    const family = this.#families.get(familyId);
    if (family) family.add(stream);
    else this.#families.set(familyId, new Set([stream]));
  }

  #leaveFamily(stream: EventStream): void {
    const familyId = stream.reader.caller?.familyId ?? 0;
    const family = this.#families.get(familyId);
    if (family?.delete(stream) && family.size === 0) this.#families.delete(familyId);
  }

  #beat(): void {
    this.#turn = (this.#turn + 1) % this.#rounds.length;
    for (const stream of this.#rounds[this.#turn] ?? []) stream.beat();
  }
}
