import { EntityManager } from '@mikro-orm/postgresql';
import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import type { Answer, Input } from '@yiqiao/contracts/endpoint';
import type {
  listHeldByFamily,
  listHeldByPlan,
  listTrialDays,
  listTrialEntries,
} from '@yiqiao/contracts/operator/trial-balance';
import { ENTRY_TYPES, entryTypeOf, type EntryType } from '@yiqiao/domain/ledger';
import { ENTRY_LINES, type EntryLine } from '@yiqiao/domain/trial-balance';
import { requireInDatabase } from '../rows/archived.js';
import { Clock } from '../../platform/clock.js';
import { LINE } from './ledger-days.js';
import { changes, families, MOMENT } from './moment-sql.js';
import { TrialBalance } from './trial-balance.js';

type Plans = Answer<typeof listHeldByPlan>;
type Families = Answer<typeof listHeldByFamily>;
type Days = Answer<typeof listTrialDays>;
type Entries = Answer<typeof listTrialEntries>;

export class ListHeldByPlan extends Query<Plans> {
  constructor(readonly request: Input<typeof listHeldByPlan>) {
    super();
  }
}
export class ListHeldByFamily extends Query<Families> {
  constructor(readonly request: Input<typeof listHeldByFamily>) {
    super();
  }
}
export class ListTrialDays extends Query<Days> {
  constructor(readonly request: Input<typeof listTrialDays>) {
    super();
  }
}
export class ListTrialEntries extends Query<Entries> {
  constructor(readonly request: Input<typeof listTrialEntries>) {
    super();
  }
}

const { RECHARGE_ORDER_BY_MEMBER_GROUP: RECHARGE, SYS_ADJUST } = ENTRY_TYPES;

/** The plan of a family: now from its main account; then that of its newest recharge that was not taken back, or the one before any. */
const PLAN = {
  now: '(SELECT member_group_id FROM member WHERE id = f.family_id)',
  then: `coalesce(
    (SELECT e.member_group_id FROM account_log e
     WHERE e.user_id = f.family_id AND e.log_type = ${RECHARGE.code} AND e.created_at <= (SELECT at FROM moment)
       AND NOT EXISTS (SELECT FROM account_log r WHERE r.order_id = e.order_id AND r.user_id = e.user_id AND r.log_type = ${SYS_ADJUST.code}
         AND r.amount < 0 AND r.created_at <= (SELECT at FROM moment))
     ORDER BY e.type_seq DESC LIMIT 1),
    (SELECT group_before FROM recharge_order WHERE user_id = f.family_id AND group_before IS NOT NULL ORDER BY paid_by LIMIT 1),
    (SELECT member_group_id FROM member WHERE id = f.family_id))`,
};
const planned = (source: 'now' | 'then'): string =>
  `${families(source)}, planned AS (SELECT f.*, ${PLAN[source]} AS plan FROM family f)`;

const QUOTA = { charNum: 'char_num', voiceNum: 'voice_num', imageNum: 'image_num' };
const sums = (filter: string): string =>
  Object.entries(QUOTA)
    .map(([name, column]) => `'${name}', coalesce(sum(${column}) ${filter}, 0)`)
    .join(', ');

@QueryHandler(ListHeldByPlan)
export class ListHeldByPlanHandler implements IQueryHandler<ListHeldByPlan> {
  constructor(
    private readonly em: EntityManager,
    private readonly trial: TrialBalance,
  ) {}

  async execute({ request }: ListHeldByPlan): Promise<Plans> {
    const moment = this.trial.moment(request.at);
    type Row = Omit<Plans['rows'][number], 'charNum' | 'voiceNum' | 'imageNum'> & {
      held: Plans['rows'][number]['frozen'];
    };
    const rows = await this.trial.run<Row[]>(this.em.fork(), moment, () => [
      `WITH ${MOMENT}, ${planned(moment.source)}
       SELECT plan AS "memberGroupId", g.name, g.en_name AS "enName", families, held, frozen FROM (
         SELECT plan, count(*)::int AS families, json_build_object(${sums('')}) AS held,
           json_build_object(${sums('FILTER (WHERE expired)')}) AS frozen, sum(char_num) AS most
         FROM planned WHERE NOT closed GROUP BY plan
       ) AS p JOIN member_group g ON g.id = plan ORDER BY most DESC, plan`,
      moment.parameters,
    ]);
    return { rows: rows.map(({ held, ...row }) => ({ ...row, ...held })) };
  }
}

/** The families that a line of accounts sums. */
const OF_LINE = { held: 'NOT closed', frozen: 'NOT closed AND expired', lapsed: 'closed', recharged: 'amount > 0' };

@QueryHandler(ListHeldByFamily)
export class ListHeldByFamilyHandler implements IQueryHandler<ListHeldByFamily> {
  constructor(
    private readonly em: EntityManager,
    private readonly trial: TrialBalance,
    private readonly clock: Clock,
  ) {}

