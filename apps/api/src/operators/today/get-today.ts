import { EntityManager } from '@mikro-orm/postgresql';
import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import type { Answer, Input } from '@yiqiao/contracts/endpoint';
import type { getToday } from '@yiqiao/contracts/operator/today';
import { ENTRY_TYPES } from '@yiqiao/domain/ledger';
import { DAY_MS } from '@yiqiao/domain/limits';
import { Clock } from '../../platform/clock.js';
import { Config } from '../../platform/config.js';

type Today = Answer<typeof getToday>;
type Range = Input<typeof getToday>['range'];

export class GetToday extends Query<Today> {
  constructor(readonly range: Range) {
    super();
  }
}

/** So many operators as look share one read. */
const FRESH_MS = 20_000;
const WEEK_DAYS = 7;
const USUAL_WEEKS = 4;
const MINUTE_MS = 60_000;

/** What entries of an hour or a day add up to. */
type Sums = { paid: number; orders: number; charNum: number; voiceNum: number; imageNum: number; giftCharNum: number };
type Column = Sums & { at: string };
const QUANTITIES = ['paid', 'orders', 'charNum', 'voiceNum', 'imageNum', 'giftCharNum'] as const;

type Span = { from: Date; to: Date };

/**
 * How the day goes. Hours come from the day's own entries, found by their time; days from the sums that the ledger keeps. A day that has
 * passed does not change, so its hours are read once.
 */
@QueryHandler(GetToday)
export class GetTodayHandler implements IQueryHandler<GetToday> {
  readonly #answers = new Map<Range, { readAt: number; answer: Promise<Today> }>();
  readonly #pastDays = new Map<string, Promise<Column[]>>();
  readonly #zone: string;

  constructor(
    private readonly em: EntityManager,
    private readonly clock: Clock,
    { env }: Config,
  ) {
    this.#zone = env.APP_TIMEZONE;
  }

  execute({ range }: GetToday): Promise<Today> {
    const now = this.clock.now().getTime();
    const kept = this.#answers.get(range);
    if (kept && now - kept.readAt < FRESH_MS) return kept.answer;
    const answer = this.#read(range);
    this.#answers.set(range, { readAt: now, answer });
    answer.catch(() => this.#answers.delete(range));
    return answer;
  }

  async #read(range: Range): Promise<Today> {
    const now = this.clock.now();
    const isDay = range === 'today' || range === 'yesterday';
    const count = { today: 1, yesterday: 1, week: 7, month: 30 }[range];
    const days = range === 'yesterday' ? this.clock.lastDays(2).slice(0, 1) : this.clock.lastDays(count);
    const span = { from: this.#startOf(days[0]!), to: range === 'yesterday' ? this.#endOf(days[0]!) : now };
    const before = this.#before(span, isDay ? WEEK_DAYS : count);
    const columns = isDay ? await this.#hours(days[0]!, span) : await this.#days(days);
    const [usual, then, refunds, members, saved] = await Promise.all([
      isDay ? this.#usual(days[0]!) : null,
      this.#paidIn(before),
      this.#refunds(span),
      this.#members(span),
      this.#saved(days),
    ]);
    const sums = totalOf(columns);
    return {
      at: this.clock.toWire(now),
      begin: this.clock.toWire(span.from),
      end: this.clock.toWire(span.to),
      money: {
        paid: sums.paid,
        orders: sums.orders,
        ...refunds,
        paidBefore: then,
        beginBefore: this.clock.toWire(before.from),
        endBefore: this.clock.toWire(before.to),
      },
      usage: { charNum: sums.charNum, voiceNum: sums.voiceNum, imageNum: sums.imageNum, savedCharNum: saved },
      members: { ...members, giftCharNum: sums.giftCharNum },
      columns: columns.map(({ at, paid, charNum }) => ({
        at,
        paid,
        charNum,
        usualPaid: usual?.get(at)?.paid ?? null,
        usualCharNum: usual?.get(at)?.charNum ?? null,
      })),
    };
  }

  #startOf(day: string): Date {
    return this.clock.fromWire(`${day} 00:00:00`);
  }

