import { EntityManager } from '@mikro-orm/postgresql';
import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import type { Answer } from '@yiqiao/contracts/endpoint';
import type { Language } from '@yiqiao/contracts/envelope';
import type { getUsage } from '@yiqiao/contracts/user';
import { deletedName, namelessDeleted } from '@yiqiao/domain/explanations';
import { Clock } from '../../platform/clock.js';
import { UsageRollUp } from './usage-roll-up.js';

type Usage = Answer<typeof getUsage>;
type Who = { userId: number; familyId: number; isMain: boolean };

export class GetUsage extends Query<Usage> {
  constructor(
    readonly who: Who,
    readonly request: { days: number; language: Language },
  ) {
    super();
  }
}

/** Sub-accounts that the chart names. */
const CHILDREN_MAX = 100;

/** Usage on each of the last days: of the family for a main account, its own for a sub-account. */
@QueryHandler(GetUsage)
export class GetUsageHandler implements IQueryHandler<GetUsage> {
  constructor(
    private readonly em: EntityManager,
    private readonly clock: Clock,
    private readonly rollUp: UsageRollUp,
  ) {}

  async execute({ who, request: { days, language } }: GetUsage): Promise<Usage> {
    await this.rollUp.catchUp(who.familyId);
    const dates = this.clock.lastDays(days);
    const within = [who.familyId, dates[0], dates.at(-1)];
    const em = this.em.fork();
    type Day = Usage['days'][number];
    const rows = who.isMain
      ? await em.execute<Day[]>(`${DAYS} FROM family_usage_day ${WITHIN}`, within)
      : await em.execute<Day[]>(`${DAYS} FROM usage_day ${WITHIN} AND user_id = ?`, [...within, who.userId]);
    const used = new Map(rows.map((row) => [row.date, row]));
    return {
      days: dates.map((date) => used.get(date) ?? { date, charNum: 0, voiceNum: 0, imageNum: 0 }),
      children: who.isMain ? (await em.execute<Child[]>(CHILDREN, within)).map((row) => named(row, language)) : [],
    };
  }
}

const DAYS = 'SELECT day::text AS date, char_num AS "charNum", voice_num AS "voiceNum", image_num AS "imageNum"';
const WITHIN = 'WHERE family_id = ? AND day BETWEEN ?::date AND ?::date';

type Child = { userId: number; name: string | null; lastName: string | null; charNum: number };

const named = ({ userId, name, lastName, charNum }: Child, language: Language): Usage['children'][number] => ({
  userId,
  charNum,
  nickname: name ?? (lastName === null ? namelessDeleted(userId, language) : deletedName(lastName, language)),
});

// Includes deleted sub-accounts under their last name; otherwise their usage would look like the main account's.
const CHILDREN = `
WITH used AS (
  SELECT user_id, sum(char_num)::bigint AS chars FROM usage_day
  ${WITHIN} AND char_num > 0 GROUP BY user_id
)
SELECT used.user_id AS "userId", coalesce(m.nickname, i.shown) AS name, m.last_name AS "lastName", used.chars AS "charNum"
FROM used
JOIN member m ON m.id = used.user_id AND m.parent_id IS NOT NULL
LEFT JOIN identity i ON i.user_id = m.id AND i.kind = 'username'
ORDER BY used.chars DESC, used.user_id LIMIT ${CHILDREN_MAX}`;
