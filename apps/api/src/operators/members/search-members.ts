import type { EntityManager } from '@mikro-orm/postgresql';
import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import type { Answer, Input } from '@yiqiao/contracts/endpoint';
import type { MemberFilter, searchMembers } from '@yiqiao/contracts/operator/members';
import { REMINDER_DEFAULTS } from '@yiqiao/domain/limits';
import { uniqueKey } from '@yiqiao/domain/members';
import { billingModeOf } from '@yiqiao/domain/ledger';
import { Clock } from '../../platform/clock.js';
import { Standby } from '../../platform/standby.js';

type Page = Answer<typeof searchMembers>;
export type MemberRow = Page['rows'][number];

/** More than these are not counted: whoever searches narrows the search (docs/decisions/0058). */
const FOUND_MAX = 200;
/** Lines of the login log among which members count as recently signed in, for each member to be found. */
const LOGINS_EACH = 10;

export class SearchMembers extends Query<Page> {
  constructor(
    readonly request: Input<typeof searchMembers>,
    /** How many are found at most; `more` says that there are others. */
    readonly most = FOUND_MAX,
  ) {
    super();
  }
}

/** Members by any key (operators §10): exact ones, then beginnings, then parts of names, each by an index. */
@QueryHandler(SearchMembers)
export class SearchMembersHandler implements IQueryHandler<SearchMembers> {
  constructor(
    private readonly standby: Standby,
    private readonly clock: Clock,
  ) {}

  execute(query: SearchMembers): Promise<Page> {
    return this.standby.read((em) => this.#search(em, query));
  }

  async #search(
    em: EntityManager,
    { request: { query = '', status, pageNum, pageSize }, most }: SearchMembers,
  ): Promise<Page> {
    // One more tells whether there are more.
    const limit = most + 1;
    const candidates = query === '' ? await listed(em, status, limit) : await found(em, query, limit);
    const ids = (await filtered(em, candidates, status)).slice(0, most);
    const from = (pageNum - 1) * pageSize;
    const rows = await readRows(em, ids.slice(from, from + pageSize), this.clock);
    return { rows, total: ids.length, more: candidates.length >= limit };
  }
}

type Ids = { id: number }[];
const idsOf = (rows: Ids): number[] => [...new Set(rows.map(({ id }) => Number(id)))];

/** Without a query: those of the state, else whoever signed in last, then the newest. */
async function listed(em: EntityManager, status: MemberFilter | undefined, limit: number): Promise<number[]> {
  if (status === 'low') return idsOf(await em.execute<Ids>(RECENT_LOW, [limit * LOGINS_EACH, limit]));
  const sql = BY_STATE[status ?? 'main'];
  if (sql !== undefined) return idsOf(await em.execute<Ids>(sql, [limit]));
  const recent = idsOf(await em.execute<Ids>(RECENT, [limit * LOGINS_EACH, limit]));
  if (recent.length >= limit) return recent;
  return [...new Set([...recent, ...idsOf(await em.execute<Ids>(NEWEST, [limit]))])].slice(0, limit);
}

const BY_STATE: Partial<Record<MemberFilter, string>> = {
  sub: 'SELECT id FROM member WHERE parent_id IS NOT NULL ORDER BY id DESC LIMIT ?',
  disabled: 'SELECT id FROM member WHERE NOT enabled ORDER BY id DESC LIMIT ?',
  closed: 'SELECT id FROM member WHERE closed_at IS NOT NULL ORDER BY closed_at DESC LIMIT ?',
  expired: 'SELECT user_id AS id FROM member_account WHERE expire_at <= now() ORDER BY expire_at DESC LIMIT ?',
  expiring: 'SELECT user_id AS id FROM member_account WHERE expire_at > now() ORDER BY expire_at LIMIT ?',
};

const LAST_LOGINS = '(SELECT id, user_id FROM login_log ORDER BY id DESC LIMIT ?) AS last';
const RECENT = `SELECT user_id AS id FROM ${LAST_LOGINS} GROUP BY user_id ORDER BY max(id) DESC LIMIT ?`;
const NEWEST = 'SELECT id FROM member ORDER BY id DESC LIMIT ?';
const LOW_BALANCE = `a.billing_mode = 1 AND a.usable_char_num < coalesce(r.low_char_num, ${REMINDER_DEFAULTS.lowCharNum})`;
// Every use changes a balance, so balances have no index: only members who signed in lately.
const RECENT_LOW = `
SELECT user_id AS id FROM ${LAST_LOGINS} JOIN member_account a USING (user_id) LEFT JOIN member_reminder r USING (user_id)
WHERE ${LOW_BALANCE} GROUP BY user_id ORDER BY max(last.id) DESC LIMIT ?`;

