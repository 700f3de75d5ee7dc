import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable, type OnModuleInit } from '@nestjs/common';
import { LEASE_MS, LivingProcesses } from './living-processes.js';
import { Live } from './live.js';

/** A limit of concurrent uses over all processes. */
export type Limit = { readonly key: string; readonly most: number };

/** Places of a key that Redis has given to this process. */
type Held = {
  readonly key: string;
  most: number;
  /** By Redis, and in use. */
  held: number;
  used: number;
  usedAt: number;
  /** Callers of this turn of the event loop that wait for the next command, and commands under way. */
  wanted: number;
  asking: Promise<void> | undefined;
  pending: number;
  returning: NodeJS.Timeout | undefined;
  /** While other processes want places too: what this one may keep, and until when, ms. */
  fair: number;
  fairUntil: number;
};

/** A process keeps one in so many places of a limit free for its next request. */
const SPARE = 20;
const RETURN_MS = 50;
/** A spare place is given back after the key has not been used for this long. */
const IDLE_MS = 2_000;
/** How long places stay contended after another process was refused one. */
const CONTENDED_MS = 1_000;
/** Others give places back within this time once they are asked to. */
const RETRIES = { times: 3, ms: 30 };
/** Of a key that nobody takes from. Longer than any stream or request lasts. */
const KEPT_MS = 7 * 86_400_000;
const TOPIC = 'places';
/** Others are asked to give places back no more often than this. */
const NOTICE_MS = 100;

/** Takes what is free: KEYS: processes, places by process, "asked of late". ARGV: this process, wanted, most, topic, name of the key. */
const TAKE = `
local t = redis.call('TIME')
local now = t[1] * 1000 + math.floor(t[2] / 1000)
local heard = redis.call('ZSCORE', KEYS[1], ARGV[1])
if not heard or now - heard > ${LEASE_MS} then return {-1, 0, 0} end
local others, sharers, mine = 0, 1, 0
local all = redis.call('HGETALL', KEYS[2])
for i = 1, #all, 2 do
  if all[i] == ARGV[1] then mine = tonumber(all[i + 1]) else
    local at = redis.call('ZSCORE', KEYS[1], all[i])
    if at and now - at <= ${LEASE_MS} then
      others = others + tonumber(all[i + 1])
      sharers = sharers + 1
    else redis.call('HDEL', KEYS[2], all[i]) end
  end
end
local wanted = tonumber(ARGV[2])
local given = math.max(0, math.min(wanted, tonumber(ARGV[3]) - others - mine))
if given > 0 then
  redis.call('HSET', KEYS[2], ARGV[1], mine + given)
  redis.call('PEXPIRE', KEYS[2], ${KEPT_MS})
end
if given < wanted and others > 0 and redis.call('SET', KEYS[3], 1, 'PX', ${NOTICE_MS}, 'NX') then
  redis.call('PUBLISH', ARGV[4], cjson.encode({key = ARGV[5], sharers = sharers, by = ARGV[1]}))
end
return {given, others, sharers}`;

/** Gives places back. KEYS: places by process. ARGV: this process, how many. */
const GIVE = `
if redis.call('HINCRBY', KEYS[1], ARGV[1], -tonumber(ARGV[2])) <= 0 then redis.call('HDEL', KEYS[1], ARGV[1]) end`;

/** Sets what this process holds. KEYS: places by process. ARGV: this process, how many. */
const HOLD = `
if tonumber(ARGV[2]) <= 0 then return redis.call('HDEL', KEYS[1], ARGV[1]) end
redis.call('HSET', KEYS[1], ARGV[1], ARGV[2])
redis.call('PEXPIRE', KEYS[1], ${KEPT_MS})`;

/**
 * Limits of concurrent uses, exact over all processes: a process takes places in Redis before it uses them, and keeps few free ones, so that
 * most uses need no command. When another process is refused, those with free places give them back, and those with more than their share
 * give back what becomes free. The places of a killed process are free again when it has not been heard for {@link LEASE_MS}. While Redis is
 * away each process keeps to its share (docs/decisions/0062).
 */
@Injectable()
export class SharedPlaces implements OnModuleInit {
  readonly #held = new Map<string, Held>();
  readonly #take: ReturnType<LivingProcesses['script']>;
  readonly #give: ReturnType<LivingProcesses['script']>;
  readonly #hold: ReturnType<LivingProcesses['script']>;

