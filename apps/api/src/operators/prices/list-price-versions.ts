import { EntityManager } from '@mikro-orm/postgresql';
import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import type { Answer, Input } from '@yiqiao/contracts/endpoint';
import type { Language } from '@yiqiao/contracts/envelope';
import { type listPriceVersions, PRICE_FIELDS } from '@yiqiao/contracts/operator/prices';
import { Clock } from '../../platform/clock.js';

type Versions = Answer<typeof listPriceVersions>;
type Values = Partial<Record<(typeof PRICE_FIELDS)[number], number>>;

export class ListPriceVersions extends Query<Versions> {
  constructor(
    readonly request: Input<typeof listPriceVersions>,
    readonly language: Language,
  ) {
    super();
  }
}

/** What each change of a price replaced: channels and plans together, whoever made it. */
@QueryHandler(ListPriceVersions)
export class ListPriceVersionsHandler implements IQueryHandler<ListPriceVersions> {
  constructor(
    private readonly em: EntityManager,
    private readonly clock: Clock,
  ) {}

  async execute({ request: { pageNum, pageSize }, language }: ListPriceVersions): Promise<Versions> {
    const em = this.em.fork();
    const rows = await em.execute<Row[]>(`${VERSIONS} ORDER BY at DESC, kind, "subjectId" LIMIT ? OFFSET ?`, [
      pageSize,
      (pageNum - 1) * pageSize,
    ]);
    const [counted] = await em.execute<{ total: number }[]>(`SELECT count(*)::int AS total FROM (${VERSIONS}) AS v`);
    return {
      total: counted?.total ?? 0,
      rows: rows.map(({ at, kind, subjectId, zh, en, was, is, manager, reason, approval }) => ({
        at: this.clock.toWire(new Date(at)),
        ...{ kind, subjectId, manager, reason, approval },
        name: (language === 'en' ? en : zh) ?? `#${subjectId}`,
        changes: PRICE_FIELDS.flatMap((field) => {
          const [before, after] = [was[field], is[field]];
          return before === undefined || after === undefined || before === after
            ? []
            : [{ field, was: before, is: after }];
        }),
      })),
    };
  }
}

type Row = {
  at: Date;
  kind: 'channel' | 'plan';
  subjectId: number;
  zh: string | null;
  en: string | null;
  was: Values;
  is: Values;
  manager: string | null;
  reason: string;
  approval: number | null;
};

// A version is written within the transaction of its request, and no clock of the database is far from itself.
const VERSIONS = `
SELECT v.at, v.kind, v.subject AS "subjectId", coalesce(c.name, g.name) AS zh, coalesce(c.en_name, g.en_name) AS en, v.was, v.is,
  m.name AS manager, v.reason, (
    SELECT r.id FROM operator_request r
    WHERE r.kind = 'price.change' AND r.state = 'done' AND r.reason = v.reason
      AND r.target_id = CASE v.kind WHEN 'channel' THEN 'channel:' || c.code ELSE 'plan:' || v.subject END
      AND r.decided_at BETWEEN v.at - interval '1 minute' AND v.at + interval '1 minute'
    ORDER BY r.id DESC LIMIT 1) AS approval
FROM (
  SELECT effective_at AS at, 'channel' AS kind, tran_channel_id AS subject, manager_id, reason,
    jsonb_build_object('price', price) AS is,
    lag(jsonb_build_object('price', price)) OVER (PARTITION BY tran_channel_id ORDER BY effective_at) AS was
  FROM channel_price
  UNION ALL
  SELECT effective_at, 'plan', member_group_id, manager_id, reason, of.plan,
    lag(of.plan) OVER (PARTITION BY member_group_id ORDER BY effective_at)
  FROM plan_version CROSS JOIN LATERAL (SELECT jsonb_build_object('salePrice', sale_price, 'num', num, 'minutePrice', minute_price,
    'voiceNum', voice_num, 'imageNum', image_num, 'referenceChannelId', reference_channel_id) AS plan) AS of
) AS v
LEFT JOIN tran_channel c ON v.kind = 'channel' AND c.id = v.subject
LEFT JOIN member_group g ON v.kind = 'plan' AND g.id = v.subject
LEFT JOIN manager m ON m.id = v.manager_id
WHERE v.was IS NOT NULL`;
