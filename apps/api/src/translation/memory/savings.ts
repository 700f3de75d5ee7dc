import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable, Logger } from '@nestjs/common';
import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import type { Answer } from '@yiqiao/contracts/endpoint';
import type { getSavings } from '@yiqiao/contracts/savings';
import { Clock } from '../../platform/clock.js';
import { serializeError } from '../../platform/logger.js';
import { type Owner, TranslationCache } from './translation-cache.js';

/** `charNum`: the price that the texts would have had. */
export type Saved = { readonly texts: number; readonly charNum: number };
export type SavedOn = Saved & { readonly date: string };

/** The quota saved by cached translations, by member and day. */
@Injectable()
export class Savings {
  readonly #log = new Logger('Savings');

  constructor(
    private readonly em: EntityManager,
    private readonly clock: Clock,
  ) {}

  /** Never throws: a failure to count must not fail the translation. */
  async count({ userId, familyId }: Owner, { texts, charNum }: Saved): Promise<void> {
    const row = [familyId, this.clock.day(this.clock.now()), userId, texts, charNum];
    await this.em
      .fork()
      .execute(COUNT, row)
      .catch((error: unknown) => this.#log.warn({ notCounted: serializeError(error) }));
  }

  /** The savings of each of these days, in order: of the whole family for its main account, its own for a sub-account. */
  async on(dates: readonly string[], { userId, familyId }: Owner): Promise<SavedOn[]> {
    const who = userId === familyId ? null : userId;
    const rows = await this.em.fork().execute<SavedOn[]>(SAVED, [familyId, who, dates[0], dates.at(-1)]);
    const saved = new Map(rows.map((row) => [row.date, row]));
    return dates.map((date) => saved.get(date) ?? { date, texts: 0, charNum: 0 });
  }
}

// Raw: an upsert that adds to counters.
const COUNT = `
INSERT INTO saving_day AS d (family_id, day, user_id, texts, char_num) VALUES (?, ?::date, ?, ?, ?)
ON CONFLICT (family_id, day, user_id) DO UPDATE SET
  texts = d.texts + excluded.texts, char_num = d.char_num + excluded.char_num`;

// Raw: a report.
const SAVED = `
SELECT day::text AS date, sum(texts)::bigint AS texts, sum(char_num)::bigint AS "charNum" FROM saving_day
WHERE family_id = ? AND user_id = coalesce(?::bigint, user_id) AND day BETWEEN ?::date AND ?::date GROUP BY day`;

export class GetSavings extends Query<Answer<typeof getSavings>> {
  constructor(
    readonly who: Owner,
    readonly days: number,
  ) {
    super();
  }
}

/** The savings of each of the last days and the number of cached translations. */
@QueryHandler(GetSavings)
export class GetSavingsHandler implements IQueryHandler<GetSavings> {
  constructor(
    private readonly savings: Savings,
    private readonly cache: TranslationCache,
    private readonly clock: Clock,
  ) {}

  async execute({ who, days: count }: GetSavings): Promise<Answer<typeof getSavings>> {
    const [days, kept] = await Promise.all([
      this.savings.on(this.clock.lastDays(count), who),
      this.cache.countOf(who.familyId),
    ]);
    const sum = (of: 'texts' | 'charNum'): number => days.reduce((total, day) => total + day[of], 0);
    return { days, texts: sum('texts'), charNum: sum('charNum'), kept };
  }
}