  constructor(
    private readonly processes: LivingProcesses,
    private readonly live: Live,
  ) {
    this.#take = processes.script('yiqiaoTakePlaces', TAKE);
    this.#give = processes.script('yiqiaoGivePlaces', GIVE);
    this.#hold = processes.script('yiqiaoHoldPlaces', HOLD);
    processes.onReturn(() => this.#tellAll());
  }

  onModuleInit(): void {
    void this.live.listen(TOPIC, (message) => this.#share(message as { key: string; sharers: number; by: string }));
  }

  /** Takes a place without asking anybody; false: there is none at hand. {@link leave} must follow a true. */
  takeNow(limit: Limit): boolean {
    const entry = this.#entry(limit);
    const mine = this.processes.isSure ? entry.held : Math.max(1, Math.floor(this.processes.shareOf(limit.most)));
    if (entry.used >= Math.min(mine, limit.most)) {
      this.#forgetIdle(entry);
      return false;
    }
    entry.used++;
    entry.usedAt = performance.now();
    return true;
  }

  /** The same, asking the other processes if there is none at hand. Resolves to whether there was one. */
  async take(limit: Limit): Promise<boolean> {
    if (this.takeNow(limit)) return true;
    const entry = this.#entry(limit);
    if (!this.processes.isSure || entry.held >= mayHold(entry)) return false;
    this.#held.set(entry.key, entry);
    entry.wanted++;
    await (entry.asking ??= this.#ask(entry));
    return this.takeNow(limit);
  }

  /** The same, and gives others a moment to give back what they do not use. */
  async enter(limit: Limit): Promise<boolean> {
    for (let n = 0; n < RETRIES.times; n++) {
      if (await this.take(limit)) return true;
      if (!this.processes.isSure || this.#entry(limit).used >= limit.most) return false;
      await sleep(RETRIES.ms);
    }
    return this.take(limit);
  }

  /** Gives a place back. */
  leave({ key }: Limit): void {
    const entry = this.#held.get(key);
    if (!entry) return;
    entry.used--;
    if (performance.now() < entry.fairUntil) this.#giveBack(entry);
    else this.#giveBackLater(entry, RETURN_MS);
  }

  #entry({ key, most }: Limit): Held {
    const known = this.#held.get(key);
    if (known) {
      known.most = most;
      return known;
    }
    const none = { held: 0, used: 0, usedAt: 0, wanted: 0, pending: 0, asking: undefined };
    const entry: Held = { key, most, ...none, returning: undefined, fair: most, fairUntil: 0 };
    this.#held.set(key, entry);
    return entry;
  }

  /** For all callers of this turn of the event loop. */
  async #ask(entry: Held): Promise<void> {
    entry.pending++;
    await Promise.resolve();
    const callers = entry.wanted;
    entry.wanted = 0;
    entry.asking = undefined;
    try {
      if (await this.#askFor(entry, callers)) return;
      // It was not heard for a while, so its places are gone: it is heard again, tells which it uses, and asks once more.
      await this.processes.beat();
      await this.#askFor(entry, callers);
    } catch {
      // Redis is away: this process keeps to its share.
    } finally {
      entry.pending--;
    }
  }

  /** Resolves to false when Redis has not heard this process for a while. */
  async #askFor(entry: Held, callers: number): Promise<boolean> {
    const { key, most, held, used } = entry;
    // With what it took while it was on its own and could not tell.
    const wanted = callers + Math.max(0, used - held);
    const keys = [this.processes.key, this.#keyOf(key), `${this.#keyOf(key)}:asked`];
    const args = [this.processes.id, wanted, most, this.processes.keyOf(`live:${TOPIC}`), key];
    const [given, others, sharers] = (await this.#take(keys, args)) as [number, number, number];
    if (given === -1) return false;
    entry.held += given;
    if (given < wanted && others > 0) contend(entry, sharers);
    return true;
  }

  /** Another process was refused a place. */
  #share({ key, sharers, by }: { key: string; sharers: number; by: string }): void {
    const entry = this.#held.get(key);
    if (!entry || by === this.processes.id) return;
    contend(entry, sharers);
    this.#giveBack(entry);
  }

  /** Gives back what it need not keep. */
  #giveBack(entry: Held): void {
    clearTimeout(entry.returning);
    entry.returning = undefined;
    const given = entry.held - this.#keptOf(entry);
    if (given > 0) {
      entry.held -= given;
      const keys = [this.#keyOf(entry.key)];
      if (this.processes.isSure) this.#give(keys, [this.processes.id, given]).catch(() => undefined);
    }
    // What is spare now may be idle later.
    if (entry.held > entry.used) this.#giveBackLater(entry, IDLE_MS);
    this.#forgetIdle(entry);
  }

  #giveBackLater(entry: Held, ms: number): void {
    entry.returning ??= setTimeout(() => this.#giveBack(entry), ms).unref();
  }

  #keptOf({ most, held, used, usedAt, fair, fairUntil }: Held): number {
    const now = performance.now();
    if (now < fairUntil) return used === 0 ? 0 : Math.max(used, Math.min(held, fair));
    const spare = now - usedAt < IDLE_MS ? Math.max(1, Math.floor(most / SPARE)) : 0;
    return Math.min(held, used + spare);
  }

  #forgetIdle(entry: Held): void {
    const { key, held, used, wanted, pending } = entry;
    if (held + used + wanted + pending === 0 && this.processes.isSure) this.#held.delete(key);
  }

  /** Redis does not know what this process uses: it lost it, took it back, or could not be told. */
  async #tellAll(): Promise<void> {
    const told = Array.from(this.#held.values(), (entry) => {
      entry.held = entry.used;
      return this.#hold([this.#keyOf(entry.key)], [this.processes.id, entry.held]);
    });
    await Promise.all(told);
  }

  #keyOf(key: string): string {
    return this.processes.keyOf(`places:${key}`);
  }
}

/** So many processes want places: each keeps to its part for a while, so that none gets nothing. */
const contend = (entry: Held, sharers: number): void => {
  entry.fair = Math.max(1, Math.floor(entry.most / sharers));
  entry.fairUntil = performance.now() + CONTENDED_MS;
};

const mayHold = ({ most, fair, fairUntil }: Held): number =>
  performance.now() < fairUntil ? Math.min(most, fair) : most;
