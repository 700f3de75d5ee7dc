import { uniqueKey } from '@yiqiao/domain/members';
import type pg from 'pg';
import { CommandError, UsageError } from '../../platform/cli-messages.js';

export type FoundAccount = { userId: number; familyId: number; name: string | null };

/**
 * Finds an account by id, username or e-mail address. Throws CommandError if there is none, and UsageError if it is one member's id and
 * another's name: then the prefix `id:` or `name:` selects one.
 */
export async function findAccount(pool: pg.Pool, who: string): Promise<FoundAccount> {
  const [, kind, text = who] = /^(id|name):(.*)$/s.exec(who) ?? [];
  const id = kind !== 'name' && /^\d{1,15}$/.test(text) ? Number(text) : null;
  const name = kind === 'id' ? null : uniqueKey(text);
  const { rows } = await pool.query<{ user_id: string; family_id: string; name: string | null }>(
    `SELECT a.user_id, a.family_id, own.shown AS name
     FROM member_account a LEFT JOIN identity own ON own.user_id = a.user_id AND own.kind = 'username'
     WHERE a.user_id = $1 OR a.user_id IN (SELECT user_id FROM identity WHERE unique_key = $2)
     ORDER BY a.user_id LIMIT 2`,
    [id, name],
  );
  if (rows.length > 1)
    throw new UsageError({
      zh: `${who} 既是编号又是用户名，请写 id:${who} 或 name:${who}`,
      en: `${who} is the id of one member and the username of another: use id:${who} or name:${who}.`,
    });
  const [row] = rows;
  if (!row) throw new CommandError({ zh: `没有账号 ${who}`, en: `No such account: ${who}` });
  return { userId: Number(row.user_id), familyId: Number(row.family_id), name: row.name };
}

/** The accounts of a family in ascending order, including deleted ones. */
export async function familyOf(pool: pg.Pool, familyId: number): Promise<number[]> {
  const { rows } = await pool.query<{ user_id: string }>(
    'SELECT user_id FROM member_account WHERE family_id = $1 ORDER BY user_id',
    [familyId],
  );
  return rows.map((row) => Number(row.user_id));
}
