import { EntityManager } from '@mikro-orm/postgresql';
import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import type { Answer } from '@yiqiao/contracts/endpoint';
import type { Language } from '@yiqiao/contracts/envelope';
import type { getAccount } from '@yiqiao/contracts/operator/accounts';
import { Refusal } from '@yiqiao/domain/errors';
import { FAMILY_LANES_MAX } from '@yiqiao/domain/operators';
import { billingModeOf } from '@yiqiao/domain/ledger';
import { Clock } from '../../platform/clock.js';
import { priceAtSql } from '../rows/price-at.js';
import { nameColumns, shownName, type Named } from './names.js';
import { momentOf } from './read-states.js';

type Account = Answer<typeof getAccount>;

export class GetAccount extends Query<Account> {
  constructor(
    readonly userId: number,
    readonly language: Language,
  ) {
    super();
  }
}

/** Whose account it is (operators §6). */
@QueryHandler(GetAccount)
export class GetAccountHandler implements IQueryHandler<GetAccount> {
  constructor(
    private readonly em: EntityManager,
    private readonly clock: Clock,
  ) {}

  async execute({ userId, language }: GetAccount): Promise<Account> {
    const em = this.em.fork();
    const [row] = await em.execute<Row[]>(headOf(language), [userId]);
    if (!row) throw new Refusal('NOT_FOUND');
    const family = await em.execute<Lane[]>(LANES, [row.familyId, row.familyId, FAMILY_LANES_MAX]);
    const wire = (ms: number | null): string | null => (ms === null ? null : momentOf(this.clock, ms));
    return {
      userId,
      name: shownName(row, language),
      role: userId === row.familyId ? 'main' : 'sub',
      closed: row.closed,
      memberGroup: row.memberGroup,
      translationBillingMode: billingModeOf(row.mode) ?? 'char',
      channel: row.channel,
      price: row.price,
      entries: row.entries,
      archived: row.archived,
      first: wire(row.first),
      last: wire(row.last),
      family: family.map((lane) => ({
        userId: lane.userId,
        name: shownName(lane, language),
        entries: lane.entries,
        archived: lane.archived,
      })),
      familySize: row.familySize,
      familyEntries: row.familyEntries,
      familyFirst: wire(row.familyFirst),
      familyLast: wire(row.familyLast),
    };
  }
}

export type Lane = Named & { entries: number; archived: number };
type Row = Named & {
  familyId: number;
  entries: number;
  archived: number;
  closed: boolean;
  memberGroup: string;
  mode: number;
  channel: string | null;
  price: number | null;
  first: number | null;
  last: number | null;
  familySize: number;
  familyEntries: number;
  familyFirst: number | null;
  familyLast: number | null;
};

const msOf = (column: string): string => `(date_part('epoch', ${column}) * 1000)::bigint`;
/** Of entry `seq` of the account `of`, in ms. */
const timeOf = (seq: string, of = 'a'): string =>
  `(SELECT ${msOf('created_at')} FROM account_log e WHERE e.user_id = ${of}.user_id AND e.seq = ${seq})`;
const ARCHIVED = (of: string): string =>
  `coalesce((SELECT seq FROM account_archive h WHERE h.user_id = ${of}.user_id), 0)`;
/** Of the first entry, or of the one from which on everything is in the database. */
const BEGUN = `coalesce((SELECT ${msOf('at')} FROM account_archive h WHERE h.user_id = a.user_id), ${timeOf('1')})`;

const headOf = (language: Language): string => {
  const name = language === 'en' ? 'en_name' : 'name';
  return `
SELECT a.user_id AS "userId", a.family_id AS "familyId", a.entry_seq AS entries, ${ARCHIVED('a')} AS archived, a.billing_mode AS mode, m.closed_at IS NOT NULL AS closed,
  ${nameColumns('a.user_id')}, (SELECT ${name} FROM member_group WHERE id = m.member_group_id) AS "memberGroup",
  (SELECT ${name} FROM tran_channel WHERE id = a.tran_channel_id) AS channel, ${priceAtSql('a.tran_channel_id', 'now()')} AS price,
  ${BEGUN} AS first, ${timeOf('a.entry_seq')} AS last, family.*
FROM member_account a JOIN member m ON m.id = a.user_id, LATERAL (
  SELECT count(*) AS "familySize", sum(entry_seq)::bigint AS "familyEntries", greatest(min(${timeOf('1', 'f')}), max((
      SELECT ${msOf('at')} FROM account_archive h WHERE h.user_id = f.user_id))) AS "familyFirst",
    max(${timeOf('f.entry_seq', 'f')}) AS "familyLast" FROM member_account f WHERE f.family_id = a.family_id
) AS family
WHERE a.user_id = ?`;
};

/** The members of a family that are shown each by itself: the main account, then those with the most entries. */
export const LANES = `
SELECT user_id AS "userId", entry_seq AS entries, ${ARCHIVED('member_account')} AS archived, ${nameColumns('member_account.user_id')}
FROM member_account WHERE family_id = ? ORDER BY user_id <> ?, entry_seq DESC, user_id LIMIT ?`;
