import { EntityManager } from '@mikro-orm/postgresql';
import { Command, CommandHandler, type ICommandHandler, type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import type { Answer } from '@yiqiao/contracts/endpoint';
import type { listChannelHistory } from '@yiqiao/contracts/channel-traffic';
import { CHANNEL_HISTORY_DAYS, CHANNEL_INCIDENTS, DAY_MS } from '@yiqiao/domain/limits';
import { Clock } from '../platform/clock.js';
import { Config } from '../platform/config.js';
import { BUCKET_MS, figuresOf, LEAST_REQUESTS, noCounts, successShareOf, Traffic } from './routing/traffic.js';
import { TextChannels } from './text-channels.js';

/** Copies the half hours that Redis keeps for a day into the database, and deletes those older than 90 days. */
export class RecordTraffic extends Command<void> {}

// Counts only grow. If Redis lost them and began again, the database keeps the higher ones.
const RECORD = `
INSERT INTO channel_traffic AS t (tran_channel_id, begins_at, requests, failed, answered)
SELECT new.channel_id, new.begins_at, new.requests, new.failed, new.answered
FROM jsonb_to_recordset(?::jsonb)
  AS new (channel_id int, begins_at timestamptz, requests int, failed int, answered int[])
JOIN tran_channel c ON c.id = new.channel_id
ON CONFLICT (tran_channel_id, begins_at)
DO UPDATE SET requests = excluded.requests, failed = excluded.failed, answered = excluded.answered
WHERE excluded.requests > t.requests`;

@CommandHandler(RecordTraffic)
export class RecordTrafficHandler implements ICommandHandler<RecordTraffic> {
  constructor(
    private readonly em: EntityManager,
    private readonly traffic: Traffic,
    private readonly clock: Clock,
  ) {}

  async execute(): Promise<void> {
    const rows = (await this.traffic.halfHours()).map(({ channelId, beginsAt, counts }) => ({
      channel_id: channelId,
      begins_at: beginsAt,
      requests: figuresOf(counts).requests,
      failed: counts.failed,
      answered: counts.classes,
    }));
    const em = this.em.fork();
    if (rows.length > 0) await em.execute(RECORD, [JSON.stringify(rows)]);
    const oldest = new Date(this.clock.now().getTime() - CHANNEL_HISTORY_DAYS * DAY_MS);
    await em.execute('DELETE FROM channel_traffic WHERE begins_at < ?', [oldest]);
  }
}

type History = Answer<typeof listChannelHistory>;
type Channel = History['channels'][number];
type Incident = Channel['incidents'][number];
type Total = { channelId: number; failed: number; answered: number[] };
type Day = { channelId: number; date: string; requests: number; failed: number };
type BadHalfHour = { channelId: number; beginsAt: Date; requests: number; failed: number };

export class ListChannelHistory extends Query<History> {}

/** The answer is the same for everybody, so one read serves all visitors for this long. */
const ANSWER_MS = 60_000;

const CLASSES = noCounts()
  .classes.map((_, at) => `coalesce(sum(answered[${at + 1}]), 0)::float8`)
  .join(', ');
// float8, because the driver returns sums of integers as text.
const TOTALS = `
SELECT tran_channel_id AS "channelId", sum(failed)::float8 AS failed, ARRAY[${CLASSES}] AS answered
FROM channel_traffic WHERE begins_at >= ? GROUP BY 1`;
/** `zone` is a checked name. */
const days = (zone: string): string => `
SELECT tran_channel_id AS "channelId", (begins_at AT TIME ZONE '${zone}')::date::text AS date,
  sum(requests)::float8 AS requests, sum(failed)::float8 AS failed
FROM channel_traffic WHERE begins_at >= ? GROUP BY 1, 2`;
// A success share below 90 %.
const BAD_HALF_HOURS = `
SELECT tran_channel_id AS "channelId", begins_at AS "beginsAt", requests, failed FROM channel_traffic
WHERE begins_at >= ? AND requests >= ${LEAST_REQUESTS} AND failed::bigint * 10 > requests ORDER BY begins_at`;

@QueryHandler(ListChannelHistory)
export class ListChannelHistoryHandler implements IQueryHandler<ListChannelHistory> {
  #answer: Promise<History> | undefined;
  #readAt = 0;
  readonly #days: string;

  constructor(
    private readonly em: EntityManager,
    private readonly channels: TextChannels,
    private readonly clock: Clock,
    { env }: Config,
  ) {
    this.#days = days(env.APP_TIMEZONE);
  }

  execute(): Promise<History> {
    const now = this.clock.now().getTime();
    if (!this.#answer || now - this.#readAt >= ANSWER_MS) {
      this.#readAt = now;
      this.#answer = this.#read();
      this.#answer.catch(() => (this.#answer = undefined));
    }
    return this.#answer;
  }

  async #read(): Promise<History> {
    const updateDateTime = this.clock.toWire(this.clock.now());
    return { updateDateTime, channels: await this.#channels() };
  }

  async #channels(): Promise<Channel[]> {
    const dates = this.clock.lastDays(CHANNEL_HISTORY_DAYS);
    const since = [this.clock.fromWire(`${dates[0] ?? ''} 00:00:00`)];
    const em = this.em.fork();
    const totals = new Map((await em.execute<Total[]>(TOTALS, since)).map((row) => [row.channelId, row]));
    const byDay = new Map(
      (await em.execute<Day[]>(this.#days, since)).map((row) => [`${row.channelId} ${row.date}`, row]),
    );
    const bad = Map.groupBy(await em.execute<BadHalfHour[]>(BAD_HALF_HOURS, since), ({ channelId }) => channelId);
    return (await this.channels.offers())
      .filter(({ available }) => available)
      .map(({ id, name, enName }) => {
        const { failed = 0, answered = [] } = totals.get(id) ?? {};
        return {
          id,
          name,
          enName,
          ...figuresOf({ failed, classes: answered }),
          days: dates.map((date) => {
            const { requests, failed } = byDay.get(`${id} ${date}`) ?? { requests: 0, failed: 0 };
            return { date, requests, successShare: successShareOf(requests, failed) };
          }),
          incidents: this.#incidentsOf(bad.get(id) ?? []),
        };
      });
  }

  /** Bad half hours that follow one another are one incident. */
  #incidentsOf(halfHours: readonly BadHalfHour[]): Incident[] {
    const incidents: { begin: number; end: number; requests: number; failed: number }[] = [];
    for (const { beginsAt, requests, failed } of halfHours) {
      const begin = new Date(beginsAt).getTime();
      const last = incidents.at(-1);
      if (last?.end === begin) {
        last.end += BUCKET_MS;
        last.requests += requests;
        last.failed += failed;
      } else incidents.push({ begin, end: begin + BUCKET_MS, requests, failed });
    }
    const now = this.clock.now().getTime();
    return incidents
      .slice(-CHANNEL_INCIDENTS)
      .reverse()
      .map(({ begin, end, requests, failed }) => ({
        beginDateTime: this.clock.toWire(new Date(begin)),
        minutes: Math.max(1, Math.floor((Math.min(end, now) - begin) / 60_000)),
        successShare: (requests - failed) / requests,
      }));
  }
}
