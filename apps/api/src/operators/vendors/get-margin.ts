import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import type { Answer, Input } from '@yiqiao/contracts/endpoint';
import type { Language } from '@yiqiao/contracts/envelope';
import type { getMargin } from '@yiqiao/contracts/operator/margin';
import { Refusal } from '@yiqiao/domain/errors';
import { DAY_MS } from '@yiqiao/domain/limits';
import { Clock } from '../../platform/clock.js';
import { requireInDatabase } from '../../ledger/rows/archived.js';
import { MARGIN_DAY, type MarginRow } from './margin-day.js';

type Margin = Answer<typeof getMargin>;
type Sums = Margin['total'];
/** By account and month (`YYYY-MM`): what bills ask for, micro-yuan. */
type Billed = { account: number; month: string; amount: number };

const MICRO_YUAN_PER_FEN = 10_000;
/** So many operators as look share one read of the day under way. */
const FRESH_MS = 30_000;
/** Lines of the last minute of a day may still be on their way. */
const SETTLED_MS = 60_000;
const DAYS_AT_ONCE = 2;

/** Reads the margin of days. One that is over does not change, so it is read once. */
@Injectable()
export class MarginDays {
  readonly #past = new Map<string, Promise<MarginRow[]>>();
  #today: { day: string; readAt: number; rows: Promise<MarginRow[]> } | undefined;

  constructor(
    private readonly em: EntityManager,
    private readonly clock: Clock,
  ) {}