  #endOf(day: string): Date {
    return this.clock.endOfWire(`${day} 23:59:59`);
  }

  #before({ from, to }: Span, days: number): Span {
    return { from: new Date(from.getTime() - days * DAY_MS), to: new Date(to.getTime() - days * DAY_MS) };
  }

  /** All 24 hours of a day; those that have not begun are 0. */
  async #hours(day: string, { from, to }: Span): Promise<Column[]> {
    if (to < this.clock.now()) return this.#pastDay(day);
    return this.#readHours({ from, to });
  }

  #pastDay(day: string): Promise<Column[]> {
    let hours = this.#pastDays.get(day);
    if (!hours) {
      hours = this.#readHours({ from: this.#startOf(day), to: this.#endOf(day) });
      // Entries of the last second may still be on their way.
      if (this.clock.now().getTime() - this.#endOf(day).getTime() > MINUTE_MS) this.#pastDays.set(day, hours);
      hours.catch(() => this.#pastDays.delete(day));
    }
    return hours;
  }

  async #readHours({ from, to }: Span): Promise<Column[]> {
    const rows = await this.em.fork().execute<Column[]>(hoursOf(this.#zone), [from, to]);
    const byHour = new Map(rows.map((row) => [row.at, row]));
    return Array.from({ length: 24 }, (_, hour) => byHour.get(String(hour)) ?? { at: String(hour), ...NOTHING });
  }

  /** The average hours of the same weekday in the weeks before; only of weeks in which something was recorded. */
  async #usual(day: string): Promise<Map<string, Sums>> {
    const start = this.#startOf(day).getTime() + DAY_MS / 2;
    const weeks = await Promise.all(
      Array.from({ length: USUAL_WEEKS }, (_, week) =>
        this.#pastDay(this.clock.day(new Date(start - (week + 1) * WEEK_DAYS * DAY_MS))),
      ),
    );
    const recorded = weeks.filter((hours) => hours.some((hour) => hour.charNum > 0 || hour.paid > 0));
    if (recorded.length === 0) return new Map();
    return new Map(
      Array.from({ length: 24 }, (_, hour) => {
        const sums = totalOf(recorded.map((hours) => hours[hour]!));
        const average = Object.fromEntries(QUANTITIES.map((name) => [name, Math.round(sums[name] / recorded.length)]));
        return [String(hour), average as Sums];
      }),
    );
  }

  async #days(days: readonly string[]): Promise<Column[]> {
    const from = this.#startOf(days[0]!);
    const em = this.em.fork();
    const [used, paid, gifts] = await Promise.all([
      em.execute<Column[]>(USED_DAYS, [days[0], days.at(-1)]),
      em.execute<Column[]>(paidDays(this.#zone), [from]),
      em.execute<Column[]>(giftDays(this.#zone), [from]),
    ]);
    const of = (rows: readonly Column[]): Map<string, Column> => new Map(rows.map((row) => [row.at, row]));
    const [usedOn, paidOn, giftsOn] = [of(used), of(paid), of(gifts)];
    return days.map((at) => ({ ...NOTHING, ...usedOn.get(at), ...paidOn.get(at), ...giftsOn.get(at), at }));
  }

  /** Null when nobody paid then, and nothing was used: there is nothing to compare with. */
  async #paidIn({ from, to }: Span): Promise<number | null> {
    const [row] = await this.em.fork().execute<{ paid: number; first: Date | null }[]>(PAID_IN, [from, to]);
    return row?.first && row.first < to ? row.paid : null;
  }

  async #refunds({ from, to }: Span): Promise<{ refunded: number; refunds: number }> {
    const [row] = await this.em.fork().execute<{ refunded: number; refunds: number }[]>(REFUNDS, [from, to, from, to]);
    return { refunded: row?.refunded ?? 0, refunds: row?.refunds ?? 0 };
  }

  async #members({ from, to }: Span): Promise<{ registered: number; firstPayers: number }> {
    const [row] = await this.em
      .fork()
      .execute<{ registered: number; firstPayers: number }[]>(MEMBERS, [from, to, from, to]);
    return { registered: row?.registered ?? 0, firstPayers: row?.firstPayers ?? 0 };
  }

  async #saved(days: readonly string[]): Promise<number> {
    const [row] = await this.em.fork().execute<{ saved: number }[]>(SAVED, [days[0], days.at(-1)]);
    return row?.saved ?? 0;
  }
}

