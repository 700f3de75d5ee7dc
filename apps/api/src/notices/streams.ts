import { type BeforeApplicationShutdown, Injectable } from '@nestjs/common';
import { Refusal } from '@yiqiao/domain/errors';
import { Config } from '../platform/config.js';
import { ProcessReports } from '../platform/process-reports.js';
import { networkOf } from '../platform/rate-limits.js';
import type { EventStream } from './event-stream.js';

const SECOND_MS = 1_000;
const RETRY_SECONDS = 5;

type Entry = { stream: EventStream; leave: () => void };

/** The open streams of this process, with their limits and heartbeat. */
@Injectable()
export class Streams implements BeforeApplicationShutdown {
  readonly #entries = new Map<string, Entry>();
  readonly #families = new Map<number, Set<EventStream>>();
  readonly #perNetwork = new Map<string, number>();
  /** One group for each second of the heartbeat interval, to spread the work. */
  readonly #rounds: Set<EventStream>[];
  readonly #most: { all: number; perNetwork: number };
  #turn = 0;
  #timer: NodeJS.Timeout | undefined;
  #closing = false;

  constructor({ env }: Config, reports: ProcessReports) {
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
   * TOO_MANY_REQUESTS at the limit of the address.
   */
  add(stream: EventStream): void {
    const { key, address } = stream.reader;
    this.end(key);
    const network = networkOf(address);
    const open = this.#perNetwork.get(network) ?? 0;
    if (this.#closing || this.#entries.size >= this.#most.all)
      throw new Refusal('SERVICE_BUSY', { retryAfterSeconds: RETRY_SECONDS });
    if (open >= this.#most.perNetwork) throw new Refusal('TOO_MANY_REQUESTS', { retryAfterSeconds: RETRY_SECONDS });
    this.#perNetwork.set(network, open + 1);
    const round = this.#rounds[this.#turn];
    round?.add(stream);
    this.#joinFamily(stream);
    this.#entries.set(key, { stream, leave: () => this.#release(stream, { network, round }) });
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

  #release(stream: EventStream, { network, round }: { network: string; round: Set<EventStream> | undefined }): void {
    this.#entries.delete(stream.reader.key);
    round?.delete(stream);
    this.#leaveFamily(stream);
    const left = (this.#perNetwork.get(network) ?? 1) - 1;
    if (left > 0) this.#perNetwork.set(network, left);
    else this.#perNetwork.delete(network);
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
