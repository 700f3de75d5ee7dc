import { Injectable } from '@nestjs/common';
import { LEASE_MS, LivingProcesses } from './living-processes.js';

/** At most so many units in any so many ms. */
export type WindowLimit = { readonly units: number; readonly windowMs: number };

/** How many of the requests may go now, in their order, and when the next may, in ms. */
export type Granted = { readonly granted: number; readonly waitMs: number };

/** The counts of one key. `limits`: by name; `sizes`: of each request, in the units of each limit. */
type WindowRequest = {
  readonly key: string;
  readonly limits: Readonly<Record<string, WindowLimit>>;
  readonly sizes: readonly Readonly<Record<string, number>>[];
};

/** A window is counted in so many slots. A unit counts until its slot has left the window, so never too short. */
const SLOTS = 100;
/** Redis is asked again no later than this, because another process may have used what it was to get. */
const WAIT_LEAST_MS = 5;

/**
 * KEYS: the processes, then a hash of slots for each limit. ARGV: this process, the number of requests, then for each limit its units and the
 * length of its window in ms, followed by the units of each request.
 */
const TAKE = `
local t = redis.call('TIME')
local now = t[1] * 1000 + math.floor(t[2] / 1000)
local heard = redis.call('ZSCORE', KEYS[1], ARGV[1])
if not heard or now - heard > ${LEASE_MS} then return {-1, 0} end
local requests = tonumber(ARGV[2])
local limits, at = {}, 3
for n = 2, #KEYS do
  local most, window = tonumber(ARGV[at]), tonumber(ARGV[at + 1])
  local length, sum, slots = math.max(1, math.floor(window / ${SLOTS})), 0, {}
  local all = redis.call('HGETALL', KEYS[n])
  for i = 1, #all, 2 do
    local slot = tonumber(all[i])
    local ends = (slot + 1) * length + window
    if ends <= now then redis.call('HDEL', KEYS[n], all[i]) else
      sum = sum + tonumber(all[i + 1])
      slots[#slots + 1] = {ends, tonumber(all[i + 1])}
    end
  end
  limits[n - 1] = {key = KEYS[n], most = most, window = window, slot = math.floor(now / length), sum = sum, slots = slots, at = at + 1, add = 0}
  at = at + 2 + requests
end
local granted, wait = 0, 0
for r = 1, requests do
  for _, limit in ipairs(limits) do
    local excess = limit.sum + limit.add + tonumber(ARGV[limit.at + r]) - limit.most
    if excess > 0 then
      table.sort(limit.slots, function(a, b) return a[1] < b[1] end)
      local ends = now + limit.window
      for _, slot in ipairs(limit.slots) do
        excess = excess - slot[2]
        if excess <= 0 then ends = slot[1] break end
      end
      wait = math.max(wait, ends - now)
    end
  end
  if wait > 0 then break end
  for _, limit in ipairs(limits) do limit.add = limit.add + tonumber(ARGV[limit.at + r]) end
  granted = r
end
for _, limit in ipairs(limits) do
  if limit.add > 0 then redis.call('HINCRBY', limit.key, limit.slot, limit.add) end
  redis.call('PEXPIRE', limit.key, limit.window * 2)
end
return {granted, wait}`;

/** Adds what was used so many ms ago. KEYS: a hash of slots. ARGV: the length of the window, then age and units of each use. */
const TELL = `
local t = redis.call('TIME')
local now = t[1] * 1000 + math.floor(t[2] / 1000)
local window = tonumber(ARGV[1])
local length = math.max(1, math.floor(window / ${SLOTS}))
for i = 2, #ARGV, 2 do redis.call('HINCRBY', KEYS[1], math.floor((now - tonumber(ARGV[i])) / length), ARGV[i + 1]) end
redis.call('PEXPIRE', KEYS[1], window * 2)`;

type Use = { readonly at: number; readonly units: number; told: boolean };

/** What this process used of a limit. */
class OwnUses {
  #uses: Use[] = [];
  #keptMs = 0;

  constructor(public limit: WindowLimit) {}

  add(units: number, told: boolean): void {
    this.#uses.push({ at: performance.now(), units, told });
    this.#forget();
  }

  /**
   * How long until `units` more fit into `share`, its part of the limit, in ms. A request that is larger than the share of one window takes
   * as many windows as that is, so that the rate holds.
   */
  delay(units: number, share: number): number {
    const windowMs = this.limit.windowMs * Math.max(1, units / share);
    this.#keptMs = Math.max(this.#keptMs, windowMs);
    const now = performance.now();
    const recent = this.#uses.filter(({ at }) => at + windowMs > now);
    let excess = recent.reduce((sum, use) => sum + use.units, 0) + units - Math.max(share, units);
    if (excess <= 0) return 0;
    for (const use of recent) {
      excess -= use.units;
      if (excess <= 0) return Math.max(1, use.at + windowMs - now);
    }
    return windowMs;
  }

