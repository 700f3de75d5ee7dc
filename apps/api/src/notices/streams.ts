import { type BeforeApplicationShutdown, Injectable } from '@nestjs/common';
import { Refusal } from '@yiqiao/domain/errors';
import { Config } from '../platform/config.js';
import { networkOf } from '../platform/rate-limits.js';
import type { EventStream } from './event-stream.js';

const SECOND_MS = 1_000;
const RETRY_SECONDS = 5;

type Seat = { stream: EventStream; leave: () => void };

/** The streams that this process holds: how many there may be, and their heartbeat. */
@Injectable()
export class Streams implements BeforeApplicationShutdown {
  readonly #seats = new Map<string, Seat>();
  readonly #families = new Map<number, Set<EventStream>>();
  readonly #perNetwork = new Map<string, number>();
  /** One for each second between two heartbeats: in every second one of them has its turn, so that none has all the work. */
  readonly #rounds: Set<EventStream>[];
  readonly #most: { all: number; perNetwork: number };
  #turn = 0;
  #timer: NodeJS.Timeout | undefined;
  #closing = false;

  constructor({ env }: Config) {
    this.#rounds = Array.from({ length: env.STREAM_HEARTBEAT_SECONDS }, () => new Set());
    this.#most = { all: env.LIMIT_STREAMS, perNetwork: env.LIMIT_STREAMS_PER_IP };
  }

  get size(): number {
    return this.#seats.size;
  }

  all(): EventStream[] {
    return [...this.#seats.values()].map(({ stream }) => stream);
  }

  /** Those of the members of one family. */
  ofFamily(familyId: number): Iterable<EventStream> {
    return this.#families.get(familyId) ?? [];
  }

  /**
   * Takes the stream in until it is over; one that was open under its key ends. Throws SERVICE_BUSY when this process takes no
   * more, TOO_MANY_REQUESTS when its address has its share.
   */
  add(stream: EventStream): void {
    const { key, address } = stream.reader;
    this.end(key);
    const network = networkOf(address);
    const there = this.#perNetwork.get(network) ?? 0;
    if (this.#closing || this.#seats.size >= this.#most.all)
      throw new Refusal('SERVICE_BUSY', { retryAfterSeconds: RETRY_SECONDS });
    if (there >= this.#most.perNetwork) throw new Refusal('TOO_MANY_REQUESTS', { retryAfterSeconds: RETRY_SECONDS });
    this.#perNetwork.set(network, there + 1);
    const round = this.#rounds[this.#turn];
    round?.add(stream);
    this.#joinFamily(stream);
    this.#seats.set(key, { stream, leave: () => this.#giveBack(stream, { network, round }) });
    this.#timer ??= setInterval(() => this.#beat(), SECOND_MS).unref();
    stream.whenOver(() => this.#leave(stream));
  }

  /** Ends the stream under this key, if there is one and it is not the one called `except`. */
  end(key: string, except?: string): void {
    const seat = this.#seats.get(key);
    if (!seat || seat.stream.id === except) return;
    seat.leave();
    seat.stream.end();
  }

  /** Before the server stops: it would wait for these connections. */
  beforeApplicationShutdown(): void {
    this.#closing = true;
    for (const key of [...this.#seats.keys()]) this.end(key);
  }

  #leave(stream: EventStream): void {
    const seat = this.#seats.get(stream.reader.key);
    if (seat?.stream === stream) seat.leave();
  }

  #giveBack(stream: EventStream, { network, round }: { network: string; round: Set<EventStream> | undefined }): void {
    this.#seats.delete(stream.reader.key);
    round?.delete(stream);
    this.#leaveFamily(stream);
    const left = (this.#perNetwork.get(network) ?? 1) - 1;
    if (left > 0) this.#perNetwork.set(network, left);
    else this.#perNetwork.delete(network);
    if (this.#seats.size > 0) return;
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
