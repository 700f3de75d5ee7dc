import { EntityManager } from '@mikro-orm/postgresql';
import { type BeforeApplicationShutdown, Injectable } from '@nestjs/common';
import { SharedPlaces } from '../../platform/shared-places.js';
import { SharedWindows } from '../../platform/shared-windows.js';
import type { Shared } from './account-pace.js';
import type { DayCap, DayStore } from './day-cap.js';

const BEAT_MS = 1_000;

/** What all processes share of the caps of vendor accounts: places and rates in Redis, the days in PostgreSQL, where no restart loses them. */
@Injectable()
export class SharedCaps implements Shared, BeforeApplicationShutdown {
  readonly #days = new Set<DayCap>();
  readonly #timer = setInterval(() => {
    for (const day of this.#days) void day.beat();
  }, BEAT_MS).unref();

  constructor(
    readonly places: SharedPlaces,
    readonly windows: SharedWindows,
    private readonly em: EntityManager,
  ) {}

  /** Beats every second until it is retired. */
  keep(day: DayCap): void {
    this.#days.add(day);
  }

  retire(day: DayCap): void {
    this.#days.delete(day);
    void day.close();
  }

  /** Of the account with this id. */
  dayOf(accountId: number): DayStore {
    // Raw: upserts with a condition.
    return {
      take: async (day, chars, cap) => {
        const [row] = await this.em.fork().execute<{ chars: number }[]>(TAKE, [accountId, day, chars, chars, cap, cap]);
        return row ? cap - row.chars : null;
      },
      add: async (day, chars) => {
        await this.em.fork().execute(ADD, [accountId, day, chars, chars]);
      },
    };
  }

  async beforeApplicationShutdown(): Promise<void> {
    clearInterval(this.#timer);
    await Promise.all(Array.from(this.#days, (day) => day.close()));
  }
}

const TAKE = `INSERT INTO vendor_day AS d (account_id, day, chars) SELECT ?, ?::date, ?::bigint WHERE ?::bigint <= ?::bigint
ON CONFLICT (account_id, day) DO UPDATE SET chars = d.chars + excluded.chars WHERE d.chars + excluded.chars <= ?::bigint RETURNING chars`;
const ADD = `INSERT INTO vendor_day AS d (account_id, day, chars) VALUES (?, ?::date, greatest(0, ?::bigint))
ON CONFLICT (account_id, day) DO UPDATE SET chars = greatest(0, d.chars + ?::bigint)`;