  /** Age and units of each use that the others have to know. */
  untold(all: boolean): number[] {
    const now = performance.now();
    return this.#uses
      .filter(({ at, told }) => at + this.limit.windowMs > now && (all || !told))
      .flatMap(({ at, units }) => [Math.ceil(now - at), units]);
  }

  wereTold(): void {
    for (const use of this.#uses) use.told = true;
  }

  #forget(): void {
    const oldest = performance.now() - Math.max(this.limit.windowMs, this.#keptMs);
    const gone = this.#uses.findIndex(({ at }) => at > oldest);
    if (gone > 0) this.#uses.splice(0, gone);
  }
}

/**
 * Sliding windows shared by all processes, counted in Redis by its clock: at most so many units in any window. While Redis is away each
 * process keeps to its share, and tells what it used once Redis is back (docs/decisions/0062).
 */
@Injectable()
export class SharedWindows {
  readonly #own = new Map<string, OwnUses>();
  readonly #take: ReturnType<LivingProcesses['script']>;
  readonly #tell: ReturnType<LivingProcesses['script']>;

  constructor(private readonly processes: LivingProcesses) {
    this.#take = processes.script('yiqiaoTakeUnits', TAKE);
    this.#tell = processes.script('yiqiaoTellUnits', TELL);
    processes.onReturn(({ lost }) => this.#tellAll(lost));
  }

  /** Counts as many of these requests, in their order, as may go now. Never rejects. */
  async take(request: WindowRequest): Promise<Granted> {
    const names = Object.keys(request.limits);
    if (this.processes.isSure) {
      try {
        const [granted, waitMs] = await this.#ask(request, names);
        if (granted >= 0) {
          this.#count(request, granted, true);
          return { granted, waitMs: Math.max(WAIT_LEAST_MS, waitMs) };
        }
        await this.processes.beat();
      } catch {
        // Redis is away: this process keeps to its share.
      }
    }
    return this.#takeOwn(request, names);
  }

  async #ask({ key, limits, sizes }: WindowRequest, names: readonly string[]): Promise<[number, number]> {
    const keys = [this.processes.key, ...names.map((name) => this.#keyOf(key, name))];
    const args = names.flatMap((name) => {
      const { units, windowMs } = limits[name] ?? NO_LIMIT;
      return [units, Math.ceil(windowMs), ...sizes.map((size) => size[name] ?? 0)];
    });
    return (await this.#take(keys, [this.processes.id, sizes.length, ...args])) as [number, number];
  }

  #takeOwn(request: WindowRequest, names: readonly string[]): Granted {
    const { limits, sizes } = request;
    let granted = 0;
    for (const size of sizes) {
      const waits = names.map((name) => {
        const share = this.processes.shareOf(limits[name]?.units ?? 0);
        return this.#ownOf(request, name).delay(size[name] ?? 0, share);
      });
      const waitMs = Math.max(0, ...waits);
      if (waitMs > 0) return { granted, waitMs: Math.max(WAIT_LEAST_MS, waitMs) };
      this.#count({ ...request, sizes: [size] }, 1, false);
      granted++;
    }
    return { granted, waitMs: 0 };
  }

  #count(request: WindowRequest, granted: number, told: boolean): void {
    for (const name of Object.keys(request.limits))
      for (const size of request.sizes.slice(0, granted)) this.#ownOf(request, name).add(size[name] ?? 0, told);
  }

  #ownOf({ key, limits }: WindowRequest, name: string): OwnUses {
    const id = this.#keyOf(key, name);
    const limit = limits[name] ?? NO_LIMIT;
    const known = this.#own.get(id) ?? new OwnUses(limit);
    known.limit = limit;
    this.#own.set(id, known);
    return known;
  }

  async #tellAll(lost: boolean): Promise<void> {
    for (const [key, own] of this.#own) {
      const uses = own.untold(lost);
      if (uses.length > 0) await this.#tell([key], [Math.ceil(own.limit.windowMs), ...uses]);
      own.wereTold();
    }
  }

  #keyOf(key: string, name: string): string {
    return this.processes.keyOf(`window:${name}:${key}`);
  }
}

const NO_LIMIT: WindowLimit = { units: 0, windowMs: 1 };