async function found(em: EntityManager, query: string, limit: number): Promise<number[]> {
  const key = uniqueKey(query);
  const begins = `${escapeLike(key)}%`;
  const exact = idsOf(
    await em.execute<Ids>(EXACT, [idIn(query), key, query.toUpperCase(), query.toUpperCase(), uuidIn(query)]),
  );
  const starting = idsOf(await em.execute<Ids>(BEGINNING, [begins, limit, begins, limit]));
  const ids = [...new Set([...exact, ...starting])];
  // One letter begins many names and is part of nearly all.
  if (ids.length >= limit || key.length < 2) return ids.slice(0, limit);
  const within = `%${begins}`;
  const runs = runsOf(key);
  const containing = idsOf(await em.execute<Ids>(CONTAINING, [runs, within, limit, runs, within, limit]));
  return [...new Set([...ids, ...containing])].slice(0, limit);
}

const idIn = (query: string): number | null => {
  const digits = /^(?:#|id:)?(\d{1,15})$/.exec(query)?.[1];
  return digits === undefined ? null : Number(digits);
};
const uuidIn = (query: string): string | null =>
  /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(query) ? query.toLowerCase() : null;

/** The keys of the index that every name with this part has: its runs of three letters, or the pair that it is. */
function runsOf(part: string): string {
  const letters = [...part];
  const size = Math.min(3, letters.length);
  const runs = letters.slice(size - 1).map((_, at) => letters.slice(at, at + size).join(''));
  return `{${runs.map((run) => `"${run.replaceAll(/["\\]/g, '\\$&')}"`).join(',')}}`;
}

/** Escapes LIKE wildcards. */
const escapeLike = (text: string): string => text.replaceAll(/[\\%_]/g, '\\$&');

// Raw, like all others here: each branch has an index of its own, which one condition with OR would not use.
const EXACT = `
SELECT id FROM member WHERE id = ?::bigint
UNION ALL SELECT user_id FROM identity WHERE unique_key = ?
UNION ALL SELECT id FROM member WHERE invite_code = ?
UNION ALL SELECT user_id FROM recharge_order WHERE no = ?
UNION ALL SELECT user_id FROM account_log WHERE cmd_id = ?::uuid`;

const NAME = 'lower(coalesce(nickname, last_name))';
const BEGINNING = `
(SELECT user_id AS id FROM identity WHERE unique_key LIKE ? LIMIT ?)
UNION ALL (SELECT id FROM member WHERE ${NAME} LIKE ? LIMIT ?)`;
// The statistics of both indexes know how common a run is: for a common one the planner reads rows until there are enough.
const CONTAINING = `
(SELECT user_id AS id FROM identity WHERE letter_runs(unique_key) @> ?::text[] AND unique_key LIKE ? LIMIT ?)
UNION ALL (SELECT id FROM member WHERE letter_runs(${NAME}) @> ?::text[] AND ${NAME} LIKE ? LIMIT ?)`;

/** The ids that have the state, in the given order. */
async function filtered(em: EntityManager, ids: number[], status: MemberFilter | undefined): Promise<number[]> {
  if (ids.length === 0 || status === undefined) return ids;
  const sql = `SELECT m.id ${FROM_ROWS} WHERE ${CONDITIONS[status]} ORDER BY place`;
  return idsOf(await em.execute<Ids>(sql, [`{${ids.join(',')}}`]));
}

const OPEN = 'm.closed_at IS NULL';
const LOW = `${OPEN} AND ${LOW_BALANCE}`;
const CONDITIONS: Record<MemberFilter, string> = {
  main: `${OPEN} AND m.parent_id IS NULL`,
  sub: `${OPEN} AND m.parent_id IS NOT NULL`,
  low: LOW,
  expiring: `${OPEN} AND own.expire_at > now() AND own.expire_at <= now() + interval '7 days'`,
  expired: `${OPEN} AND own.expire_at <= now()`,
  disabled: `${OPEN} AND NOT m.enabled`,
  closed: 'm.closed_at IS NOT NULL',
};