const NOTHING: Sums = { paid: 0, orders: 0, charNum: 0, voiceNum: 0, imageNum: 0, giftCharNum: 0 };

const totalOf = (columns: readonly Sums[]): Sums =>
  columns.reduce<Sums>(
    (sums, column) => Object.fromEntries(QUANTITIES.map((name) => [name, sums[name] + column[name]])) as Sums,
    NOTHING,
  );

const RECHARGE = ENTRY_TYPES.RECHARGE_ORDER_BY_MEMBER_GROUP.code;
const VOICE = ENTRY_TYPES.VOICE_CONSUME.code;
// Images are of type OTHER (decisions §4), and so is the gift of a new account.
const OTHER = ENTRY_TYPES.OTHER.code;

// Sums as float8, because the driver returns sums of integers as text. `zone` is a checked name. Found by the time index of the entries.
const hoursOf = (zone: string): string => `
SELECT extract(hour FROM created_at AT TIME ZONE '${zone}')::int::text AS at,
  coalesce(sum(amount) FILTER (WHERE log_type = ${RECHARGE} AND order_id IS NOT NULL), 0)::float8 AS paid,
  count(*) FILTER (WHERE log_type = ${RECHARGE} AND order_id IS NOT NULL)::int AS orders,
  sum(used_char_num)::float8 AS "charNum",
  coalesce(sum(-voice_change) FILTER (WHERE log_type = ${VOICE}), 0)::float8 AS "voiceNum",
  coalesce(sum(-image_change) FILTER (WHERE log_type = ${OTHER} AND image_change < 0), 0)::float8 AS "imageNum",
  coalesce(sum(char_change) FILTER (WHERE log_type = ${OTHER} AND char_change > 0), 0)::float8 AS "giftCharNum"
FROM account_log WHERE created_at BETWEEN ? AND ? GROUP BY 1`;

const USED_DAYS = `
SELECT day::text AS at, sum(char_num)::float8 AS "charNum", sum(voice_num)::float8 AS "voiceNum", sum(image_num)::float8 AS "imageNum"
FROM family_usage_day WHERE day BETWEEN ?::date AND ?::date GROUP BY 1`;

const paidDays = (zone: string): string => `
SELECT (paid_at AT TIME ZONE '${zone}')::date::text AS at, sum(amount)::float8 AS paid, count(*)::int AS orders
FROM recharge_order WHERE pay_status = 'P' AND paid_at >= ? GROUP BY 1`;

const giftDays = (zone: string): string => `
SELECT (created_at AT TIME ZONE '${zone}')::date::text AS at, sum(char_change)::float8 AS "giftCharNum"
FROM account_log WHERE created_at >= ? AND log_type = ${OTHER} AND char_change > 0 GROUP BY 1`;

/** `first`: when the service's first order was paid. */
const PAID_IN = `
SELECT coalesce(sum(amount) FILTER (WHERE paid_at BETWEEN ? AND ?), 0)::float8 AS paid, min(paid_at) AS first
FROM recharge_order WHERE pay_status = 'P'`;

const REFUNDS = `
SELECT coalesce(sum(amount), 0)::float8 AS refunded, count(*)::int AS refunds FROM (
  SELECT refund_amount AS amount FROM payment WHERE refund_state = 'done' AND refunded_at BETWEEN ? AND ?
  UNION ALL SELECT amount FROM earlier_refund WHERE refunded_at BETWEEN ? AND ?
) AS done`;

/** Sub-accounts are made by their main account and do not count. */
const MEMBERS = `
SELECT (SELECT count(*)::int FROM member WHERE parent_id IS NULL AND registered_at BETWEEN ? AND ?) AS registered,
  (SELECT count(DISTINCT o.user_id)::int FROM recharge_order o
    WHERE o.pay_status = 'P' AND o.paid_at BETWEEN ? AND ? AND NOT EXISTS (
      SELECT 1 FROM recharge_order e WHERE e.user_id = o.user_id AND e.pay_status = 'P' AND e.paid_at < o.paid_at
    )) AS "firstPayers"`;

const SAVED = `SELECT coalesce(sum(char_num), 0)::float8 AS saved FROM saving_day WHERE day BETWEEN ?::date AND ?::date`;