  /** `day`: `YYYY-MM-DD`. Throws LEDGER_ARCHIVED. */
  read(day: string): Promise<MarginRow[]> {
    const now = this.clock.now().getTime();
    const end = this.#endOf(day).getTime();
    if (end + SETTLED_MS < now) {
      let rows = this.#past.get(day);
      if (!rows) {
        rows = this.#query(day);
        this.#past.set(day, rows);
        rows.catch(() => this.#past.delete(day));
      }
      return rows;
    }
    if (this.#today?.day !== day || now - this.#today.readAt >= FRESH_MS) {
      const rows = this.#query(day);
      this.#today = { day, readAt: now, rows };
      rows.catch(() => (this.#today = undefined));
    }
    return this.#today.rows;
  }

  /** In their order. */
  async readAll(days: readonly string[]): Promise<Map<string, MarginRow[]>> {
    const found = new Map<string, MarginRow[]>();
    const left = [...days];
    const next = async (): Promise<void> => {
      for (let day = left.shift(); day !== undefined; day = left.shift()) found.set(day, await this.read(day));
    };
    await Promise.all(Array.from({ length: DAYS_AT_ONCE }, next));
    return new Map(days.map((day) => [day, found.get(day) ?? []]));
  }

  #query(day: string): Promise<MarginRow[]> {
    const end = Math.min(this.#endOf(day).getTime(), this.clock.now().getTime());
    const begins = this.clock.fromWire(`${day} 00:00:00`);
    return this.em.fork().transactional(async (em) => {
      await requireInDatabase(em, { whose: 'all', at: begins }, this.clock);
      await em.execute(`SET LOCAL statement_timeout = '120s'`);
      return em.execute<MarginRow[]>(MARGIN_DAY, [begins, new Date(end)]);
    });
  }

  #endOf(day: string): Date {
    const noon = this.clock.fromWire(`${day} 12:00:00`).getTime();
    return this.clock.fromWire(`${this.clock.day(new Date(noon + DAY_MS))} 00:00:00`);
  }
}

export class GetMargin extends Query<Margin> {
  constructor(
    readonly request: Input<typeof getMargin>,
    readonly language: Language,
  ) {
    super();
  }
}

@QueryHandler(GetMargin)
export class GetMarginHandler implements IQueryHandler<GetMargin> {
  constructor(
    private readonly em: EntityManager,
    private readonly days: MarginDays,
    private readonly clock: Clock,
  ) {}

  async execute({ request: { from, to }, language }: GetMargin): Promise<Margin> {
    const now = this.clock.now();
    const today = this.clock.day(now);
    const wanted = daysBetween(from, to < today ? to : today);
    const em = this.em.fork();
    const [channels, plans, bills, [saving]] = await Promise.all([
      em.execute<Named[]>(CHANNELS),
      em.execute<Named[]>(PLANS),
      em.execute<Billed[]>(BILLED, [from.slice(0, 7), to.slice(0, 7)]),
      em.execute<{ saved: number }[]>(SAVED, [from, to]),
    ]);
    const corrections = await this.#corrections(bills);
    const rows = [...(await this.days.readAll(wanted))].flatMap(([day, found]) =>
      found.map((row) => ({ day, ...row, contractCost: row.cost, cost: corrections(day, row) })),
    );
    const total = sumOf(rows);
    const nameOf = ({ name, enName }: Named): string => (language === 'en' ? enName : name);
    const savedChars = saving?.saved ?? 0;
    return {
      at: this.clock.toWire(now),
      total,
      days: wanted.map((day) => ({ day, ...sumOf(rows.filter((row) => row.day === day)) })),
      channels: channels.map((channel) => ({
        id: channel.id,
        code: channel.code,
        price: channel.price,
        name: nameOf(channel),
        ...sumOf(rows.filter((row) => row.channel === channel.id)),
      })),
      plans: plans.flatMap((plan) => {
        const own = rows.filter((row) => row.plan === plan.id);
        return own.length === 0 ? [] : [{ id: plan.id, name: nameOf(plan), ...sumOf(own) }];
      }),
      saved: { chars: savedChars, cost: total.chars === 0 ? 0 : Math.round((savedChars * total.cost) / total.chars) },
    };
  }

  /** What a row costs after the bills: each spreads over its month as the log does. */
  async #corrections(bills: readonly Billed[]): Promise<(day: string, row: MarginRow) => number> {
    const shares = new Map<string, number>();
    for (const { account, month, amount } of bills) {
      const recorded = await recordedCost(this.days, this.clock, { accountId: account, month });
      if (recorded !== null && recorded > 0) shares.set(`${account} ${month}`, amount / recorded);
    }
    return (day, { account, cost }) => Math.round(cost * (shares.get(`${account} ${day.slice(0, 7)}`) ?? 1));
  }
}

type Named = { id: number; code: string; name: string; enName: string; price: number };

/** What the log adds up to for an account in a month (`YYYY-MM`), micro-yuan; null if some of it is in cold files. */
export async function recordedCost(
  days: MarginDays,
  clock: Clock,
  { accountId, month }: { accountId: number; month: string },
): Promise<number | null> {
  const rows = await days.readAll(daysOfMonth(month, clock.day(clock.now()))).catch((error: unknown) => {
    if (error instanceof Refusal && error.code === 'LEDGER_ARCHIVED') return null;
    throw error;
  });
  if (!rows) return null;
  return [...rows.values()]
    .flat()
    .filter((row) => row.account === accountId)
    .reduce((sum, { cost }) => sum + cost, 0);
}

/** Both included. */
function daysBetween(from: string, to: string): string[] {
  const days: string[] = [];
  for (let at = Date.parse(from); at <= Date.parse(to); at += DAY_MS)
    days.push(new Date(at).toISOString().slice(0, 10));
  return days;
}

/** Up to `today`. */
function daysOfMonth(month: string, today: string): string[] {
  const first = new Date(`${month}-01T00:00:00Z`);
  const last = new Date(Date.UTC(first.getUTCFullYear(), first.getUTCMonth() + 1, 0)).toISOString().slice(0, 10);
  return daysBetween(`${month}-01`, last < today ? last : today);
}

const KEYS = ['chars', 'minutes', 'value', 'cost', 'contractCost', 'costless'] as const;

function sumOf(rows: readonly Sums[]): Sums {
  const sums = Object.fromEntries(KEYS.map((key) => [key, rows.reduce((sum, row) => sum + row[key], 0)])) as Sums;
  return { ...sums, minutes: Math.round(sums.minutes) };
}

const CHANNELS = 'SELECT id, code, name, en_name AS "enName", price FROM tran_channel ORDER BY id';
const PLANS = `SELECT id, '' AS code, name, en_name AS "enName", 0 AS price FROM member_group ORDER BY id`;
const SAVED = `SELECT coalesce(sum(char_num), 0)::float8 AS saved FROM saving_day WHERE day BETWEEN ?::date AND ?::date`;
const BILLED = `
SELECT vendor_account_id AS account, to_char(month, 'YYYY-MM') AS month, sum(amount)::float8 * ${MICRO_YUAN_PER_FEN} AS amount
FROM vendor_bill WHERE voided_at IS NULL AND to_char(month, 'YYYY-MM') BETWEEN ? AND ? GROUP BY 1, 2`;