  async execute({ request }: ListHeldByFamily): Promise<Families> {
    const { line, memberGroupId, pageNum, pageSize } = request;
    const moment = this.trial.moment(request.at);
    type Row = Omit<Families['rows'][number], 'expireDateTime'> & { expireAt: Date | null; total: number };
    const rows = await this.trial.run<Row[]>(this.em.fork(), moment, () => [
      `WITH ${MOMENT}, ${planned(moment.source)}
       SELECT p.family_id AS "familyId", m.nickname, plan AS "memberGroupId", accounts::int, char_num::bigint AS "charNum",
         voice_num::bigint AS "voiceNum", image_num::bigint AS "imageNum", amount::bigint, expire_at AS "expireAt", count(*) OVER () AS total
       FROM planned p LEFT JOIN member m ON m.id = p.family_id
       WHERE ${OF_LINE[line]} AND plan = coalesce(?::int, plan)
       ORDER BY ${line === 'recharged' ? 'amount' : 'char_num'} DESC, p.family_id LIMIT ? OFFSET ?`,
      [...moment.parameters, memberGroupId ?? null, pageSize, (pageNum - 1) * pageSize],
    ]);
    return {
      rows: rows.map(({ expireAt, total: _, ...row }) => ({
        ...row,
        expireDateTime: expireAt === null ? null : this.clock.toWire(expireAt),
      })),
      total: rows[0]?.total ?? 0,
    };
  }
}

const signOf = (line: EntryLine): number => (ENTRY_LINES[line].side === 'used' ? -1 : 1);

@QueryHandler(ListTrialDays)
export class ListTrialDaysHandler implements IQueryHandler<ListTrialDays> {
  constructor(
    private readonly em: EntityManager,
    private readonly trial: TrialBalance,
  ) {}

  async execute({ request }: ListTrialDays): Promise<Days> {
    const { line, pageNum, pageSize } = request;
    const moment = this.trial.moment(request.at);
    // Days are complete in the roll-up alone.
    const past = moment.source === 'then' ? moment : this.trial.past(moment.at);
    type Row = Days['rows'][number] & { total: number };
    const rows = await this.trial.run<Row[]>(this.em.fork(), past, (zone) => [
      `WITH ${MOMENT}, ${changes('then', zone)}
       SELECT day::text, sum(entries)::bigint AS entries, ${signedSums(line)}, count(*) OVER () AS total
       FROM change WHERE line = ? GROUP BY day ORDER BY day DESC LIMIT ? OFFSET ?`,
      [...past.parameters, line, pageSize, (pageNum - 1) * pageSize],
    ]);
    return { rows: rows.map(({ total: _, ...row }) => row), total: rows[0]?.total ?? 0 };
  }
}

const signedSums = (line: EntryLine): string =>
  Object.entries({ ...QUOTA, amount: 'amount' })
    .map(([name, column]) => `(${signOf(line)} * sum(${column}))::bigint AS "${name}"`)
    .join(', ');

/** The lines of which entries move to cold files. */
const MOVED: readonly EntryLine[] = ['translations', 'voice', 'images'];

@QueryHandler(ListTrialEntries)
export class ListTrialEntriesHandler implements IQueryHandler<ListTrialEntries> {
  constructor(
    private readonly em: EntityManager,
    private readonly trial: TrialBalance,
    private readonly clock: Clock,
  ) {}

  async execute({ request }: ListTrialEntries): Promise<Entries> {
    const { line, day, pageNum, pageSize } = request;
    const { at } = this.trial.moment(request.at);
    const [from, to] = [this.clock.fromWire(`${day} 00:00:00`), this.clock.endOfWire(`${day} 23:59:59`)];
    // Other lines are whole, however old.
    if (MOVED.includes(line)) await requireInDatabase(this.em.fork(), { whose: 'all', at: from }, this.clock);
    type Row = Omit<Entries['rows'][number], 'at' | 'type'> & { createdAt: Date; logType: number; total: number };
    const sign = signOf(line);
    // By the BRIN index over time: entries of a day are next to each other.
    const rows = await this.em.fork().execute<Row[]>(
      `SELECT id AS "entryId", user_id AS "userId", family_id AS "familyId", seq, created_at AS "createdAt", log_type AS "logType",
         order_id AS "orderId", ${sign} * char_change AS "charNum", ${sign} * voice_change AS "voiceNum",
         ${sign} * image_change AS "imageNum", ${sign} * amount AS amount, count(*) OVER () AS total
       FROM account_log WHERE created_at >= ? AND created_at <= ? AND ${LINE} = ?
       ORDER BY created_at DESC, id DESC LIMIT ? OFFSET ?`,
      [from, to < at ? to : at, line, pageSize, (pageNum - 1) * pageSize],
    );
    return {
      rows: rows.map(({ createdAt, logType, total: _, ...row }) => ({
        ...row,
        at: this.clock.toWire(createdAt),
        type: entryTypeOf(logType) ?? (`unknown type ${logType}` as EntryType),
      })),
      total: rows[0]?.total ?? 0,
    };
  }
}