const FROM_ROWS = `
FROM unnest(?::bigint[]) WITH ORDINALITY AS given (id, place)
JOIN member m ON m.id = given.id JOIN member own_member ON own_member.id = m.family_id
JOIN member_account a ON a.user_id = m.id JOIN member_account own ON own.user_id = m.family_id
LEFT JOIN member_reminder r ON r.user_id = m.id`;

type Row = {
  id: number;
  family_id: number;
  username: string | null;
  nickname: string | null;
  email: string | null;
  group_name: string;
  group_en_name: string;
  mode: number;
  channel: number | null;
  chars: number;
  voice: number;
  images: number;
  expire_at: Date | null;
  children: number;
  last_login: Date | null;
  enabled: boolean;
  state: MemberRow['state'];
};

// Subqueries where a join could be: planning one join of twelve tables takes longer than reading the rows.
const ROWS = `
SELECT m.id, m.family_id, coalesce(m.nickname, m.last_name) AS nickname,
  (SELECT shown FROM identity WHERE user_id = m.id AND kind = 'username') AS username,
  (SELECT shown FROM identity WHERE user_id = m.id AND kind = 'email') AS email,
  g.name AS group_name, g.en_name AS group_en_name, a.billing_mode AS mode, own.tran_channel_id AS channel,
  a.usable_char_num - a.held_char_num AS chars, a.usable_voice_num - a.held_voice_num AS voice,
  a.usable_image_num - a.held_image_num AS images, own.expire_at, m.enabled,
  CASE WHEN m.parent_id IS NULL
    THEN (SELECT count(*) FROM member c WHERE c.family_id = m.id AND c.id <> m.id AND c.closed_at IS NULL) ELSE 0 END AS children,
  (SELECT logged_in_at FROM login_log WHERE user_id = m.id ORDER BY logged_in_at DESC, id DESC LIMIT 1) AS last_login,
  CASE WHEN m.closed_at IS NOT NULL THEN 'closed' WHEN NOT (m.enabled AND own_member.enabled) THEN 'disabled'
    WHEN own.expire_at <= now() THEN 'expired' WHEN ${LOW} THEN 'low' ELSE 'enabled' END AS state
${FROM_ROWS} JOIN member_group g ON g.id = own_member.member_group_id
ORDER BY place`;

/** The rows of these members in the given order. */
async function readRows(em: EntityManager, ids: readonly number[], clock: Clock): Promise<MemberRow[]> {
  if (ids.length === 0) return [];
  const rows = await em.execute<Row[]>(ROWS, [`{${ids.join(',')}}`]);
  return rows.map((row) => ({
    userId: Number(row.id),
    username: row.username,
    nickname: row.nickname,
    account: row.email === null ? null : maskedAddress(row.email),
    role: row.id === row.family_id ? 'main' : 'sub',
    familyId: Number(row.family_id),
    memberGroup: {
      name: row.group_name,
      enName: row.group_en_name,
      translationBillingMode: billingModeOf(row.mode) ?? 'char',
    },
    tranChannelId: row.channel,
    usableCharNum: Number(row.chars),
    usableVoiceNum: Number(row.voice),
    usableImageNum: Number(row.images),
    expireDateTime: row.expire_at && clock.toWire(new Date(row.expire_at)),
    children: Number(row.children),
    lastLoginDateTime: row.last_login && clock.toWire(new Date(row.last_login)),
    enabled: row.enabled ? 1 : 0,
    state: row.state,
  }));
}

/** `li***@example.com`: enough to recognise, not to write to. */
export const maskedAddress = (email: string): string => {
  const at = email.lastIndexOf('@');
  const name = [...email.slice(0, at)];
  return `${name.slice(0, Math.min(2, name.length - 1)).join('')}***${email.slice(at)}`;
};

/** `203.0.113.***`, `2001:db8:***`: the network, not the house. */
export const maskedIp = (ip: string): string =>
  ip.includes(':') ? `${ip.split(':').slice(0, 2).join(':')}:***` : `${ip.slice(0, ip.lastIndexOf('.'))}.***`;
