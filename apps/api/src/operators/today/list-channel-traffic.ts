import { EntityManager } from '@mikro-orm/postgresql';
import { type IQueryHandler, Query, QueryBus, QueryHandler } from '@nestjs/cqrs';
import type { Answer } from '@yiqiao/contracts/endpoint';
import type { Language } from '@yiqiao/contracts/envelope';
import type { listChannelTraffic } from '@yiqiao/contracts/operator/today';
import { CHANNEL_STATUS_HOURS } from '@yiqiao/domain/limits';
import { Clock } from '../../platform/clock.js';
import { ListChannelStatus } from '../../translation/list-channels.js';
import { BUCKET_MS, successShareOf } from '../../translation/routing/traffic.js';

type Traffic = Answer<typeof listChannelTraffic>;
type HalfHour = { id: number; beginsAt: Date; requests: number; failed: number };

export class ListChannelTraffic extends Query<Traffic> {
  constructor(readonly language: Language) {
    super();
  }
}

const BUCKETS = (CHANNEL_STATUS_HOURS * 3_600_000) / BUCKET_MS;
/** With the half hour under way. */
const LAST_HOUR = 3;

/** The last 24 hours of every channel, as the worker records them each minute. */
@QueryHandler(ListChannelTraffic)
export class ListChannelTrafficHandler implements IQueryHandler<ListChannelTraffic> {
  constructor(
    private readonly em: EntityManager,
    private readonly queries: QueryBus,
    private readonly clock: Clock,
  ) {}

  async execute({ language }: ListChannelTraffic): Promise<Traffic> {
    const now = Math.floor(this.clock.now().getTime() / BUCKET_MS);
    const em = this.em.fork();
    const [figures, channels, rows] = await Promise.all([
      this.queries.execute(new ListChannelStatus()),
      em.execute<{ id: number; name: string; enName: string }[]>(CHANNELS),
      em.execute<HalfHour[]>(HALF_HOURS, [new Date((now - BUCKETS + 1) * BUCKET_MS)]),
    ]);
    const figuresOf = new Map(figures.map((figure) => [figure.id, figure]));
    return channels
      .filter(({ id }) => figuresOf.has(id) || rows.some((row) => row.id === id))
      .map(({ id, name, enName }) => {
        const own = new Map(
          rows.filter((row) => row.id === id).map((row) => [Math.floor(row.beginsAt.getTime() / BUCKET_MS), row]),
        );
        const halfHours = Array.from({ length: BUCKETS }, (_, at) => own.get(now - BUCKETS + 1 + at));
        const lastHour = halfHours.slice(-LAST_HOUR);
        const sum = (of: 'requests' | 'failed', among: readonly (HalfHour | undefined)[]): number =>
          among.reduce((total, row) => total + (row?.[of] ?? 0), 0);
        return {
          id,
          name: language === 'en' ? enName : name,
          requests: figuresOf.get(id)?.requests ?? sum('requests', halfHours),
          lastHourShare: successShareOf(sum('requests', lastHour), sum('failed', lastHour)),
          p95Ms: figuresOf.get(id)?.p95Ms ?? null,
          halfHours: halfHours.map((row) => (row ? successShareOf(row.requests, row.failed) : null)),
        };
      });
  }
}

const CHANNELS = 'SELECT id, name, en_name AS "enName" FROM tran_channel ORDER BY id';
const HALF_HOURS = `
SELECT tran_channel_id AS id, begins_at AS "beginsAt", requests, failed FROM channel_traffic WHERE begins_at >= ?`;
