import type { EntityManager } from '@mikro-orm/postgresql';
import type { ApiKeyKind, apiKeyRow, ApiKeyScope } from '@yiqiao/contracts/api-keys';
import { Refusal } from '@yiqiao/domain/errors';
import type { z } from 'zod';
import type { Clock } from '../platform/clock.js';
import type { Caller } from '../platform/endpoint.js';

export type ApiKeyRow = z.input<typeof apiKeyRow>;

/** The keys that a caller may see and change: a main account those of its family, a sub-account its own. */
export const keysOf = ({ userId, familyId, isMain }: Caller): { familyId: number } | { userId: number } =>
  isMain ? { familyId } : { userId };

type Row = {
  id: number;
  user_id: number;
  owner: string;
  name: string;
  kind: ApiKeyKind;
  prefix: string;
  scopes: ApiKeyScope[];
  tran_channel_id: number | null;
  day_cap: number;
  month_cap: number;
  used_today: number;
  used_month: number;
  requests_per_second: number;
  allowed_ips: string[];
  expire_at: Date | null;
  last_used_at: Date | null;
  old_until: Date | null;
  created_at: Date;
  revoked_at: Date | null;
};

/**
 * What the wire shows of keys, with what was charged today and this month of `timeZone`. `condition`: over `k`, with its parameters. Newest
 * first.
 */
export async function readKeys(
  em: EntityManager,
  {
    condition,
    parameters,
    page,
  }: { condition: string; parameters: unknown[]; page?: { limit: number; offset: number } },
  clock: Clock,
): Promise<ApiKeyRow[]> {
  const today = clock.day(clock.now());
  const rows = await em.execute<Row[]>(
    `SELECT k.id, k.user_id, k.name, k.kind, k.prefix, array_to_json(k.scopes) AS scopes, k.tran_channel_id, k.day_cap, k.month_cap,
       k.requests_per_second, array_to_json(k.allowed_ips) AS allowed_ips, k.expire_at, k.last_used_at, k.created_at, k.revoked_at,
       CASE WHEN k.old_until > now() THEN k.old_until END AS old_until, COALESCE(m.nickname, m.last_name, '') AS owner,
       coalesce((SELECT char_num FROM api_key_day WHERE api_key_id = k.id AND day = ?::date), 0) AS used_today,
       (SELECT coalesce(sum(char_num), 0) FROM api_key_day
         WHERE api_key_id = k.id AND day >= date_trunc('month', ?::date) AND day <= ?::date) AS used_month
     FROM api_key k JOIN member m ON m.id = k.user_id WHERE ${condition} ORDER BY k.id DESC
     LIMIT ? OFFSET ?`,
    [today, today, today, ...parameters, page?.limit ?? 100, page?.offset ?? 0],
  );
  return rows.map((row) => wireRow(row, clock));
}

/** The key as the wire shows it. Throws NOT_FOUND when it is not the caller's. */
export async function readKey(em: EntityManager, id: number, caller: Caller, clock: Clock): Promise<ApiKeyRow> {
  const [column, value] = caller.isMain ? ['family_id', caller.familyId] : ['user_id', caller.userId];
  const [row] = await readKeys(em, { condition: `k.id = ? AND k.${column} = ?`, parameters: [id, value] }, clock);
  if (!row) throw new Refusal('NOT_FOUND');
  return row;
}

function wireRow(row: Row, clock: Clock): ApiKeyRow {
  const when = (at: Date | null): string | null => (at === null ? null : clock.toWire(new Date(at)));
  const isOver = row.expire_at !== null && new Date(row.expire_at) <= clock.now();
  return {
    id: Number(row.id),
    userId: Number(row.user_id),
    owner: row.owner,
    name: row.name,
    kind: row.kind,
    prefix: row.prefix,
    state: row.revoked_at !== null ? 'revoked' : isOver ? 'expired' : 'active',
    scopes: row.scopes,
    tranChannelId: row.tran_channel_id,
    dayCap: Number(row.day_cap),
    monthCap: Number(row.month_cap),
    usedToday: Number(row.used_today),
    usedThisMonth: Number(row.used_month),
    requestsPerSecond: row.requests_per_second,
    allowedIps: row.allowed_ips,
    expireDateTime: when(row.expire_at),
    lastUseDateTime: when(row.last_used_at),
    oldSecretUntil: row.revoked_at === null ? when(row.old_until) : null,
    createDateTime: clock.toWire(new Date(row.created_at)),
  };
}
